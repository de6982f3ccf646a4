import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { contentRecord, postedFingerprints, takesSteps } from '../../../../src/store/contents.ts';
import { STEP_POSTINGS } from '../../../../src/store/level/segments/tail.ts';
import type { NewContent, Store } from '../../../../src/store/port.ts';
import { createPrng } from '../../../support/prng.ts';
import { inFolder, openFolder, TEST_IDENTITY } from '../../../support/store/level-folder.ts';
import {
  ANY_OVERLAP,
  contentOf,
  fingerprintsOf,
  postedOf,
  putPlan,
  withoutLocator,
} from '../../../support/store/level-plans.ts';

const { indexModulusMax } = TEST_IDENTITY;
const prng = createPrng(8);
const SMALL = contentOf(9, fingerprintsOf(1, 50));

/** A document of megabytes: every step is taken that there is, and its postings are a tail of their own. */
function largeContent(number: number): NewContent {
  const fingerprints = new Float64Array(300_000);
  for (let i = 1; i < fingerprints.length; i++) fingerprints[i] = fingerprints[i - 1]! + 4 * (1 + prng.below(900_000));
  const shingleCount = 4 * fingerprints.length;
  return {
    ...contentOf(number, [1]),
    shingleCount,
    tokenCount: shingleCount + 6,
    sample: { modulus: 4, fingerprints },
  };
}

/** Whether it is there to the last bit: by its id, by its URL, and by some of its postings, first and last. */
async function isThere(store: Store, url: string, content: NewContent): Promise<readonly boolean[]> {
  const record = contentRecord({ ...content, createdAt: 1, sample: { ...content.sample } }, indexModulusMax);
  const posted = postedOf(content, indexModulusMax);
  const keys = Float64Array.of(posted[0]!, posted[STEP_POSTINGS]!, posted.at(-1)!);
  const { candidates } = await store.candidates({ ...ANY_OVERLAP, keys, candidatesMax: 10 });
  const found = candidates.find(({ record: { id } }) => id === content.id);
  const [known] = await store.getMany([url]);
  const { values } = record.sample;
  return [
    isDeepStrictEqual(withoutLocator(await store.content(content.id)), record),
    found?.overlap === keys.length && isDeepStrictEqual(found.record.sample.values, values),
    typeof known === 'object' && isDeepStrictEqual(known.content.sample.values, values),
  ];
}

it('documents of megabytes are written beside others, found, replaced and found again after a reopening', () =>
  inFolder(async (folder) => {
    const [first, second, third] = [1, 2, 3].map(largeContent);
    expect(takesSteps(first!)).toBe(true);
    expect(postedFingerprints(first!, indexModulusMax).length).toBeGreaterThan(2 * STEP_POSTINGS);
    const store = await openFolder(folder);
    await Promise.all([
      store.apply(putPlan('https://a.example/1', first!, 1)),
      store.apply(putPlan('https://a.example/9', SMALL, 1)),
      store.apply(putPlan('https://a.example/2', second!, 1)),
    ]);
    expect(await isThere(store, 'https://a.example/1', first!)).toEqual([true, true, true]);
    expect(await isThere(store, 'https://a.example/2', second!)).toEqual([true, true, true]);
    expect(await store.apply(putPlan('https://a.example/1', third!, 1, { observedAt: 2 }))).toMatchObject({
      status: 'updated',
    });
    await store.close();
    const again = await openFolder(folder);
    expect(await isThere(again, 'https://a.example/2', second!)).toEqual([true, true, true]);
    expect(await isThere(again, 'https://a.example/1', third!)).toEqual([true, true, true]);
    expect(await again.content(SMALL.id)).toMatchObject({ shingleCount: 50 });
    await again.close();
  }));
