import { expect, it } from 'vitest';
import { STEP_VALUES } from '../../../src/core/compare/fingerprint-index.ts';
import { wholeSample } from '../../../src/core/sketch/narrow.ts';
import type { QueryContext } from '../../../src/service/context.ts';
import type { Query } from '../../../src/service/document/query.ts';
import { DEFAULT_MATCH_OPTIONS } from '../../../src/service/limits.ts';
import { rankCandidates } from '../../../src/service/similar/candidates.ts';
import type { Deadline } from '../../../src/sharing/deadline.ts';
import type { Content } from '../../../src/store/port.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

const NEVER = { passed: false, throwIfGivenUp: () => {} } as unknown as Deadline;

it('a candidate of a large document is compared in turns', async () => {
  const fingerprints = distinctFingerprints(createPrng(11), 3 * STEP_VALUES).sort();
  const shingleCount = fingerprints.length;
  const digests = { id: 'ab'.repeat(16), main: null, shingleDigest: 'cd'.repeat(16) };
  const part = wholeSample({ modulus: 1, fingerprints: fingerprints.subarray(0, 100) });
  const query = { ...digests, shingleCount: 100, sample: part } as Query;
  const record = {
    ...{ id: 'ef'.repeat(16), main: null, shingleDigest: 'ef'.repeat(16), shingleCount },
    sample: wholeSample({ modulus: 1, fingerprints }),
  } as unknown as Content;
  let turns = 0;
  const counting = { spent: () => true, next: async () => void turns++ };
  const ranking = async (records: Content[]) => {
    turns = 0;
    const { ranked } = await rankCandidates(
      { turns: counting, deadline: NEVER } as unknown as QueryContext,
      query,
      records,
      DEFAULT_MATCH_OPTIONS,
    );
    return { ranked, turns };
  };
  const of = await ranking([{ ...record, sample: { ...record.sample, values: fingerprints.subarray(0, 100) } }]);
  const large = await ranking([record]);
  expect(large.ranked.map(({ pair }) => pair.aInB)).toEqual([1]);
  expect(large.turns - of.turns).toBe(3);
});
