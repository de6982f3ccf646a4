import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EDGE_BYTES, leastPairBytes, sharePairMemory } from '../../../src/cluster/pairs/pair-memory.ts';
import { createSurvey, rangeBytes, surveyList } from '../../../src/core/cluster/ranges/row-ranges.ts';

it('what is shared out is no more than there is, and there is a way wherever the least is there', () => {
  const lists = fc.array(fc.uniqueArray(fc.nat(4999), { minLength: 2, maxLength: 400 }), { maxLength: 60 });
  fc.assert(
    fc.property(
      lists,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: -50, max: 400_000 }),
      fc.boolean(),
      (...made) => {
        const [all, threads, more, hasRecords] = made;
        const nodes = 5000;
        const survey = createSurvey(nodes);
        for (const list of all) {
          const sorted = Uint32Array.from(list).sort();
          surveyList(survey, sorted, 0, sorted.length);
        }
        const load = { nodes, threads, hasRecords } as const;
        const bytesMax = leastPairBytes(survey, load) + more;
        const memory = sharePairMemory(survey, load, bytesMax);
        expect(memory !== null).toBe(more >= 0);
        if (memory === null) return;
        expect(memory.bytes + EDGE_BYTES * memory.edgesMax).toBeLessThanOrEqual(bytesMax);
        let row = 0;
        for (const range of memory.ranges) {
          expect(range.from).toBe(row);
          expect(rangeBytes(range)).toBeLessThanOrEqual(memory.bytes);
          row = range.to;
        }
        expect(row).toBe(nodes);
      },
    ),
  );
});
