import { describe, expect, it } from 'vitest';
import { formatAddress } from '../../src/page/address/view-address.ts';
import { noBrowser } from '../support/http/browser.ts';
import { ARTICLE, BLISS, DRAFT, FAMILY, FINAL, HOSTILE_QUERY, MOVED } from '../support/page/known-documents.ts';
import { axeFindings, overflow, resize } from '../support/page/looking.ts';
import { usePage } from '../support/page/use-page.ts';
import { addressOf, answerOf, LOOKED, type LookedView } from '../support/page/views.ts';
import { makePdf } from '../support/pdf/make-pdf.ts';

/* The page at / in a real browser, over a real service. What it shows is checked, and that nobody complains. */

describe.skipIf(noBrowser)('the page in a browser', () => {
  const use = usePage();
  const { at, done } = use;
  /** A view with its answer. */
  const answered = async (of: LookedView) => {
    const page = await at(addressOf(of));
    await answerOf(page, of);
    return page;
  };
  it.each(LOOKED)('$view answers, has no finding of axe in any state, and fits a phone', async (of) => {
    const page = await at(`#/${of.view}`);
    await page.locator('h1').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.goto(use.service.url + addressOf(of));
    await answerOf(page, of);
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
    for (const width of [1280, 768, 320]) {
      await resize(page, width);
      expect([width, await overflow(page)]).toEqual([width, 0]);
    }
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await resize(page, 1280);
    expect(await axeFindings(page, ['color-contrast'])).toEqual([]);
    await done(page);
  });

  it('has no finding of axe where it fails, asks, or wants a key', async () => {
    const page = await at(formatAddress({ view: 'ask', params: { url: 'nonsense' } }), { colorScheme: 'dark' });
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('This is not a URL that can be asked for.');
    expect(await axeFindings(page)).toEqual([]);
    await page.route('**/similar', () => undefined);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('Asking …').waitFor();
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await page.getByLabel('API key').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await done(page);
  });

  it('marks what a text shares, and opens the page at the passage', async () => {
    const page = await answered(LOOKED[0]!);
    expect(await page.locator('.match h3').first().textContent()).toMatch(/example/);
    const marks = await page.locator('.query-text mark').allTextContents();
    expect(marks.join(' ')).toContain('We hold these truths to be self-evident');
    const quoting = page.locator('.match', { hasText: 'archive.example' });
    await quoting.getByRole('button', { name: 'Mark in the text' }).click();
    await page.locator('mark.chosen').first().waitFor();
    expect((await page.locator('mark.chosen').allTextContents()).join('')).toMatch(
      /^We hold these truths .* the governed$/s,
    );
    await quoting.locator('summary').click();
    const link = quoting.getByRole('link', { name: 'open there' });
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/archive\.example\/declaration#:~:text=/);
    expect(await link.getAttribute('rel')).toContain('noopener');
    await quoting.getByRole('link', { name: 'Side by side' }).click();
    await page.getByRole('heading', { name: 'Why they are not the same' }).waitFor();
    expect(await page.getByLabel('Document b: URL').inputValue()).toBe('https://archive.example/declaration');
    await page.goBack();
    await page.locator('.match').first().waitFor();
    for (const words of ['yes', 'no'])
      expect(await page.locator(`.decision-${words}`).first().textContent()).toMatch(/^[●○] /);
    await done(page);
  });

  it('asks again when a threshold is moved, and its address says so', async () => {
    const page = await answered(LOOKED[0]!);
    const before = await page.locator('.match').count();
    const slider = page.getByRole('slider', { name: 'yours in theirs', exact: true });
    expect(await slider.getAttribute('aria-valuetext')).toBe('at least 20 % of this text is in the match');
    await slider.focus();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: 'Nothing that is known reaches a threshold' }).waitFor();
    expect(before).toBeGreaterThan(1);
    expect(page.url()).toContain('queryInMatch=1');
    expect(await page.evaluate('history.length')).toBe(2);
    await done(page);
  });

  it('lists every copy by its host, where that is asked for', async () => {
    const page = await at(
      formatAddress({ view: 'ask', params: { url: FAMILY, resemblance: '0.3', thorough: 'true' } }),
    );
    const hosts = page.getByRole('region', { name: 'Hosts with copies' }).locator('tbody th');
    await hosts.first().waitFor();
    expect(await page.getByRole('checkbox', { name: /^every copy/ }).isChecked()).toBe(true);
    expect((await hosts.allTextContents()).sort().join(' ')).toBe(
      'history.example mirror.example orator.example papers.example',
    );
    expect(await axeFindings(page)).toEqual([]);
    await done(page);
  });

  it('reads files as they are: HTML and PDF', async () => {
    const page = await at('#/ask');
    for (const [name, mimeType, buffer, host, words] of [
      ['page.html', 'text/html', Buffer.from(`<title>x</title><p>${FINAL}</p>`), 'archive.example', FINAL],
      ['page.pdf', 'application/pdf', makePdf([BLISS.match(/.{1,70}(?: |$)/g)!]), 'mirror.example', BLISS],
    ] as const) {
      await page.getByRole('radio', { name: 'File' }).check();
      await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
      await page.getByText(name, { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.locator('.match', { hasText: host }).waitFor();
      expect((await page.locator('.query-text mark').allTextContents()).join(' ')).toContain(words.slice(0, 20));
    }
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('plain words') });
    await expect.poll(() => page.locator('textarea').inputValue()).toBe('plain words');
    await done(page);
  });

  it('shows two texts in the same order and why they part', async () => {
    const page = await answered(LOOKED[1]!);
    const panes = await page.locator('.pane').allTextContents();
    expect(panes).toEqual([DRAFT, FINAL]);
    expect(await page.locator('.pane').first().locator('.span-common').allTextContents()).toContainEqual(
      expect.stringContaining('governments are instituted among men'),
    );
    await page.getByRole('heading', { name: 'Why they are not the same' }).waitFor();
    const why = (await page.locator('.outcome').textContent())!;
    expect(why).toContain('They are 22 % alike, less than 50 %');
    expect(why).not.toMatch(/aInB|bInA|queryInMatch|matchInQuery|resemblance \d/);
    await page.emulateMedia({ media: 'print' });
    expect([await page.locator('nav').isVisible(), await page.locator('.pane').first().isVisible()]).toEqual([
      false,
      true,
    ]);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Next change' }).click();
    const past = formatAddress({ view: 'compare', params: { a: FAMILY, b: MOVED, bAt: '2024-08-01T00:00:00Z' } });
    await page.goto(use.service.url + past);
    await page.getByText('To mark differences both texts are needed').waitFor();
    await done(page);
  });

  it('colours a text by whose it is', async () => {
    const page = await answered(LOOKED[2]!);
    const letters = await page.locator('.sheet .letter').count();
    expect(await page.locator('.sheet').textContent()).toHaveLength(ARTICLE.length + letters);
    expect(await page.locator('.sheet .piece').allTextContents()).toContainEqual(
      expect.stringMatching(/^BWe hold these truths/),
    );
    await page.getByRole('radio', { name: 'quotations', exact: true }).check();
    await page.getByRole('spinbutton').fill('70');
    // the shorter of its two quotations is none now
    await page.getByRole('heading', { name: /^1 part; \d+ % is nobody’s$/ }).waitFor();
    await done(page);
  });

  it('tells what became of a page', async () => {
    const page = await answered(LOOKED[4]!);
    await page.getByRole('heading', { name: 'It is gone' }).waitFor();
    expect(await page.locator('.match').first().textContent()).toContain('https://speech.example/douglass/1852');
    expect(await page.locator('tbody tr').count()).toBe(4);
    expect(await page.locator('tbody').textContent()).toContain('△ edited');
    await done(page);
  });

  it('folds a page of results, and lists the index by host', async () => {
    const page = await answered(LOOKED[5]!);
    await page.getByRole('heading', { name: '9 results, 7 shown', exact: true }).waitFor();
    expect(await page.locator('pre').textContent()).toContain(`curl -s '${use.service.url}collapse'`);
    await page.getByRole('link', { name: 'Index', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'What is in the index' }).waitFor();
    await page.getByLabel('Host, or the beginning of URLs').fill('papers.example');
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByRole('heading', { name: '2 documents', exact: true }).waitFor();
    const urls = ['https://papers.example/hay', 'https://papers.example/nicolay'];
    expect(await page.locator('tbody .url').allTextContents()).toEqual(urls);
    await done(page);
  });

  it('shows what means harm as text', async () => {
    const page = await at(formatAddress({ view: 'ask', params: { text: HOSTILE_QUERY } }));
    await page.locator('.match').first().waitFor();
    expect(await page.locator('.match h3').first().textContent()).toContain(
      '<img src=x onerror=alert(1)><script>alert(2)</script>',
    );
    expect(await page.locator('.query-text').textContent()).toBe(HOSTILE_QUERY);
    const svg = `<svg onload=alert(5)>${HOSTILE_QUERY}`;
    const script = 'urn:x:%22%3E%3Cscript%3Ealert(1)%3C/script%3E';
    for (const { view, params, shown, said } of [
      { view: 'index', params: {}, shown: 'tbody td', said: '<img src=x onerror=alert(1)>' },
      { view: 'family', params: { url: script }, shown: '.tree .url', said: script },
      { view: 'made-of', params: { text: HOSTILE_QUERY }, shown: '.sheet', said: '<img src=x onerror=alert(3)>' },
      { view: 'compare', params: { aText: HOSTILE_QUERY, bText: svg }, shown: '.pane', said: svg },
    ] as const) {
      await page.goto(use.service.url + formatAddress({ view, params }));
      await page.locator(shown, { hasText: said }).first().waitFor();
      expect(
        await page.locator('#page :is(img, script, iframe, object, embed, [onerror], [onload], [onmouseover])').count(),
      ).toBe(0);
    }
    await done(page);
  });
});
