/*
 * The common shingles of each node, as ranks of their lists: the shortest list is 0. A row for each node, one behind the other:
 *
 *   rows      | 3 17 40' | 3* 40' 58' | …        ascending; ' = left out here: the node is not counted in this list
 *   starts    0          3            6 …        of each node; a node without common shingles has an empty row
 *
 * What is left out of a row is its end (common-levels.ts). Two nodes are counted in a list if neither leaves it out, or if one
 * of them is a pivot of it (*, pivots.ts).
 *
 * So what was not counted lies at the ends of their rows. Both are read from there; the row of a pivot is read whole.
 *
 * Cost: 4 bytes a posting of a common shingle, 4 a node; some nanoseconds a number that is read.
 */

/** Plain data, in memory that threads share. */
export interface CommonRows {
  /** One more than there are nodes: where each row ends while it is filled, and then where it begins. */
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

/** Set in the rank of a list of which the node is a pivot. */
const PIVOT = 0x8000_0000;
/** Set where the node is left out. */
const LEFT_OUT = 0x4000_0000;
/** Set in the last rank of a node that is a pivot of any list. */
const HAS_PIVOT = 0x2000_0000;
const RANK = HAS_PIVOT - 1;

/** Makes room for rows. @param sizeOf the row of each node; starts become where they end */
export function placeRows(starts: Uint32Array, sizeOf: (node: number) => number): number {
  let end = 0;
  for (let node = 0; node < starts.length - 1; node++) {
    end += sizeOf(node);
    starts[node] = end;
  }
  starts[starts.length - 1] = end;
  return end;
}

/** Adds a list to the rows of its nodes; lists come by falling ranks. */
export function addToRow({ starts, rows }: CommonRows, node: number, rank: number): void {
  const at = starts[node]! - 1;
  starts[node] = at;
  rows[at] = rank;
}

/**
 * Marks again where nodes are left out, and unmarks all pivots.
 *
 * @param isLeftOut whether a node is in the list of a rank that has so many behind it in its row
 */
export function leaveOut(
  { starts, rows }: CommonRows,
  isLeftOut: (node: number, rank: number, behind: number) => boolean,
): void {
  for (let node = 0; node < starts.length - 1; node++) {
    const end = starts[node + 1]!;
    for (let at = starts[node]!; at < end; at++) {
      const rank = rows[at]! & RANK;
      rows[at] = isLeftOut(node, rank, end - 1 - at) ? rank | LEFT_OUT : rank;
    }
  }
}

/** Whether a node is left out of the list that has so many behind it in its row. */
export function isLeftOut({ starts, rows }: CommonRows, node: number, behind: number): boolean {
  const at = starts[node + 1]! - 1 - behind;
  return at >= starts[node]! && (rows[at]! & LEFT_OUT) !== 0;
}

/** Says that a node is a pivot of the list of a rank, which is in its row; other threads may do so, too. */
export function makePivot(rows: CommonRows, node: number, rank: number): void {
  const last = rows.starts[node + 1]! - 1;
  Atomics.or(rows.rows, placeOf(rows, node, rank), PIVOT);
  Atomics.or(rows.rows, last, HAS_PIVOT);
}

/** Whether a node is counted in the list of a rank, which is in its row. */
export const isCounted = (rows: CommonRows, node: number, rank: number): boolean =>
  (rows.rows[placeOf(rows, node, rank)]! & LEFT_OUT) === 0;

function placeOf({ starts, rows }: CommonRows, node: number, rank: number): number {
  let [low, high] = [starts[node]!, starts[node + 1]! - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]! & RANK) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Marks the lists of a node, or takes the marks away. @param marks by rank */
export function markLists({ starts, rows }: CommonRows, node: number, marks: Uint8Array, mark: 0 | 1): void {
  for (let at = starts[node]!; at < starts[node + 1]!; at++) marks[rows[at]! & RANK] = mark;
}

/** How many lists of a node are marked. */
export function countMarked({ starts, rows }: CommonRows, node: number, marks: Uint8Array): number {
  let count = 0;
  const end = starts[node + 1]!;
  for (let at = starts[node]!; at < end; at++) count += marks[rows[at]! & RANK]!;
  return count;
}

/** Common shingles that two nodes share and that were not counted. */
export function uncounted({ starts, rows }: CommonRows, a: number, b: number): number {
  const [startA, startB] = [starts[a]!, starts[b]!];
  let [i, j] = [starts[a + 1]! - 1, starts[b + 1]! - 1];
  // as most are, and the row of b lies elsewhere
  if (i < startA || j < startB) return 0;
  const hasPivot = ((rows[i]! | rows[j]!) & HAS_PIVOT) !== 0;
  let found = 0;
  while (i >= startA && j >= startB) {
    const [one, other] = [rows[i]!, rows[j]!];
    const either = one | other;
    // neither leaves out what is before
    if (!hasPivot && (either & LEFT_OUT) === 0) break;
    const [rank, otherRank] = [one & RANK, other & RANK];
    if (rank === otherRank && (either & PIVOT) === 0 && (either & LEFT_OUT) !== 0) found++;
    i -= Number(rank >= otherRank);
    j -= Number(otherRank >= rank);
  }
  return found;
}
