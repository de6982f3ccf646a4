import { LAST } from './shingle-lists.ts';

/*
 * What counting leaves out of two nodes whose postings say all of them: common shingles of both of which neither is a pivot
 * (pivots.ts). A row for each such node, one behind the other:
 *
 *   rows      | 3 17' 40 | 3 40 58' | …        numbers of lists, ascending; ' = here the node is a pivot, so all were counted
 *   starts    0          3          6 …        of each node; a node without common shingles has an empty row
 *
 *   of the first two nodes 3 and 40 are left out
 *
 * Cost: 4 bytes a posting of a common shingle, 4 a node; some nanoseconds a number of both rows.
 */

/** Plain data, in memory that threads share. */
export interface CommonRows {
  /** One more than there are nodes: where each row ends while it is filled, and then where it begins. */
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

/** Set in the number of a list of which the node is a pivot. */
const PIVOT = LAST;

/** Makes room for rows. @param sizes of the row of each node; becomes where they end */
export function placeRows(starts: Uint32Array, sizeOf: (node: number) => number): number {
  let end = 0;
  for (let node = 0; node < starts.length - 1; node++) {
    end += sizeOf(node);
    starts[node] = end;
  }
  starts[starts.length - 1] = end;
  return end;
}

/** Adds a list to the rows of its nodes; lists come by falling numbers. */
export function addToRow({ starts, rows }: CommonRows, node: number, list: number, isPivot: boolean): void {
  const at = starts[node]! - 1;
  starts[node] = at;
  rows[at] = isPivot ? (list | PIVOT) >>> 0 : list;
}

/** Shingles that two nodes share and that were not counted. */
export function uncounted({ starts, rows }: CommonRows, a: number, b: number): number {
  const endA = starts[a + 1]!;
  // as most are, and the row of b lies elsewhere
  if (starts[a] === endA) return 0;
  const endB = starts[b + 1]!;
  let found = 0;
  for (let i = starts[a]!, j = starts[b]!; i < endA && j < endB; ) {
    const one = rows[i]! & (PIVOT - 1);
    const other = rows[j]! & (PIVOT - 1);
    if (one === other) found += 1 - ((rows[i]! | rows[j]!) >>> 31);
    i += Number(one <= other);
    j += Number(other <= one);
  }
  return found;
}
