import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, type Frame, frame, framedPage } from '../../support/pages/framed-page.ts';
import { createServiceFixture, ofUrl, type ServiceFixture } from '../../support/service/service-fixture.ts';

const make = createTextMaker(83);
const [frameA, frameB] = [frame(make, 400), frame(make, 500)];

describe('what most pages of a host have', () => {
  let fixture: ServiceFixture;
  beforeEach(async () => {
    fixture = createServiceFixture();
    for (let n = 0; n < 4; n++) await put(`https://elsewhere.example/${n}`, framedPage(frameB, article(make, 160)));
  });
  afterEach(() => fixture.close());

  const put = (url: string, html: string) =>
    fixture.put(url, '', { body: { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' } });
  const matchesOf = async (url: string, content: 'page' | 'main' | 'auto') =>
    (await fixture.similar(ofUrl(url), { content, limit: 100 })).matches;
  const urlsOf = async (url: string, content: 'page' | 'main' | 'auto') =>
    (await matchesOf(url, content)).flatMap(({ sources }) => sources.map((source) => source.url));

  it('is no frame where it is one agency story on three in five pages, with other teasers on each', async () => {
    const story = article(make, 200);
    for (let n = 0; n < 12; n++) await put(`https://paper.example/story/${n}`, withTeasers(story));
    for (let n = 0; n < 8; n++) await put(`https://paper.example/${n}`, withTeasers(article(make, 200)));
    await put('https://elsewhere.example/story', framedPage(frameB, story));
    for (const content of ['main', 'auto'] as const) {
      const found = await urlsOf('https://elsewhere.example/story', content);
      expect(found.toSorted()).toEqual(
        Array.from({ length: 12 }, (_, n) => `https://paper.example/story/${n}`).toSorted(),
      );
    }
  });

  it('is told by the page, and not as a wrong content, where a story stands on most pages beside another one', async () => {
    const story = article(make, 200);
    for (let n = 0; n < 6; n++)
      await put(`https://paper.example/${n}`, framedPage(frameA, `${story}\n\n${article(make, 200)}`));
    for (let n = 6; n < 10; n++) await put(`https://paper.example/${n}`, framedPage(frameA, article(make, 200)));
    const matches = await matchesOf('https://paper.example/0', 'page');
    expect(matches.length).toBeGreaterThanOrEqual(5);
    for (const { resemblance, content } of matches) {
      expect(resemblance.estimate).toBeGreaterThan(0.5);
      // the story counts as frame: what is left of both are two articles
      expect(content!.resemblance.estimate).toBeLessThan(0.1);
    }
  });

  it('is no frame where each article has a copy to print and two for phones', async () => {
    const [amp, phone] = [frame(make, 120), frame(make, 200)];
    // of so long a page a sample is known, so that it has no part in the template
    const desk = frame(make, 1000);
    const [one, other] = [article(make, 160), article(make, 160)];
    for (const [name, text] of [
      ['one', one],
      ['other', other],
    ] as const) {
      await put(`https://paper.example/${name}`, framedPage(desk, text));
      await put(`https://paper.example/${name}/print`, framedPage({ before: '', after: '' }, text));
      await put(`https://paper.example/${name}/amp`, framedPage(amp, text));
      await put(`https://paper.example/${name}/m`, framedPage(phone, text));
    }
    await put('https://elsewhere.example/one', framedPage(frameB, one));
    const copies = ['', '/amp', '/m', '/print'].map((path) => `https://paper.example/one${path}`);
    for (const content of ['main', 'auto'] as const) {
      expect((await urlsOf('https://elsewhere.example/one', content)).toSorted()).toEqual(copies);
    }
  });

  it('leaves a shop its pages: by content where products have texts of their own, else by the page', async () => {
    const terms = frame(make, 300);
    const text = article(make, 60);
    for (let n = 0; n < 6; n++) await put(`https://shop.example/text/${n}`, framedPage(terms, article(make, 60)));
    await put('https://shop.example/text/sold-elsewhere', framedPage(terms, text));
    await put('https://shop.example/bare/1', framedPage(terms, 'Blue, size 40.'));
    await put('https://shop.example/bare/2', framedPage(terms, 'Red, size 41.'));
    await put('https://elsewhere.example/product', framedPage(frameB, text));
    expect(await urlsOf('https://elsewhere.example/product', 'main')).toEqual([
      'https://shop.example/text/sold-elsewhere',
    ]);
    const [first] = await matchesOf('https://shop.example/bare/1', 'auto');
    expect(first).toMatchObject({ content: null, contentUnknown: 'too-little', decidedBy: 'page' });
    expect(first!.resemblance.estimate).toBeGreaterThan(0.8);
  });

  it('leaves a forum its threads, though all that people wrote stands in elements of comments', async () => {
    const thread = posts();
    for (let n = 0; n < 6; n++) await put(`https://forum.example/${n}`, forumPage(frameA, posts()));
    await put('https://forum.example/thread', forumPage(frameA, thread));
    await put('https://elsewhere.example/thread', forumPage(frameB, thread));
    for (const content of ['main', 'auto'] as const)
      expect(await urlsOf('https://elsewhere.example/thread', content)).toEqual(['https://forum.example/thread']);
  });
});

const withTeasers = (text: string) =>
  framedPage(frameA, text).replace('</main>', `</main><aside>${article(make, 40)}</aside>`);

const posts = () => Array.from({ length: 5 }, () => `<li class="comment"><p>${article(make, 60)}</p></li>`).join('');

const forumPage = ({ before, after }: Frame, thread: string) =>
  `<!doctype html><html><body>${before}<ol class="comments">${thread}</ol>${after}</body></html>`;
