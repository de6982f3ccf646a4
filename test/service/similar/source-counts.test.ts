import { describe, expect, it } from 'vitest';
import { DEFAULT_COMPOSITION_OPTIONS } from '../../../src/service/composition/composition-options.ts';
import { DEFAULT_CLUSTER_OPTIONS } from '../../../src/service/limits.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { ALL, createServiceFixture, ofText } from '../../support/service/service-fixture.ts';

const base = createTextMaker(31).text(80);

describe('the sources of a content', () => {
  it('are counted exactly, or said to be more than were counted, wherever they are counted', async () => {
    const many = createServiceFixture({ limits: { sourceCountMax: 30 } });
    const url = 'https://h1.example/1';
    for (let copy = 0; copy < 30; copy++) await many.put(`https://h${copy}.example/${copy}`, base);
    const counts = async () => {
      const asked = ofText(base);
      const parts = { ...DEFAULT_COMPOSITION_OPTIONS, passages: false };
      const answers = [
        await many.similar(asked),
        await many.similar(asked, { groupBy: 'host' }),
        await many.service.compose(asked, parts, ALL),
      ];
      const cluster = await many.service.clusters({ url, ...DEFAULT_CLUSTER_OPTIONS, deadlineMs: null }, ALL);
      const [first] = cluster.index!.members;
      const told = answers.map((answer) => ('parts' in answer ? answer.parts[0]! : answer.matches[0]!));
      const known = await many.service.document(url, { limit: 1, cursor: null }, ALL);
      return {
        counts: [...told, first!, known].map(({ sourceCount, moreSources = false }) => [sourceCount, moreSources]),
        limits: [...answers, cluster.index!].map(({ limits, complete }) => [limits, complete]),
      };
    };
    expect(await counts()).toEqual({ counts: Array(5).fill([30, false]), limits: Array(4).fill([[], true]) });
    await many.put('https://h30.example/', base);
    const told = [{ code: 'source-counts', affected: 1, of: 1 }];
    expect(await counts()).toEqual({ counts: Array(5).fill([30, true]), limits: Array(4).fill([told, true]) });
    // of a thorough question all are counted
    expect((await many.similar(ofText(base), { thorough: true })).matches[0]).toMatchObject({ sourceCount: 31 });
    await many.close();
  });
});
