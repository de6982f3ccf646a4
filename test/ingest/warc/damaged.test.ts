import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damagedTrial } from '../../support/ingest/damaged/damaged-archives.ts';

describe('a damaged archive', () => {
  it('gives every record outside of the damage, and says that something is missing (many in npm run campaign:damaged)', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        expect((await damagedTrial(seed)).faults).toEqual([]);
      }),
      { numRuns: 30, seed: 20_261_125, endOnFailure: true },
    );
  });

  // what was cut out has the record end at the empty line behind the head of the next one
  it.each([1872, 2241])(
    'gives the record whose empty line a shortened one takes for its own (seed %i)',
    async (seed) => {
      expect((await damagedTrial(seed)).faults).toEqual([]);
    },
  );
});
