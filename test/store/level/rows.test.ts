import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RowLayer, type RowReader } from '../../../src/store/level/rows.ts';

const KEYS = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'b0', 'b1'];

/** Rows in a Map, the slow and plain way. */
function rowsOf(map: Map<string, Buffer>): RowReader {
  return {
    get: async (key) => map.get(key),
    keys: async ({ gte, lt, limit, reverse }) => {
      const keys = [...map.keys()].filter((key) => key >= gte && key < lt).sort();
      return (reverse ? keys.reverse() : keys).slice(0, limit);
    },
  };
}

it('shows rows as they will be when all layers are written', async () => {
  const changes = fc.array(fc.tuple(fc.constantFrom(...KEYS), fc.option(fc.nat({ max: 9 }))), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      changes,
      changes,
      changes,
      fc.nat({ max: 4 }),
      fc.boolean(),
      async (one, two, three, limit, reverse) => {
        const written = new Map<string, Buffer>();
        for (const [key, value] of one) if (value !== null) written.set(key, Buffer.of(value));
        const expected = new Map(written);
        const batch = new RowLayer(rowsOf(written));
        const plan = new RowLayer(batch);
        for (const [layer, list] of [
          [batch, two],
          [plan, three],
        ] as const) {
          for (const [key, value] of list) {
            if (value === null) {
              layer.delete(key);
              expected.delete(key);
            } else {
              layer.put(key, Buffer.of(value));
              expected.set(key, Buffer.of(value));
            }
          }
        }
        const range = { gte: 'a1', lt: 'a5', limit: limit + 1, reverse };
        const should = rowsOf(expected);
        const same = async (layer: RowLayer) => {
          for (const key of KEYS) expect(await layer.get(key)).toEqual(await should.get(key));
          expect(await layer.keys(range)).toEqual(await should.keys(range));
        };
        await same(plan);
        batch.takeOver(plan);
        await same(batch);
        expect(batch.size).toBe(new Set([...two, ...three].map(([key]) => key)).size);
      },
    ),
    { seed: 4, numRuns: 500 },
  );
});
