import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownKeys } from '../../../../src/store/level/database/known-keys.ts';
import type { KeyRange } from '../../../../src/store/level/format/keys.ts';
import { holderKey } from '../../../../src/store/level/format/keys.ts';
import type { RowChange } from '../../../../src/store/level/format/rows.ts';

const VALUE = Buffer.alloc(1);
const keyOf = (content: number, source: number) => holderKey(content, `https://s${source}.example/`);

/** The rows r of an index, as a scan reads them. */
function rowsOf(keys: ReadonlySet<string>) {
  return {
    keys: async ({ gte, lt, limit }: KeyRange) =>
      [...keys]
        .sort()
        .filter((key) => key >= gte && key < lt)
        .slice(0, limit),
  };
}

const change = fc.record({
  content: fc.nat({ max: 4 }).map((i) => [3, 64, 70_000, 70_001, 5][i]!),
  source: fc.nat({ max: 24 }),
  isPut: fc.boolean(),
});
const batch = fc.record({
  changes: fc.uniqueArray(change, { maxLength: 12, selector: ({ content, source }) => keyOf(content, source) }),
  isWritten: fc.boolean(),
});

describe('the further holders of contents', () => {
  it('are told as they are on disk, or left to be read there', async () => {
    const told = { known: 0, none: 0, unknown: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { maxLength: 20 }),
        fc.constantFrom(0, 2000, 100_000),
        async (batches, bytesMax) => {
          const disk = new Set<string>();
          const known = new KnownKeys(0, bytesMax);
          expect(known.holders.keysOf(3)).toBeNull();
          await known.scan(rowsOf(disk));
          for (const { changes, isWritten } of batches) {
            const rows: RowChange[] = changes.map(({ content, source, isPut }) => [
              keyOf(content, source),
              isPut ? VALUE : null,
            ]);
            known.note(rows);
            if (!isWritten) await known.scan(rowsOf(disk));
            else {
              for (const [key, value] of rows)
                if (value === null) disk.delete(key);
                else disk.add(key);
              known.noteWritten(rows);
            }
            for (const content of [3, 64, 70_000, 70_001, 5, 9]) {
              const keys = known.holders.keysOf(content);
              const expected = [...disk].filter((key) => key.startsWith(keyOf(content, 0).slice(0, 6))).sort();
              told[keys === null ? 'unknown' : keys.length === 0 ? 'none' : 'known']++;
              if (keys !== null) expect([...keys].sort()).toEqual(expected);
            }
            if (bytesMax > 0) expect(known.holders.bytes).toBeLessThanOrEqual(bytesMax + 2 * 8192 + 2 ** 14);
          }
        },
      ),
      { seed: 12, numRuns: 300 },
    );
    expect(Math.min(told.known, told.none, told.unknown)).toBeGreaterThan(1000);
  });
});
