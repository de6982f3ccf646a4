import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentReference, MatchOptions } from '../../../src/service/api.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage as pageOf } from '../../support/pages/framed-page.ts';
import { createServiceFixture, ofText, ofUrl, type ServiceFixture } from '../../support/service/service-fixture.ts';

const make = createTextMaker(71);
const htmlOf = (html: string) => ({ bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' });
const ofPage = (html: string, url: string | null = null): DocumentReference => ({
  ...ofUrl(''),
  url,
  body: htmlOf(html),
});

const [frameA, frameB] = [frame(make, 400), frame(make, 500)];
const story = article(make, 160);
const stories = Array.from({ length: 6 }, () => article(make, 160));

describe('asking by content', () => {
  let fixture: ServiceFixture;
  beforeEach(() => {
    fixture = createServiceFixture();
  });
  afterEach(() => fixture.close());

  const put = (url: string, html: string) => fixture.put(url, '', { body: htmlOf(html) });
  const urls = async (reference: DocumentReference, options: Partial<MatchOptions>) =>
    (await fixture.similar(reference, options)).matches.map(({ sources }) => sources[0]!.url);

  /** Two sites with six articles each, and the same story on both. */
  async function putSites() {
    for (const [n, text] of stories.entries()) {
      await put(`https://a.example/${n}`, pageOf(frameA, text));
      await put(`https://b.example/${n}`, pageOf(frameB, article(make, 160)));
    }
    await put('https://a.example/story', pageOf(frameA, story));
    await put('https://b.example/story', pageOf(frameB, story));
  }

  it('finds the same article under another frame, and no other article of the frame', async () => {
    await putSites();
    const byPage = await urls(ofUrl('https://a.example/story'), { limit: 20 });
    expect(byPage).toHaveLength(6);
    expect(byPage).not.toContain('https://b.example/story');
    for (const content of ['main', 'auto'] as const) {
      const { matches, complete, recall } = await fixture.similar(ofUrl('https://a.example/story'), { content });
      expect(matches.map(({ sources }) => sources[0]!.url)).toEqual(['https://b.example/story']);
      const [match] = matches;
      expect(match!.decidedBy).toBe('content');
      expect(match!.resemblance.decision).toBe('no');
      expect(match!.content!.resemblance).toMatchObject({ decision: 'yes', high: 1 });
      expect(match!.content!.resemblance.estimate).toBeGreaterThan(0.9);
      expect(match!.content).toMatchObject({
        query: { main: 'read', template: { pages: 7 } },
        match: { main: 'read', template: { pages: 7 } },
      });
      expect(complete).toBe(true);
      expect(recall.resemblance).toBeGreaterThan(0.9);
    }
  });

  it('tells the content of each match beside the page, though the page is asked for', async () => {
    await putSites();
    const { matches } = await fixture.similar(ofUrl('https://a.example/story'), {});
    for (const { resemblance, content, decidedBy } of matches) {
      expect(resemblance.estimate).toBeGreaterThan(0.5);
      expect(content!.resemblance.estimate).toBeLessThan(0.1);
      expect(decidedBy).toBeUndefined();
    }
  });

  it('takes all of a text for its content', async () => {
    await putSites();
    const { matches } = await fixture.similar(ofText(story), { content: 'main' });
    expect(matches.map(({ sources }) => sources[0]!.url).sort()).toEqual([
      'https://a.example/story',
      'https://b.example/story',
    ]);
    for (const { content } of matches) {
      expect(content!.query).toEqual({ main: 'whole', template: null });
      expect(content!.queryInMatch.high).toBe(1);
    }
  });

  it('says that all of both is content of two texts without templates, and goes by them', async () => {
    await fixture.put('https://a.example/', story);
    for (const content of ['page', 'main', 'auto'] as const) {
      const { matches } = await fixture.similar(ofText(story), { content });
      expect(matches).toMatchObject([{ content: null, contentUnknown: 'whole' }]);
      expect(matches[0]!.decidedBy).toBe(content === 'page' ? undefined : 'page');
    }
  });

  it('has no match by contents where too little of the query is its own, and says why', async () => {
    await putSites();
    const empty = ofPage(pageOf(frameA, 'Not found.'), 'https://a.example/empty');
    expect(await fixture.similar(empty, { content: 'main' })).toMatchObject({
      ...{ matches: [], contentUnknown: 'too-little', complete: true },
    });
    const auto = await fixture.similar(empty, { content: 'auto', limit: 20 });
    expect(auto.matches.length).toBeGreaterThan(5);
    for (const match of auto.matches) {
      expect(match).toMatchObject({ content: null, contentUnknown: 'too-little', decidedBy: 'page' });
    }
  });

  it('is 1 of the same page at two hosts, whatever their templates are', async () => {
    await putSites();
    await put('https://mirror.example/story', pageOf(frameA, story));
    const { matches } = await fixture.similar(ofUrl('https://mirror.example/story'), { content: 'main' });
    expect(matches[0]).toMatchObject({ equivalence: 'identical', content: { resemblance: { low: 1, high: 1 } } });
  });

  it('goes on where a page of matches ended, and refuses the cursor of other figures', async () => {
    await putSites();
    for (let n = 0; n < 5; n++) await put(`https://${n}.example/story`, pageOf(frame(make, 200 + 50 * n), story));
    const reference = ofUrl('https://a.example/story');
    const all = await urls(reference, { content: 'main' });
    expect(all).toHaveLength(6);
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<ServiceFixture['similar']>> = await fixture.similar(reference, {
        ...{ content: 'main', limit: 2, cursor },
      });
      paged.push(...page.matches.map(({ sources }) => sources[0]!.url));
      ({ cursor } = page);
      if (cursor !== null) {
        await expect(fixture.similar(reference, { content: 'auto', limit: 2, cursor })).rejects.toMatchObject({
          code: 'invalid-cursor',
        });
      }
    } while (cursor !== null);
    expect(paged).toEqual(all);
  });

  it('tells contents on every page of a thorough query, whose samples are not kept', async () => {
    await putSites();
    const reference = ofUrl('https://a.example/story');
    const first = await fixture.similar(reference, { thorough: true, limit: 3 });
    const second = await fixture.similar(reference, { thorough: true, limit: 3, cursor: first.cursor });
    for (const { content } of [...first.matches, ...second.matches]) expect(content).not.toBeNull();
    const whole = await fixture.similar(reference, { content: 'main', thorough: true });
    expect(whole).toMatchObject({ matchCount: 1, hosts: [{ host: 'b.example', resemblance: { decision: 'yes' } }] });
  });
});
