import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addToRow,
  countMarked,
  isCounted,
  isLeftOut,
  leaveOut,
  makePivot,
  markLists,
  placeRows,
  uncounted,
} from '../../../../src/core/cluster/common/common-rows.ts';

const NODES = 12;
const list = fc.uniqueArray(fc.nat(NODES - 1), { maxLength: NODES });
const lists = fc.array(list, { maxLength: 30 });
/** How many lists each node leaves out at the end of its row, and pivots: a node, and a rank. */
const drops = fc.array(fc.nat(6), { minLength: NODES, maxLength: NODES });
const pivots = fc.array(fc.tuple(fc.nat(29), fc.nat(NODES - 1)), { maxLength: 8 });

function rowsOf(all: readonly (readonly number[])[]) {
  const starts = new Uint32Array(NODES + 1);
  const words = placeRows(starts, (node) => all.filter((members) => members.includes(node)).length);
  expect(words).toBe(all.flat().length);
  const rows = { starts, rows: new Uint32Array(new SharedArrayBuffer(4 * words)) };
  for (const [rank, members] of [...all.entries()].toReversed()) for (const node of members) addToRow(rows, node, rank);
  return rows;
}

it('of two nodes the common shingles are found that both have and that were not counted', () => {
  fc.assert(
    fc.property(lists, drops, pivots, (all, dropOf, chosen) => {
      const rows = rowsOf(all);
      // twice, so that what was before does not matter
      leaveOut(rows, () => true);
      for (const [rank, node] of chosen) if (all[rank]?.includes(node) === true) makePivot(rows, node, rank);
      leaveOut(rows, (node, _, behind) => behind < dropOf[node]!);
      const isPivot = new Set<string>();
      for (const [rank, node] of chosen) {
        if (all[rank]?.includes(node) !== true) continue;
        makePivot(rows, node, rank);
        isPivot.add(`${rank} ${node}`);
      }
      const ranksOf = (node: number) => [...all.keys()].filter((rank) => all[rank]!.includes(node));
      const counts = (node: number, rank: number) => ranksOf(node).toReversed().indexOf(rank) >= dropOf[node]!;
      for (let a = 0; a < NODES; a++) {
        for (const rank of ranksOf(a)) expect(isCounted(rows, a, rank)).toBe(counts(a, rank));
        expect(isLeftOut(rows, a, dropOf[a]!)).toBe(false);
        for (let b = 0; b < NODES; b++) {
          if (a === b) continue;
          const left = ranksOf(a).filter((rank) => {
            if (!all[rank]!.includes(b) || isPivot.has(`${rank} ${a}`) || isPivot.has(`${rank} ${b}`)) return false;
            return !counts(a, rank) || !counts(b, rank);
          });
          expect(uncounted(rows, a, b)).toBe(left.length);
        }
      }
    }),
  );
});

it('of two nodes the lists are counted that both are in', () => {
  fc.assert(
    fc.property(lists, fc.nat(NODES - 1), fc.nat(NODES - 1), (all, a, b) => {
      const rows = rowsOf(all);
      const marks = new Uint8Array(all.length);
      markLists(rows, a, marks, 1);
      expect(countMarked(rows, b, marks)).toBe(all.filter((one) => one.includes(a) && one.includes(b)).length);
      markLists(rows, a, marks, 0);
      expect(marks.every((mark) => mark === 0)).toBe(true);
    }),
  );
});
