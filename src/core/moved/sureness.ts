/*
 * How sure it is that the document of an old URL lives at another one now. The old URL was last seen with the document A at
 * the time t. The other one is live, and shows D; when it was first seen to show that is its time.
 *
 *              t
 *   old   AAAAAA ✗
 *   new            DDDDDD     after t: a move
 *   copy    DDDDDDDDDDDDD     before t: no move
 *
 *   first rule that holds                                                                    sure
 *   D took the place of other documents elsewhere, too: it may be a notice                    possible
 *   the old URL led there      D says the same, or r ≥ .5                                     certain
 *                              r ≥ .2, and no page resembles A so much                        likely
 *                              else                                                           possible
 *   A is short                 D says the same, moved, under the name of A                    likely
 *                              else                                                           possible
 *   D says the same            moved, on the host or under the name of A                      certain
 *                              moved elsewhere, or a copy on the host of A                    likely
 *                              a copy elsewhere                                               possible
 *   r ≥ .5                     moved, and no rival                                            likely
 *   r ≥ .2                     moved, on the host, under the name of A, and no page
 *                              resembles A so much                                            likely
 *   r ≥ .5, or A lies in D                                                                    possible
 *   else                                                                                      not offered
 *
 * r ≥ .5 means that its whole interval is there. A rival is another live page that says something else than D, and resembles
 * A nearly as much (RIVAL_WITHIN): pages that are made of one template do. A page of the name of A has rivals of that name
 * alone. Of rivals elsewhere a page on the host of A need not know: copies of A lie there, templates do not.
 */

/** `possible` is worth a look by a person; the others are right in all but some of a hundred. */
export const SURENESSES = ['certain', 'likely', 'possible'] as const;
export type Sureness = (typeof SURENESSES)[number];

/** Least resemblance of what counts as one document, changed. */
export const SAME_DOCUMENT = 0.5;
/** … and of one that was changed much, where other things than its words say so. */
export const MUCH_CHANGED = 0.2;
/** A page that resembles the document as much as another one less this may be it just as well. */
const RIVAL_WITHIN = 0.1;

export interface MoveEvidence {
  /** The old URL was seen to lead here. */
  readonly isRedirect: boolean;
  /** Both have the same words, or the same set of shingles. */
  readonly isEqual: boolean;
  /** Of A and D: lower end of the interval. */
  readonly resemblanceLow: number;
  /** By their estimates, D resembles A by half, or has nearly all of it. */
  readonly isLike: boolean;
  /** A is so short that resemblance says little. */
  readonly isShort: boolean;
  /** First seen to show this after the old URL was last seen to. */
  readonly isAfter: boolean;
  readonly isSameHost: boolean;
  readonly isSameName: boolean;
  readonly rivals: Rivals;
  /** D is shown by other URLs as well that showed other documents before. */
  readonly isSuspect: boolean;
}

/** Whether there are pages that may be the document as well: of any name, and such as count against this page. */
export interface Rivals {
  readonly ofAnyName: boolean;
  readonly thatCount: boolean;
}

/** @returns null where it is not worth a look */
export function surenessOf(move: MoveEvidence): Sureness | null {
  const { isEqual, isAfter, isSameHost, isSameName, rivals } = move;
  const resembles = move.resemblanceLow >= SAME_DOCUMENT;
  const isChanged = move.resemblanceLow >= MUCH_CHANGED && !rivals.ofAnyName && !move.isShort;
  const atLeast = move.isRedirect || isEqual || move.isLike ? 'possible' : null;
  if (move.isSuspect) return atLeast;
  if (move.isRedirect) return isEqual || resembles ? 'certain' : isChanged ? 'likely' : 'possible';
  if (move.isShort) return isEqual && isAfter && isSameName ? 'likely' : atLeast;
  if (isEqual) {
    if (isAfter) return isSameHost || isSameName ? 'certain' : 'likely';
    return isSameHost ? 'likely' : 'possible';
  }
  if (!isAfter) return atLeast;
  if (resembles && !rivals.thatCount) return 'likely';
  return isChanged && isSameHost && isSameName ? 'likely' : atLeast;
}

/** What is known of a page when rivals are looked for. */
export interface RivalPage {
  readonly content: string;
  readonly resemblance: number;
  readonly host: string | null;
  readonly isSameHost: boolean;
  readonly isSameName: boolean;
}

/** The live pages that may be the document as well as this one. Linear in their number. */
export function rivalsOf(page: RivalPage, all: readonly RivalPage[]): Rivals {
  const near = all.filter(
    (other) =>
      other.content !== page.content &&
      other.resemblance > page.resemblance - RIVAL_WITHIN &&
      (other.isSameHost || other.host === page.host || !(page.isSameHost || page.isSameName)),
  );
  return { ofAnyName: near.length > 0, thatCount: near.some((other) => other.isSameName || !page.isSameName) };
}
