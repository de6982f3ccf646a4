import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PutRequest } from '../../../src/service/api.ts';
import type { MovedAnswer, MovedOptions } from '../../../src/service/moved/moved-api.ts';
import { DEFAULT_MOVED_OPTIONS } from '../../../src/service/moved/moved-options.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { ALL, createServiceFixture, type ServiceFixture, START_MS } from '../../support/service/service-fixture.ts';

const DAY = 86_400_000;
const at = (path: string, host = 'a.example') => `https://${host}/${path}`;
const OLD = at('docs/old.html');
const NEW = at('manual/new.html');

let fixture: ServiceFixture;
beforeEach(() => {
  fixture = createServiceFixture();
});
afterEach(() => fixture.close());

const textOf = (seed: number, words = 120) => createTextMaker(seed).text(words);
const DOCUMENT = textOf(1);
/** A word changed in so many: of shingles of five words five are others for each. */
const edited = (text: string, every: number) =>
  text
    .split(' ')
    .map((word, i) => (i % every === every - 1 ? `${word}x` : word))
    .join(' ');

/** Of day 0, 1, 2 …: all that is told of one sweep is of one time. */
const put = (day: number, url: string, text: string, more: Partial<PutRequest> = {}) =>
  fixture.put(url, text, { observedAt: START_MS - 30 * DAY + day * DAY, ...more });
const gone = (day: number, url: string) =>
  fixture.service.gone({ url, httpStatus: 404, observedAt: START_MS - 30 * DAY + day * DAY }, ALL);
/** As a fetch that was led elsewhere tells it. */
async function led(day: number, url: string, finalUrl: string, text: string): Promise<void> {
  const body = { bytes: Buffer.from(text), contentType: 'text/plain; charset=utf-8' };
  const none = { select: null, remove: null, meta: null, similar: 0, unless: null };
  const observedAt = START_MS - 30 * DAY + day * DAY;
  const operation = { op: 'put', url, body, observedAt, httpStatus: 200, finalUrl, ...none } as const;
  async function* lines() {
    yield { line: 1, operation };
  }
  for await (const answer of fixture.service.bulk(lines(), ALL)) expect(answer.status).toBeLessThan(300);
}
const ask = (url = OLD, more: Partial<MovedOptions> = {}): Promise<MovedAnswer> =>
  fixture.service.moved({ url, ...DEFAULT_MOVED_OPTIONS, deadlineMs: 20_000, ...more }, ALL);
const brief = ({ candidates }: MovedAnswer) => candidates.map(({ url, how, sure }) => [url, how, sure]);

describe('a document that moved', () => {
  it('is found where it says the same since', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(10, NEW, DOCUMENT, { meta: { x: 1 } });
    expect(await ask()).toMatchObject({
      ...{ url: OLD, state: 'gone', refused: [], contentsForgotten: 0, timegate: null, complete: true, limits: [] },
      lastSeen: '2026-01-30T12:00:00.000Z',
      candidates: [
        {
          ...{ url: NEW, how: 'within-host', sure: 'certain', equivalence: 'identical', via: null },
          ...{ resemblance: { estimate: 1 }, queryInMatch: { estimate: 1 } },
          ...{ firstSeen: '2026-02-09T12:00:00.000Z', shownUntil: '2026-01-30T12:00:00.000Z' },
        },
      ],
    });
  });

  it('is found where it was changed since, at the move and after it', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(10, NEW, edited(DOCUMENT, 30));
    expect(brief(await ask())).toEqual([[NEW, 'within-host', 'likely']]);
    await put(20, NEW, edited(edited(DOCUMENT, 30), 41));
    expect(brief(await ask())).toEqual([[NEW, 'within-host', 'likely']]);
  });

  it('is found on another host: less surely under another name', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(10, at('x/old.html', 'b.example'), DOCUMENT);
    await put(10, at('y', 'c.example'), DOCUMENT);
    expect(brief(await ask())).toEqual([
      [at('x/old.html', 'b.example'), 'other-host', 'certain'],
      [at('y', 'c.example'), 'other-host', 'likely'],
    ]);
  });

  it('is found though the old URL shows another document now', async () => {
    await put(0, OLD, DOCUMENT);
    await put(10, OLD, textOf(2));
    await put(10, NEW, DOCUMENT);
    expect(await ask()).toMatchObject({ state: 'replaced', refused: [] });
    expect(brief(await ask())).toEqual([[NEW, 'within-host', 'certain']]);
  });

  it('is found though there is little left of it, where its name and host say so as well', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    const much = edited(DOCUMENT, 9);
    await put(10, at('else.html'), much);
    expect(brief(await ask())).toEqual([]);
    await put(10, at('manual/old.html'), `${much} once more`);
    await fixture.service.forget(at('else.html'), ALL);
    expect(brief(await ask())).toEqual([[at('manual/old.html'), 'within-host', 'likely']]);
  });

  it('is found by the URL that a page leads to', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await led(10, at('short'), NEW, DOCUMENT);
    expect((await ask()).candidates).toMatchObject([{ url: NEW, via: at('short'), sure: 'certain' }]);
    await put(11, NEW, DOCUMENT);
    expect((await ask()).candidates).toMatchObject([{ url: NEW, via: null }]);
    await gone(12, NEW);
    expect(brief(await ask())).toEqual([]);
  });

  it('is not where a page leads back to the old URL', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await led(10, at('short'), OLD, DOCUMENT);
    expect(brief(await ask())).toEqual([]);
  });

  it('is not offered where it is gone as well, nor where the page shows something else again', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(10, NEW, DOCUMENT);
    await put(10, at('third'), DOCUMENT);
    await gone(20, NEW);
    await put(20, at('third'), textOf(3));
    expect(brief(await ask())).toEqual([]);
  });
});

describe('a copy', () => {
  it('that was there before is marked as one: likely on the host, else only possible', async () => {
    await put(0, OLD, DOCUMENT);
    await put(0, at('print'), DOCUMENT);
    await put(0, at('mirror', 'b.example'), DOCUMENT);
    await put(5, OLD, DOCUMENT);
    await gone(10, OLD);
    expect(brief(await ask())).toEqual([
      [at('print'), 'copy', 'likely'],
      [at('mirror', 'b.example'), 'copy', 'possible'],
    ]);
  });

  it('that was edited since is one still: it was there before', async () => {
    await put(0, at('mirror', 'b.example'), edited(DOCUMENT, 30));
    await put(5, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(12, at('mirror', 'b.example'), DOCUMENT);
    expect(brief(await ask())).toEqual([[at('mirror', 'b.example'), 'copy', 'possible']]);
  });

  it('comes after what moved', async () => {
    await put(0, OLD, DOCUMENT);
    await put(0, at('print'), DOCUMENT);
    await gone(10, OLD);
    await put(10, NEW, DOCUMENT);
    expect(brief(await ask())).toEqual([
      [NEW, 'within-host', 'certain'],
      [at('print'), 'copy', 'likely'],
    ]);
  });
});

describe('a URL that is alive', () => {
  it('has no candidates unless they are asked for; then they are copies', async () => {
    await put(0, OLD, DOCUMENT);
    await put(10, OLD, edited(DOCUMENT, 30));
    await put(10, NEW, edited(DOCUMENT, 30));
    const none = { resemblance: null, queryInMatch: null, matchInQuery: null };
    expect(await ask()).toMatchObject({ state: 'live', candidates: [], recall: none, complete: true });
    expect(brief(await ask(OLD, { always: true }))).toEqual([[NEW, 'copy', 'likely']]);
  });

  it('is so however far its document has come in small steps, and though it was away for a while', async () => {
    await put(0, OLD, DOCUMENT);
    let text = DOCUMENT;
    for (let day = 1; day <= 4; day++) {
      text = edited(text, 20 + day);
      await put(day, OLD, text);
    }
    expect(await ask()).toMatchObject({ state: 'live' });
    await put(6, OLD, textOf(9, 40));
    await put(7, OLD, text);
    expect(await ask()).toMatchObject({ state: 'live' });
    await gone(8, OLD);
    await put(9, OLD, text);
    expect(await ask()).toMatchObject({ state: 'live' });
  });

  it('shows another document, though nothing is kept of the one before', async () => {
    await fixture.close();
    fixture = createServiceFixture({
      settings: {
        retention: { pastContentsMax: 0, pastMs: DAY, versionsMax: 9, pastResemblanceMax: 0.9 },
      },
    });
    await put(0, OLD, DOCUMENT);
    await put(10, OLD, textOf(2));
    expect(await ask()).toMatchObject({ state: 'replaced', candidates: [], contentsForgotten: 1 });
  });
});

describe('a redirect', () => {
  it('is certain where what it leads to says the same', async () => {
    await put(0, OLD, DOCUMENT);
    await led(10, OLD, NEW, edited(DOCUMENT, 30));
    expect(await ask()).toMatchObject({ state: 'redirected', candidates: [{ firstSeen: '2026-02-09T12:00:00.000Z' }] });
    expect(brief(await ask())).toEqual([[NEW, 'redirect', 'certain']]);
    await put(10, NEW, edited(DOCUMENT, 30));
    expect(brief(await ask())).toEqual([[NEW, 'redirect', 'certain']]);
  });

  it('is only possible once the old URL is gone, and nothing is known of where it led', async () => {
    await led(0, OLD, NEW, DOCUMENT);
    await gone(10, OLD);
    expect((await ask()).candidates).toMatchObject([{ url: NEW, how: 'redirect', sure: 'possible', firstSeen: null }]);
    await put(11, NEW, DOCUMENT);
    expect(brief(await ask())).toEqual([[NEW, 'redirect', 'certain']]);
    await gone(12, NEW);
    expect(brief(await ask())).toEqual([]);
  });

  it('to another document is refused', async () => {
    await put(0, OLD, DOCUMENT);
    await led(10, OLD, at('archive'), textOf(2));
    const refused = [{ url: at('archive'), reason: 'other-document', sharedBy: null }];
    expect(await ask()).toMatchObject({ state: 'replaced', candidates: [], refused });
    await put(10, NEW, DOCUMENT);
    expect(brief(await ask())).toEqual([[NEW, 'within-host', 'certain']]);
  });

  it('to the home page is refused, where the old URL was none', async () => {
    const home = textOf(2);
    await put(0, at(''), home);
    await put(0, OLD, DOCUMENT);
    await led(10, OLD, at(''), home);
    const refused = [{ url: at(''), reason: 'home-page', sharedBy: null }];
    expect(await ask()).toMatchObject({ state: 'replaced', candidates: [], refused });
    await led(10, at('never-seen-before'), at(''), home);
    expect(await ask(at('never-seen-before'))).toMatchObject({ candidates: [], refused: [{ reason: 'home-page' }] });
    await led(10, at('index.html'), at(''), home);
    expect(brief(await ask(at('index.html')))).toEqual([[at(''), 'redirect', 'certain']]);
  });

  it('to what is no URL leads nowhere', async () => {
    await put(0, OLD, DOCUMENT);
    await led(10, OLD, OLD, DOCUMENT);
    expect(await ask()).toMatchObject({ state: 'live' });
  });
});

describe('what is no document', () => {
  const pages = Array.from({ length: 25 }, (_, i) => at(`page-${i}`));
  const fill = async (textAt: (i: number) => string, urls = pages) => {
    for (const [i, url] of urls.entries()) await put(0, url, textOf(100 + i));
    for (const [i, url] of urls.entries()) await put(10, url, textAt(i));
  };

  it('is a notice that took the place of many documents: what was there before is found', async () => {
    await fill(() => textOf(50, 40));
    await put(10, NEW, textOf(100));
    const answer = await ask(pages[0]!);
    expect(answer).toMatchObject({ state: 'replaced', refused: [{ url: pages[0], reason: 'soft-404' }] });
    expect(answer.refused[0]!.sharedBy).toBeGreaterThanOrEqual(20);
    expect(brief(answer)).toEqual([[NEW, 'within-host', 'certain']]);
    expect(await ask(pages[1]!)).toMatchObject({ candidates: [], refused: [{ reason: 'soft-404' }] });
    // and gone at last: the notice is what it showed last
    await gone(20, pages[0]!);
    expect(brief(await ask(pages[0]!))).toEqual([[NEW, 'within-host', 'certain']]);
    expect(await ask(pages[0]!)).toMatchObject({ state: 'gone', refused: [{ url: pages[0], reason: 'soft-404' }] });
  });

  it('is a notice that names the page it stands for', async () => {
    await fill((i) => `${textOf(50, 60)} page-${i} ${textOf(51, 60)}`);
    await gone(20, pages[0]!);
    expect(await ask(pages[0]!)).toMatchObject({ candidates: [], refused: [{ reason: 'soft-404' }] });
  });

  it('is a parked page, of many hosts', async () => {
    const hosts = pages.map((_, i) => at('about.html', `h${i}.example`));
    await fill(() => textOf(50, 40), hosts);
    expect(await ask(hosts[0]!)).toMatchObject({ candidates: [], refused: [{ url: hosts[0], reason: 'parked' }] });
  });

  it('may be a notice that took the place of a few: it proves no move', async () => {
    const few = pages.slice(0, 4);
    await fill(() => textOf(50, 40), few);
    await gone(20, few[0]!);
    const answer = await ask(few[0]!);
    expect(answer.candidates.map(({ sure }) => sure)).toEqual(['possible', 'possible', 'possible']);
    await put(20, NEW, textOf(100));
    expect(brief(await ask(few[0]!))[0]).toEqual([NEW, 'within-host', 'certain']);
  });

  it('is no edition of a document that is mirrored on many hosts', async () => {
    const mirrors = pages.map((_, i) => at('mirror', `h${i}.example`));
    for (const url of mirrors) await put(0, url, textOf(60));
    for (const url of mirrors) await put(10, url, textOf(61));
    await gone(20, mirrors[0]!);
    const answer = await ask(mirrors[0]!);
    expect(answer.refused).toEqual([]);
    expect(answer.candidates).toHaveLength(10);
    // the same where all of them are past or gone, whose rows say less
    for (const url of mirrors.slice(1, 24)) await gone(21, url);
    expect(await ask(mirrors[0]!)).toMatchObject({ candidates: [{ url: mirrors[24], how: 'copy' }], refused: [] });
  });

  it('is a home page on the host, but not one that a project got for itself', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(10, at(''), DOCUMENT);
    await put(10, at('', 'own.example'), DOCUMENT);
    const answer = await ask();
    expect(answer.refused).toMatchObject([{ url: OLD, reason: 'home-page' }]);
    await fixture.service.forget(at(''), ALL);
    expect(brief(await ask())).toEqual([[at('', 'own.example'), 'other-host', 'likely']]);
  });
});

describe('an older document of the same URL', () => {
  it('is only possible: whoever asks may mean the one that was there last', async () => {
    await put(0, OLD, DOCUMENT);
    await put(10, OLD, textOf(2));
    await gone(20, OLD);
    await put(10, NEW, DOCUMENT);
    expect(brief(await ask())).toEqual([[NEW, 'within-host', 'possible']]);
    expect((await ask()).candidates).toMatchObject([{ shownUntil: '2026-01-30T12:00:00.000Z' }]);
  });

  it('that was the same one before an edit counts as it', async () => {
    await put(0, OLD, DOCUMENT);
    await put(10, OLD, edited(DOCUMENT, 20));
    await gone(20, OLD);
    await put(20, at('far', 'b.example'), edited(DOCUMENT, 19));
    const [first] = (await ask()).candidates;
    expect(first).toMatchObject({ url: at('far', 'b.example'), sure: 'likely' });
  });
});

describe('pages of one template', () => {
  it('are rivals: none of them is likely, but one of the same name', async () => {
    const template = textOf(70, 150);
    const page = (i: number) => `${template} ${textOf(200 + i, 40)}`;
    for (let i = 0; i < 5; i++) await put(0, at(`p/${i}0000`), page(i));
    await put(0, OLD, page(9));
    await gone(10, OLD);
    await put(10, NEW, page(10));
    expect((await ask()).candidates.map(({ sure }) => sure)).not.toContain('likely');
    await put(10, at('manual/old.html'), `${template} ${edited(textOf(209, 40), 20)}`);
    expect(brief(await ask())[0]).toEqual([at('manual/old.html'), 'within-host', 'likely']);
  });
});

describe('a question about a moved document', () => {
  it('is refused in words where it cannot be asked', async () => {
    await expect(ask(at('nowhere'))).rejects.toMatchObject({ code: 'unknown-url', field: 'url' });
    await expect(ask('old.html')).rejects.toMatchObject({ code: 'invalid-url', field: 'url' });
    await put(0, OLD, DOCUMENT);
    const limit = { name: 'limitMax', value: 1000 };
    await expect(ask(OLD, { limit: 0 })).rejects.toMatchObject({ code: 'invalid-request', field: 'limit', limit });
    await expect(ask(OLD, { deadlineMs: 0 })).rejects.toMatchObject({ field: 'deadlineMs' });
  });

  it('takes names, documents of no shingle, and very short ones', async () => {
    await put(0, 'urn:x:1', DOCUMENT);
    await put(0, at('none'), 'word');
    await put(0, at('short'), 'one two three four five six seven');
    for (const url of ['urn:x:1', at('none'), at('short')]) await gone(10, url);
    await put(10, 'urn:x:2', DOCUMENT);
    await put(10, at('none-2'), 'word');
    await put(10, at('short-2'), 'one two three four five six seven');
    expect(brief(await ask('urn:x:1'))).toEqual([['urn:x:2', 'other-host', 'likely']]);
    expect(brief(await ask(at('none')))).toEqual([[at('none-2'), 'within-host', 'possible']]);
    expect(brief(await ask(at('short')))).toEqual([[at('short-2'), 'within-host', 'possible']]);
  });

  it('is answered with as many candidates as are asked for', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    for (let i = 0; i < 15; i++) await put(10, at(`copy-${i}`, `h${i}.example`), DOCUMENT);
    expect((await ask()).candidates).toHaveLength(10);
    expect((await ask(OLD, { limit: 3 })).candidates).toHaveLength(3);
    expect((await ask(OLD, { limit: 100 })).candidates).toHaveLength(15);
  });
});
