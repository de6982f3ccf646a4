/*
 * Pages that a server shows instead of documents that are gone: a notice with status 200 (soft 404), the page of whoever has
 * bought the domain (parked), the home page. What gives them away is not what they say, but that they took the place of many
 * different documents:
 *
 *   /a   AAAA nnnn      n is shown by 3 URLs, and took the place of the documents A, B, C
 *   /b   BBB nnnnn      /d shows it from the beginning: that says nothing
 *   /c   CCCCC nnn
 *   /d   nnnnnnnnn
 *
 *   mirrors /a MMMM mmmm, /b MMM mmmmm     took the place of one document M: an edition follows another on each
 */

/** A content that took the place of so many different documents is no document. */
export const SHARED_LEAST = 20;
/** … and one that took the place of so many may be none: it proves no move. */
export const SUSPECT_LEAST = 3;

/** Where a content took the place of another one. */
export interface Replacement {
  readonly host: string | null;
  /** What was there before; null where that is not known, and is taken to be like no other. */
  readonly before: string | null;
}

export interface SharedPage {
  /** Different documents that it took the place of. */
  readonly count: number;
  readonly hosts: number;
}

export function sharedPageOf(replacements: readonly Replacement[]): SharedPage {
  const documents = new Set(replacements.map(({ before }, i) => before ?? i));
  return { count: documents.size, hosts: new Set(replacements.map(({ host }) => host)).size };
}

/** Why it is no document: a notice of servers, or of what lies on domain after domain; null where it may be one. */
export function refusalOf({ count, hosts }: SharedPage): 'soft-404' | 'parked' | null {
  if (count < SHARED_LEAST) return null;
  return hosts * 2 >= count ? 'parked' : 'soft-404';
}
