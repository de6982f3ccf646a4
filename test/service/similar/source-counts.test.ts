import { describe, expect, it } from 'vitest';
import type { MatchOptions } from '../../../src/service/api.ts';
import { DEFAULT_COMPOSITION_OPTIONS } from '../../../src/service/composition/composition-options.ts';
import { DEFAULT_CLUSTER_OPTIONS, DEFAULT_MATCH_OPTIONS } from '../../../src/service/limits.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  IDENTITY,
  ofText,
  ofUrl,
  SHINGLE_SIZE,
  START_MS,
} from '../../support/service/service-fixture.ts';
import { inFolder, NO_FILTERS, openFolder, THROWN_AWAY } from '../../support/store/level-folder.ts';

const base = createTextMaker(31).text(80);

describe('the sources of a content', () => {
  it('are counted exactly wherever they are counted, or said to be more where a filter has not seen all', async () => {
    const many = createServiceFixture({ limits: { sourcesWantedMax: 30 } });
    const url = 'https://h1.example/1';
    for (let copy = 0; copy < 30; copy++) await many.put(`https://h${copy}.example/${copy}`, base);
    const counts = async () => {
      const asked = ofText(base);
      const parts = { ...DEFAULT_COMPOSITION_OPTIONS, passages: false };
      const answers = [await many.similar(asked), await many.service.compose(asked, parts, ALL)];
      const cluster = await many.service.clusters({ url, ...DEFAULT_CLUSTER_OPTIONS, deadlineMs: null }, ALL);
      const [first] = cluster.index!.members;
      const told = answers.map((answer) => ('parts' in answer ? answer.parts[0]! : answer.matches[0]!));
      const known = await many.service.document(url, { limit: 1, cursor: null }, ALL);
      return {
        counts: [...told, first!, known].map((one) => [one.sourceCount, 'moreSources' in one]),
        limits: [...answers, cluster.index!].map(({ limits, complete }) => [limits, complete]),
      };
    };
    for (const copies of [30, 31, 60]) {
      for (let copy = 30; copy < copies; copy++) await many.put(`https://h${copy}.example/${copy}`, base);
      expect(await counts()).toEqual({ counts: Array(4).fill([copies, false]), limits: Array(3).fill([[], true]) });
    }
    const limits = [{ code: 'source-counts', affected: 1, of: 1 }];
    const { only } = DEFAULT_MATCH_OPTIONS;
    for (const filter of [{ groupBy: 'host' }, { only: { ...only, seenAfter: 0 } }] as const) {
      const answer = await many.similar(ofText(base), filter);
      expect(answer).toMatchObject({ complete: true, limits, matches: [{ sourceCount: 30, moreSources: true }] });
    }
    // of a thorough question all are read
    expect((await many.similar(ofText(base), { thorough: true })).matches[0]).toMatchObject({ sourceCount: 60 });
    await many.close();
  });

  it('are those of the states asked for, without the URLs that are excluded', async () => {
    const many = createServiceFixture({ limits: { sourcesWantedMax: 5 } });
    const urls = Array.from({ length: 40 }, (_, copy) => `https://h${copy}.example/`);
    for (const url of urls) await many.put(url, base);
    const other = createTextMaker(32).text(80);
    for (const url of urls.slice(0, 10)) await many.put(url, other, { observedAt: START_MS + 1000 });
    for (const url of urls.slice(10, 17)) {
      await many.service.gone({ url, httpStatus: 410, observedAt: START_MS + 1000 }, ALL);
    }
    const counted = async (options: Partial<MatchOptions>, of = ofText(base)) =>
      (await many.similar(of, { ...options })).matches.map(({ sourceCount }) => sourceCount);
    expect(await counted({})).toEqual([30]);
    expect(await counted({ include: ['live'] })).toEqual([23]);
    expect(await counted({ include: ['past', 'gone'] })).toEqual([17]);
    expect(await counted({ include: ['live', 'gone', 'past'] })).toEqual([40]);
    const exclude = { hosts: [], urls: [urls[39]!, urls[12]!, urls[3]!, 'https://unknown.example/'] };
    expect(await counted({ exclude })).toEqual([28]);
    expect(await counted({ exclude, include: ['past'] })).toEqual([9]);
    // a document is none of its own copies
    expect(await counted({}, ofUrl(urls[39]!))).toEqual([29]);
    await many.close();
  });

  it('are counted though 2,600 hold it, in an index on disk', { timeout: 60_000 }, () =>
    inFolder(async (folder) => {
      const { keyId, fingerprintId, rankKey } = IDENTITY;
      const identity = { keyId, fingerprintId, rankKey, shingleSize: SHINGLE_SIZE };
      const store = await openFolder(folder, { ...NO_FILTERS, ...THROWN_AWAY, ...identity });
      const many = createServiceFixture({ wrapStore: () => store });
      const urls = Array.from({ length: 2600 }, (_, copy) => `https://h${copy % 40}.example/${copy}`);
      await Promise.all(urls.map((url) => many.put(url, base)));
      const asked = ofText(base);
      const expected = { complete: true, limits: [], matches: [{ sourceCount: 2600 }] };
      for (const thorough of [false, true]) {
        const answer = await many.similar(asked, { thorough });
        expect(answer).toMatchObject(expected);
        expect(answer.matches[0]).not.toHaveProperty('moreSources');
      }
      expect(await many.service.document(urls[7]!, { limit: 1, cursor: null }, ALL)).toMatchObject({
        sourceCount: 2600,
      });
      await many.service.forget(urls[8]!, ALL);
      expect(await many.similar(asked)).toMatchObject({ matches: [{ sourceCount: 2599 }] });
      await many.close();
      await store.close();
    }),
  );
});
