import { describe, expect, it } from 'vitest';
import { RETENTION_DEFAULT } from '../../../src/store/settings.ts';
import { at, brief, DOCUMENT, eachWithAnIndex, edited, NEW, OLD, textOf } from '../../support/moved/told-index.ts';

const { again, ask, forget, gone, led, put } = eachWithAnIndex();

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

  it('is no edition either where there are more mirrors, all gone, than are looked into', async () => {
    const mirrors = Array.from({ length: 48 }, (_, i) => at('mirror', `h${i}.example`));
    for (const url of mirrors) await put(0, url, textOf(60));
    for (const url of mirrors) await put(10, url, textOf(61));
    for (const url of mirrors) await gone(20, url);
    await put(21, at('mirror', 'new.example'), textOf(61));
    const answer = await ask(mirrors[0]!);
    expect(answer.refused).toEqual([]);
    expect(brief(answer)).toEqual([[at('mirror', 'new.example'), 'other-host', 'certain']]);
  });

  it('is a notice though all that show it are gone by now: most of those looked into had documents of their own', async () => {
    const many = Array.from({ length: 48 }, (_, i) => at(`page-${i}`));
    await fill(() => textOf(50, 40), many);
    for (const url of many) await gone(20, url);
    expect(await ask(many[0]!)).toMatchObject({ refused: [{ reason: 'soft-404', sharedBy: 48 }] });
  });

  it('is a home page on the host, but not one that a project got for itself', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    await put(10, at(''), DOCUMENT);
    await put(10, at('', 'own.example'), DOCUMENT);
    const answer = await ask();
    expect(answer.refused).toMatchObject([{ url: OLD, reason: 'home-page' }]);
    await forget(at(''));
    expect(brief(await ask())).toEqual([[at('', 'own.example'), 'other-host', 'likely']]);
  });
});

describe('an older document of the same URL', () => {
  it('is looked for by the newest four of what its URL showed, which are told from all', async () => {
    await again({ retention: { ...RETENTION_DEFAULT, pastContentsMax: 10 } });
    for (let day = 0; day < 7; day++) await put(day, OLD, day === 1 ? DOCUMENT : textOf(20 + day));
    await gone(10, OLD);
    await put(10, NEW, DOCUMENT);
    const limits = [{ code: 'contents', affected: 3, of: 7 }];
    expect(await ask()).toMatchObject({ candidates: [], complete: false, limits });
    await put(11, at('newest'), textOf(26));
    expect(await ask()).toMatchObject({ candidates: [{ url: at('newest') }], complete: true, limits: [] });
  });

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

  it('looks at no more than a thousand of the pages that say the same, and says so', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    for (let i = 0; i < 1100; i++) await put(10, at(`${'w-'.repeat(900)}${i}`, `h${i % 7}.example`), DOCUMENT);
    const answer = await ask(OLD, { limit: 1000 });
    expect(answer).toMatchObject({ complete: false, limits: [{ code: 'sources', affected: 1, of: 1 }] });
    expect(answer.candidates).toHaveLength(64);
    expect(answer.refused).toEqual([]);
  });

  it('does not follow what an answer is said to have come from, where that is no URL', async () => {
    await put(0, OLD, DOCUMENT);
    await gone(10, OLD);
    for (const [i, to] of ['javascript:alert(1)', '/new', 'https://', 'https://a:b@c.example/'].entries()) {
      await led(10, at(`leads-${i}`), to, DOCUMENT);
    }
    const { candidates } = await ask();
    expect(candidates.map(({ url, via }) => [url, via])).toEqual([0, 1, 2, 3].map((i) => [at(`leads-${i}`), null]));
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
