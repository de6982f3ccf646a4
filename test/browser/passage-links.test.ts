import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from '../support/http/browser.ts';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';
import { SCRIPTS } from '../support/http/scripts.ts';
import { createPrng, type Prng } from '../support/prng.ts';

/*
 * The links of passages in a real browser: each has to scroll a page to where the words are. Pages have their sentences in
 * paragraphs, lists and tables, some with other markup inside, and are long enough to be known by samples; questions quote
 * parts of them that begin and end anywhere, in the middle of words too where a script has no spaces, and run on from one
 * paragraph into the next.
 */

const PARAGRAPHS = 160;
const QUESTIONS = 17;
const SHARE_LEAST = 0.98;
const LETTERS_QUOTED = [40, 70, 120, 200, 900];

interface Shown {
  readonly fragment: string;
  readonly scrolled: boolean;
  /** What of the page is to be seen then. */
  readonly seen: string;
}

/** Paragraphs of a script: its sentences, then their parts in other orders. */
function paragraphsOf(sentences: readonly string[], random: Prng): string[] {
  const parts = sentences.flatMap((sentence) => sentence.match(/[^,;،、，；。]+[,;،、，；。]*/gu) ?? []);
  const mixed = () => Array.from({ length: 5 }, () => parts[random.below(parts.length)]!).join(' ');
  return [...sentences, ...Array.from({ length: PARAGRAPHS }, mixed)];
}

function pageOf(paragraphs: readonly string[], random: Prng): string {
  const blocks = paragraphs.map((text, i) => {
    const word = text.indexOf(' ', text.length / 2);
    const content = i % 4 > 0 || word < 0 ? text : `${text.slice(0, word)} <b>${text.slice(word + 1)}</b> `;
    const forms = [`<p>${content}</p>`, `<ul><li>${content}<li>${i}</ul>`, `<table><td>${content} <td>${i}</table>`];
    return forms[random.below(forms.length)]!;
  });
  return `<!doctype html><meta charset=utf-8><title>${paragraphs[0]}</title>
    <style>p, ul, table { margin: 0 0 1500px } body { padding: 1500px 0 }</style><body>${blocks.join('')}`;
}

/** Quotes that are cut anywhere, with other words around them: as texts, and as pages whose title they are, too. */
function questionsOf(paragraphs: readonly string[], random: Prng): object[] {
  const text = paragraphs.join('\n');
  return Array.from({ length: QUESTIONS }, (_, i) => {
    const length = LETTERS_QUOTED[i % LETTERS_QUOTED.length]!;
    const start = i % 2 === 0 ? random.below(400) : random.below(text.length - length);
    const quote = text.slice(start, start + length);
    if (i % 3 > 0) return { text: `Quoted: ${quote} – end of it.` };
    const [first] = quote.split('\n');
    return {
      html: `<title>${first}</title>${quote
        .split('\n')
        .map((line) => `<p>${line} </p>`)
        .join('')}`,
    };
  });
}

/** Frames for which the links of a page are waited for, in all: most have scrolled it in two, on a slow machine in more. */
const PATIENCE = 240;

/** In the page: follows links one after the other. */
const FOLLOW = `async (fragments) => {
  const shown = [];
  let patience = ${PATIENCE};
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  for (const fragment of fragments) {
    location.hash = '';
    scrollTo(0, 0);
    location.hash = fragment;
    await frame();
    await frame();
    for (; scrollY === 0 && patience > 0; patience--) await frame();
    const blocks = [...document.querySelectorAll('p, li, td')].filter((block) => {
      const { top, bottom } = block.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
    shown.push({ fragment, scrolled: scrollY > 0, seen: blocks.map((block) => block.textContent).join('\\n') });
  }
  return shown;
}`;

describe.skipIf(noBrowser)('links to passages in a browser', () => {
  let fixture: HttpFixture;
  let browser: Browser;
  let page: Page;
  const pages = new Map<string, string>();
  const fragments = new Map<string, Set<string>>();
  const passages = { all: 0, linked: 0, exact: 0 };

  beforeAll(async () => {
    fixture = await createHttpFixture();
    const random = createPrng(1997);
    for (const [script, sentences] of SCRIPTS) {
      const url = `https://pages.example/${script.toLowerCase()}`;
      const paragraphs = paragraphsOf(sentences, random);
      pages.set(url, pageOf(paragraphs, random));
      fragments.set(url, new Set());
      const [type, path] = [{ 'content-type': 'text/html; charset=utf-8' }, `/documents?url=${url}`];
      await fixture.app.inject({ method: 'PUT', url: path, headers: type, payload: pages.get(url)! });
      for (const document of questionsOf(paragraphs, random)) await ask(document);
    }
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 500, height: 300 } });
    await page.route('**/*', (route) => {
      const body = pages.get(route.request().url());
      return route.fulfill({ status: body === undefined ? 404 : 200, contentType: 'text/html', body: body ?? '' });
    });
  });
  afterAll(async () => {
    await browser?.close();
    await fixture.close();
  });

  async function ask(document: object): Promise<void> {
    const payload = { document, thresholds: { queryInMatch: 0.01, matchInQuery: 0.01 }, passages: true };
    const answer = await fixture.app.inject({ method: 'POST', url: '/similar', payload });
    for (const match of answer.json().matches) {
      for (const { link, exact } of match.passages) {
        passages.all++;
        if (exact) passages.exact++;
        if (link === null) continue;
        passages.linked++;
        const [url, fragment] = link.split('#');
        fragments.get(url)!.add(`#${fragment}`);
      }
    }
  }

  it('scroll to where their words are', async () => {
    const dead: string[] = [];
    const elsewhere: string[] = [];
    for (const [url, wanted] of fragments) {
      await page.goto(url);
      const shown = (await page.evaluate(`(${FOLLOW})(${JSON.stringify([...wanted])})`)) as Shown[];
      for (const { fragment, scrolled, seen } of shown) {
        const [first] = fragment.slice('#:~:text='.length).split(',');
        const words = (text: string) => text.replaceAll(/\s+/gu, ' ');
        if (!scrolled) dead.push(decodeURIComponent(`${url}${fragment}`));
        else if (!words(seen).includes(words(decodeURIComponent(first!)))) elsewhere.push(`${fragment} ${seen}`);
      }
    }
    const links = [...fragments.values()].reduce((sum, { size }) => sum + size, 0);
    expect(links).toBeGreaterThanOrEqual(200);
    expect(dead.length / links, dead.join('\n')).toBeLessThanOrEqual(1 - SHARE_LEAST);
    expect(elsewhere.length / links, elsewhere.join('\n')).toBeLessThanOrEqual(1 - SHARE_LEAST);
    // passages of both kinds, and most of them with a link
    expect([passages.exact > 20, passages.all - passages.exact > 100]).toEqual([true, true]);
    expect(passages.linked / passages.all).toBeGreaterThan(0.7);
  });
});
