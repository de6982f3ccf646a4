import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage } from '../../support/pages/framed-page.ts';
import { collapse, positions } from '../../support/service/collapse-fixture.ts';
import { createServiceFixture, type ServiceFixture } from '../../support/service/service-fixture.ts';

const make = createTextMaker(73);
const htmlOf = (html: string) => ({ bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' });

describe('collapsing by content', () => {
  let fixture: ServiceFixture;
  const [frameA, frameB] = [frame(make, 500), frame(make, 700)];
  const story = article(make, 160);
  const results = [
    { url: 'https://a.example/0' },
    { url: 'https://a.example/1' },
    { url: 'https://a.example/story' },
    { url: 'https://b.example/story' },
    { url: 'https://b.example/0' },
  ];

  beforeEach(async () => {
    fixture = createServiceFixture();
    const put = (url: string, html: string) => fixture.put(url, '', { body: htmlOf(html) });
    for (let n = 0; n < 5; n++) {
      await put(`https://a.example/${n}`, framedPage(frameA, article(make, 160)));
      await put(`https://b.example/${n}`, framedPage(frameB, article(make, 160)));
    }
    await put('https://a.example/story', framedPage(frameA, story));
    await put('https://b.example/story', framedPage(frameB, story));
  });
  afterEach(() => fixture.close());

  it('makes one of the same article on two sites, and two of two articles of one site', async () => {
    const thresholds = { resemblance: 0.5, resultInRepresentative: null, representativeInResult: null };
    const byPage = await collapse(fixture, results, { thresholds });
    expect(positions(byPage)).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
    for (const content of ['main', 'auto'] as const) {
      const answer = await collapse(fixture, results, { thresholds, content });
      expect(positions(answer)).toEqual([[0], [1], [2, 3], [4]]);
      expect(answer.groups[2]!.members[0]).toMatchObject({
        ...{ by: 'resemblance', decidedBy: 'content', resemblance: { decision: 'no' } },
        content: {
          resemblance: { decision: 'yes' },
          representative: { main: 'read', template: { pages: 6 } },
          result: { main: 'read', template: { pages: 6 } },
        },
      });
    }
  });

  it('joins texts by all that they say', async () => {
    const texts = [{ text: story }, { text: story }];
    expect(positions(await collapse(fixture, texts, { content: 'main' }))).toEqual([[0, 1]]);
    const [, b] = results.slice(2);
    const mixed = await collapse(fixture, [texts[0]!, b!], { content: 'main' });
    expect(positions(mixed)).toEqual([[0, 1]]);
    expect(mixed.groups[0]!.members[0]).toMatchObject({ decidedBy: 'content' });
  });
});
