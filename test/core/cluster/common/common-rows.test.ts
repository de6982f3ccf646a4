import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addToRow, placeRows, uncounted } from '../../../src/core/cluster/common-rows.ts';

it('of two nodes the common shingles of both are found of which neither is a pivot', () => {
  const nodes = 12;
  const member = fc.record({ node: fc.nat(nodes - 1), isPivot: fc.boolean() });
  const list = fc.uniqueArray(member, { selector: ({ node }) => node, maxLength: nodes });
  fc.assert(
    fc.property(fc.array(list, { maxLength: 30 }), (lists) => {
      const sizes = new Uint32Array(nodes);
      for (const { node } of lists.flat()) sizes[node]!++;
      const starts = new Uint32Array(nodes + 1);
      const words = placeRows(starts, (node) => sizes[node]!);
      expect(words).toBe(lists.flat().length);
      const rows = { starts, rows: new Uint32Array(words) };
      for (const [number, members] of [...lists.entries()].toReversed())
        for (const { node, isPivot } of members) addToRow(rows, node, number, isPivot);
      for (let a = 0; a < nodes; a++) {
        for (let b = 0; b < nodes; b++) {
          const both = lists.filter(
            (members) =>
              members.some(({ node, isPivot }) => node === a && !isPivot) &&
              members.some(({ node, isPivot }) => node === b && !isPivot),
          );
          expect(uncounted(rows, a, b)).toBe(both.length);
        }
      }
    }),
  );
});
