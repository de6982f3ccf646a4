import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { CompositionOptions } from '../../../src/service/composition/composition-shapes.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage } from '../../support/pages/framed-page.ts';
import { COMPOSED, urlsOf } from '../../support/service/composition-fixture.ts';
import { exactFixture, type PlainPage, patchwork, plainPages, putSites } from '../../support/service/plain-contents.ts';
import {
  ALL,
  createServiceFixture,
  ofText,
  ofUrl,
  type ServiceFixture,
} from '../../support/service/service-fixture.ts';

const make = createTextMaker(83);
const htmlOf = (html: string) => ({ bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' });

describe('what a text is made of, by content', () => {
  const [frameA, frameB] = [frame(make, 300), frame(make, 400)];
  const [first, second, own] = [article(make, 150), article(make, 150), article(make, 150)];
  const page = framedPage(frameA, `${own}\n\n${first}`);
  let fixture: ServiceFixture;
  const compose = (reference: ReturnType<typeof ofUrl>, more: Partial<CompositionOptions> = {}) =>
    fixture.service.compose(reference, { ...COMPOSED, ...more }, ALL);

  beforeAll(async () => {
    fixture = createServiceFixture();
    const put = (url: string, html: string) => fixture.put(url, '', { body: htmlOf(html) });
    for (let n = 0; n < 4; n++) {
      await put(`https://a.example/${n}`, framedPage(frameA, article(make, 150)));
      await put(`https://b.example/${n}`, framedPage(frameB, article(make, 150)));
    }
    await put('https://b.example/first', framedPage(frameB, first));
    await put('https://b.example/second', framedPage(frameB, second));
    await put('https://a.example/made', page);
  });
  afterAll(() => fixture.close());

  it('has parts of the article alone: words of the frame are copied from nobody', async () => {
    const reference = ofUrl('https://a.example/made');
    const byPage = await compose(reference);
    expect(urlsOf(byPage)[0]).toMatch(/^https:\/\/a\.example\/\d$/);
    expect(byPage.parts.at(-1)!.sources[0]!.url).toBe('https://b.example/first');
    for (const content of ['main', 'auto'] as const) {
      const answer = await compose(reference, { content });
      expect(urlsOf(answer)).toEqual(['https://b.example/first']);
      const [part] = answer.parts;
      expect(part!.share.high).toBeLessThan(0.4);
      expect(part!.content).toMatchObject({ main: 'read', template: { pages: 6 } });
      expect(part!.content!.share.estimate).toBeCloseTo(0.5, 1);
      expect(answer).toMatchObject({ decidedBy: 'content', complete: true });
      expect(answer.content).toMatchObject({ main: 'read', template: { pages: expect.any(Number) } });
      expect(answer.content!.unexplained.estimate + part!.content!.unique.estimate).toBeCloseTo(1, 5);
      expect(answer.unexplained.estimate + part!.unique.estimate).toBeCloseTo(1, 5);
    }
  });

  it('shows passages of the article, and finds quotations in it alone', async () => {
    const body = { ...ofUrl('https://a.example/other'), body: htmlOf(page) };
    for (const find of ['sources', 'quotations'] as const) {
      const byPage = await compose(body, { find, exclude: { hosts: [], urls: ['https://a.example/made'] } });
      expect(urlsOf(byPage)[0]).toMatch(/^https:\/\/a\.example/);
      const answer = await compose(body, {
        ...{ find, content: 'main', exclude: { hosts: [], urls: ['https://a.example/made'] } },
      });
      expect(urlsOf(answer)).toEqual(['https://b.example/first']);
      const words = answer.passages!.map(({ text }) => text).join(' ');
      expect(first).toContain(words.slice(0, 40).split('\n')[0]!.trim());
      expect(answer.passages!.every(({ part }) => part === 0)).toBe(true);
    }
  });

  it('takes what other pages say by themselves, where the frame stands in the text', async () => {
    const pasted = ofText(`${page.replaceAll(/<[^>]+>/g, ' ')} ${own}`);
    const exclude = { hosts: [], urls: ['https://a.example/made'] };
    expect(urlsOf(await compose(pasted, { exclude }))[0]).toMatch(/^https:\/\/a\.example\/\d$/);
    const answer = await compose(pasted, { exclude, content: 'main' });
    expect(urlsOf(answer)).toEqual(['https://b.example/first']);
    expect(answer).toMatchObject({ content: { main: 'whole', template: null }, decidedBy: 'content' });
  });

  it('says why there is no content', async () => {
    const texts = createServiceFixture();
    onTestFinished(() => texts.close());
    await texts.put('https://c.example/', first);
    for (const content of ['page', 'main', 'auto'] as const) {
      const answer = await texts.service.compose(ofText(`${first} ${own}`), { ...COMPOSED, content }, ALL);
      expect(answer.parts).toMatchObject([{ content: null, contentUnknown: 'whole' }]);
      expect(answer).toMatchObject({ content: null, contentUnknown: 'whole' });
      expect(answer.decidedBy).toBe(content === 'page' ? undefined : 'page');
    }
    const empty = { ...ofUrl('https://a.example/empty'), body: htmlOf(framedPage(frameA, 'Not found.')) };
    expect(await compose(empty, { content: 'main' })).toMatchObject({
      ...{ parts: [], content: null, contentUnknown: 'too-little', decidedBy: null, complete: true },
      ...{ unexplained: { estimate: 1 }, recall: { share: null, words: null } },
    });
    const auto = await compose(empty, { content: 'auto' });
    expect(auto).toMatchObject({ content: null, contentUnknown: 'too-little', decidedBy: 'page' });
    expect(auto.parts[0]!.share.estimate).toBeGreaterThan(0.8);
  });
});

describe('what a text is made of, by content, and by brute force', () => {
  it.each([1, 2, 3])('has the parts of a greedy cover of plain sets (%i)', async (seed) => {
    const sites = patchwork(seed);
    const fixture = exactFixture();
    onTestFinished(() => fixture.close());
    await putSites(fixture, sites);
    const plain = await plainPages(
      fixture,
      sites.map(({ url }) => url),
    );
    let parts = 0;
    for (const { url } of sites) {
      for (const content of ['page', 'main', 'auto'] as const) {
        const options = { ...COMPOSED, content, minimumShare: 0.05, limit: 100 };
        const answer = await fixture.service.compose(ofUrl(url), options, ALL);
        const expected = greedy(plain, url, content, 0.05);
        expect(answer.parts.map(({ sources }) => sources[0]!.url)).toEqual(expected.map(({ of }) => of));
        for (const [i, { share, unique, content: told }] of answer.parts.entries()) {
          const { page, own } = expected[i]!;
          expect([share.estimate, unique.estimate]).toEqual([expect.closeTo(page[0]!, 5), expect.closeTo(page[1]!, 5)]);
          expect([told?.share.estimate, told?.unique.estimate]).toEqual(
            own === null ? [undefined, undefined] : [expect.closeTo(own[0]!, 5), expect.closeTo(own[1]!, 5)],
          );
        }
        parts += answer.parts.length;
      }
    }
    expect(parts).toBeGreaterThan(20);
  });
});

describe('quotations by content', () => {
  it('stand in the article, whoever has the frame as well', async () => {
    const sites = patchwork(5, { hosts: 3, pages: 5 });
    const fixture = exactFixture();
    onTestFinished(() => fixture.close());
    await putSites(fixture, sites);
    const wordsOf = (text: string) => text.toLowerCase().match(/\w+/g)!.join(' ');
    const counts = { page: [0, 0], main: [0, 0] };
    for (const { url, html } of sites) {
      const story = wordsOf(/<article>(.*)<\/article>/s.exec(html)![1]!.replaceAll(/<[^>]+>/g, ' '));
      for (const content of ['page', 'main'] as const) {
        const options = { ...COMPOSED, find: 'quotations', minimumWords: 12, content } as const;
        const { passages } = await fixture.service.compose({ ...ofUrl(url), body: htmlOf(html) }, options, ALL);
        for (const { text } of passages!) counts[content][Number(story.includes(wordsOf(text)))]!++;
      }
    }
    expect(counts.page[0]).toBeGreaterThan(10);
    expect(counts.main[0]).toBe(0);
    expect(counts.main[1]).toBeGreaterThan(5);
  });
});

/** The greedy cover of a page, or of its content, by those of the other pages; each with what it has and adds, of both. */
function greedy(plain: Map<string, PlainPage>, url: string, wish: 'page' | 'main' | 'auto', least: number) {
  const query = plain.get(url)!;
  const isOwn = wish !== 'page' && query.unknown === null;
  if (wish === 'main' && !isOwn) return [];
  const others = [...plain.values()].filter((other) => other.url !== url);
  const whole = (other: PlainPage) => (other.unknown === null ? other.content : other.page);
  const sides = { page: (other: PlainPage) => other.page, own: whole };
  const text = { page: query.page, own: query.content };
  const by = isOwn ? 'own' : 'page';
  const covered = { page: new Set<number>(), own: new Set<number>() };
  const isAllWhole = (page: PlainPage) => page.main === null && !page.hasTemplate;
  const cover: { of: string; page: number[]; own: number[] | null; isWhole: boolean }[] = [];
  const taken = new Set<string>();
  for (;;) {
    const gains = others
      .filter((other) => !taken.has(other.url) && !(wish === 'main' && other.unknown !== null))
      .map((other) => ({ other, gain: sides[by](other).intersection(text[by]).difference(covered[by]).size }))
      .sort((a, b) => b.gain - a.gain || a.other.page.size - b.other.page.size || (a.other.id < b.other.id ? -1 : 1));
    const best = gains[0];
    if (best === undefined || best.gain < least * text[by].size) break;
    taken.add(best.other.url);
    const told = (side: 'page' | 'own') => {
      const held = sides[side](best.other).intersection(text[side]);
      const added = held.difference(covered[side]);
      for (const value of added) covered[side].add(value);
      return [held.size / text[side].size, added.size / text[side].size];
    };
    const [page, own] = [told('page'), told('own')];
    const isKnown = query.unknown === null && best.other.unknown === null;
    cover.push({ of: best.other.url, page, own: isKnown ? own : null, isWhole: isAllWhole(best.other) });
  }
  if (!isAllWhole(query) || cover.some(({ isWhole }) => !isWhole)) return cover;
  return cover.map((part) => ({ ...part, own: null }));
}
