import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MovedAnswer, MovedRequest } from '../../../src/service/moved/moved-api.ts';
import { DEFAULT_MOVED_OPTIONS } from '../../../src/service/moved/moved-options.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, type Frame, framedPage } from '../../support/pages/framed-page.ts';
import { exactFixture, plainPages } from '../../support/service/plain-contents.ts';
import { ALL, refused, type ServiceFixture } from '../../support/service/service-fixture.ts';

const make = createTextMaker(97);
const DAY = 24 * 3600 * 1000;
const START = Date.parse('2026-01-01T00:00:00Z');
const [OLD, NEW, COPY] = ['https://a.example/news/story', 'https://b.example/2026/story', 'https://c.example/x/story'];

/** A frame of links alone. */
function linkFrame(words: number): Frame {
  const links = Array.from({ length: words / 3 }, (_, i) => `<li><a href="/${i}">${make.text(3)}</a></li>`).join('');
  return { before: `<header><nav><ul>${links}</ul></nav></header>`, after: '' };
}

describe('where documents have moved, by content', () => {
  let fixture: ServiceFixture;
  beforeEach(() => {
    fixture = exactFixture();
  });
  afterEach(() => fixture.close());

  const frames = { a: linkFrame(600), b: linkFrame(450), c: linkFrame(480) };
  const story = article(make, 150);
  const put = (day: number, url: string, html: string) =>
    fixture.put(url, '', {
      body: { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' },
      observedAt: START + day * DAY,
    });
  const gone = (day: number, url: string) =>
    fixture.service.gone({ url, httpStatus: 410, observedAt: START + day * DAY }, ALL);
  const ask = (url: string, more: Partial<MovedRequest> = {}): Promise<MovedAnswer> =>
    fixture.service.moved({ ...DEFAULT_MOVED_OPTIONS, deadlineMs: 20_000, url, ...more }, ALL);
  const brief = ({ candidates }: MovedAnswer) => candidates.map(({ url, how, sure }) => [url, how, sure]);

  async function putSites() {
    for (const host of ['a', 'b', 'c'] as const) {
      for (let n = 0; n < 4; n++) {
        await put(0, `https://${host}.example/news/${n}`, framedPage(frames[host], article(make, 150)));
      }
    }
    await put(0, OLD, framedPage(frames.a, story));
  }

  it('finds the article under another frame, and no other page of the old one', async () => {
    await putSites();
    await gone(10, OLD);
    await put(10, NEW, framedPage(frames.b, story));
    const byPage = await ask(OLD);
    expect(byPage.candidates.length).toBeGreaterThan(1);
    expect(byPage.candidates.map(({ url }) => url)).not.toContain(NEW);
    for (const { sure, content, decidedBy } of byPage.candidates) {
      expect(sure).toBe('possible');
      expect(content!.resemblance.estimate).toBeLessThan(0.1);
      expect(decidedBy).toBeUndefined();
    }
    for (const content of ['main', 'auto'] as const) {
      const answer = await ask(OLD, { content });
      expect(brief(answer)).toEqual([[NEW, 'other-host', 'certain']]);
      expect(answer.candidates[0]).toMatchObject({
        ...{ decidedBy: 'content', resemblance: { decision: 'no' } },
        content: { resemblance: { estimate: 1, decision: 'yes' }, query: { main: 'read' }, match: { main: 'read' } },
      });
      expect(answer).toMatchObject({ complete: true, limits: [] });
    }
  });

  it('takes copies under several frames for one document, and no rivals of one another', async () => {
    await putSites();
    await gone(10, OLD);
    const edited = story.split(' ').toSpliced(20, 3).join(' ');
    await put(10, NEW, framedPage(frames.b, edited));
    await put(10, COPY, framedPage(frames.c, edited));
    expect(brief(await ask(OLD, { content: 'main' }))).toEqual([
      [NEW, 'other-host', 'likely'],
      [COPY, 'other-host', 'likely'],
    ]);
  });

  it('takes a page for the same document where its site got another frame', async () => {
    await putSites();
    const relaunched = linkFrame(300);
    for (let n = 0; n < 4; n++) await put(5, `https://a.example/news/${n}`, framedPage(relaunched, article(make, 150)));
    await put(5, OLD, framedPage(relaunched, story));
    expect(await ask(OLD)).toMatchObject({ state: 'replaced' });
    expect(await ask(OLD, { content: 'main' })).toMatchObject({ state: 'live', candidates: [], refused: [] });
    // it was there before the other one was gone, under its frame of then
    await put(1, NEW, framedPage(frames.b, story));
    await put(6, NEW, framedPage(frames.c, story));
    await gone(7, OLD);
    expect(brief(await ask(OLD, { content: 'main' }))).toEqual([[NEW, 'copy', 'possible']]);
  });

  it('says why nothing is looked for, and still where the old URL leads', async () => {
    await putSites();
    const empty = 'https://a.example/news/empty';
    await put(0, empty, framedPage(frames.a, 'Nothing here.'));
    await gone(10, empty);
    expect(await ask(empty, { content: 'main' })).toMatchObject({
      ...{ candidates: [], contentUnknown: 'too-little', complete: true },
      recall: { resemblance: null, queryInMatch: null },
    });
    const auto = await ask(empty, { content: 'auto' });
    expect(auto.candidates.length).toBeGreaterThan(0);
    expect(auto).not.toHaveProperty('contentUnknown');
    expect(auto.candidates[0]).toMatchObject({ content: null, contentUnknown: 'too-little', decidedBy: 'page' });
    await expect(ask('https://d.example/', { content: 'main' })).rejects.toMatchObject(refused('unknown-url'));
  });

  it('tells the figures of plain sets', async () => {
    await putSites();
    await put(1, NEW, framedPage(frames.b, `${story}\n\n${article(make, 60)}`));
    await put(1, COPY, framedPage(frames.c, `${article(make, 90)}\n\n${story}`));
    const urls = ['a', 'b', 'c'].flatMap((host) => [0, 1, 2, 3].map((n) => `https://${host}.example/news/${n}`));
    const plain = await plainPages(fixture, [...urls, OLD, NEW, COPY]);
    const { candidates } = await ask(OLD, { always: true, content: 'main' });
    expect(candidates.map(({ url }) => url).sort()).toEqual([NEW, COPY]);
    const a = plain.get(OLD)!;
    for (const { url, content, resemblance } of candidates) {
      const b = plain.get(url)!;
      const shared = a.content.intersection(b.content).size;
      expect(content!.resemblance.estimate).toBeCloseTo(shared / a.content.union(b.content).size, 5);
      expect(content!.queryInMatch.estimate).toBeCloseTo(shared / a.content.size, 5);
      expect(content!.shingles).toBe(b.content.size);
      expect(resemblance.estimate).toBeCloseTo(a.page.intersection(b.page).size / a.page.union(b.page).size, 5);
    }
  });
});
