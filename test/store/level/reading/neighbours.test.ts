import { expect, it } from 'vitest';
import { serving } from '../../../../src/sharing/served.ts';
import { inFolder, openFolder, THROWN_AWAY } from '../../../support/store/level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from '../../../support/store/level-plans.ts';

const [FAMILY, LOOK_UPS, SHARED] = [600, 40, 39];

it('what is near many of a large family is counted with others between, since each may meet all of it', () =>
  inFolder(async (folder) => {
    const store = await openFolder(folder, THROWN_AWAY);
    const shared = fingerprintsOf(0, SHARED);
    const contents = Array.from({ length: FAMILY }, (_, i) => contentOf(i, [...shared, 50_000 + i]));
    await Promise.all(contents.map((content, i) => store.apply(putPlan(`https://${i}.example/`, content, 1000))));
    const lookUps = contents.slice(0, LOOK_UPS).map(({ shingleCount, shingleDigest, sample }) => ({
      ...{ keys: sample.fingerprints, modulus: 1, shingleCount, shingleDigest },
    }));
    const thresholds = { resemblance: 0.5, queryInMatch: null, matchInQuery: null };
    let turns = 0;
    const caller = { resumed: () => {}, next: async () => void turns++ };
    const found = await serving(caller, () =>
      store.neighbours({ lookUps, thresholds, known: [], recordsMax: 1, valuesMax: 10_000 }),
    );
    expect(found.contents).toHaveLength(1);
    // a turn for each two of them, which count 2^15 postings and more
    expect(turns).toBeGreaterThanOrEqual(LOOK_UPS / 2 - 1);
    await store.close();
  }));
