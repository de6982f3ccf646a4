/*
 * Which parts of a text belong to which marks. Marks may lie over one another; pieces do not:
 *
 *     text    a b c d e f g
 *     marks   0 ─────         1   ─────
 *     pieces  a b │ c d │ e f │ g     of marks {0} {0 1} {1} {}
 *
 * Cost: O(n log n) for n marks.
 */

export interface Place {
  /** UTF-16 code units. */
  readonly from: number;
  readonly to: number;
}

export interface Mark extends Place {
  readonly id: number;
}

export interface Piece extends Place {
  /** Ids of the marks that lie over it, ascending; none for bare text. */
  readonly ids: readonly number[];
}

/** Cuts a text of a length at the ends of its marks: the pieces are in order and cover it. */
export function piecesOf(length: number, marks: readonly Mark[]): Piece[] {
  const ends = marks
    .map(({ from, to, id }) => ({ from: Math.max(0, from), to: Math.min(length, to), id }))
    .filter(({ from, to }) => from < to)
    .flatMap(({ from, to, id }) => [
      { at: from, id, by: 1 },
      { at: to, id, by: -1 },
    ])
    .sort((a, b) => a.at - b.at);
  const pieces: Piece[] = [];
  const open = new Map<number, number>();
  let done = 0;
  const cut = (to: number) => {
    if (to > done) pieces.push({ from: done, to, ids: [...open.keys()].sort((a, b) => a - b) });
    done = Math.max(done, to);
  };
  for (const { at, id, by } of ends) {
    cut(at);
    const depth = (open.get(id) ?? 0) + by;
    if (depth === 0) open.delete(id);
    else open.set(id, depth);
  }
  cut(length);
  return pieces;
}

/** What some places cover together: apart from one another, in order. Of thousands of matches all marks would be too many. */
export function unionOf(places: readonly Place[]): Place[] {
  const union: { from: number; to: number }[] = [];
  for (const { from, to } of places.toSorted((a, b) => a.from - b.from)) {
    const last = union.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else union.push({ from, to });
  }
  return union;
}
