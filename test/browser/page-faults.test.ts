import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { formatAddress } from '../../src/page/address/view-address.ts';
import { noBrowser } from '../support/http/browser.ts';
import { createHttpFixture } from '../support/http/http-fixture.ts';
import { listening } from '../support/http/raw-client.ts';
import { FAMILY, FINAL } from '../support/page/known-documents.ts';
import { axeFindings, tabTo } from '../support/page/looking.ts';
import { servePages } from '../support/page/paged-answers.ts';
import { openPrefixProxy } from '../support/page/prefix-proxy.ts';
import { usePage } from '../support/page/use-page.ts';

/* The page where the service is slow, dead, shut, elsewhere, or has very much to tell. */

/** How far a button moves, in pixels, in the frames after it was scrolled to: one that moves under the pointer takes no click. */
const MOVED = `(async () => {
  const button = document.querySelector('button.more');
  button.scrollIntoView({ block: 'end' });
  const top = () => button.getBoundingClientRect().top;
  const before = top();
  for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
  return Math.abs(top() - before);
})()`;

describe.skipIf(noBrowser)('the page in a browser', () => {
  const use = usePage();
  const { at, done } = use;
  const answeredBy = (page: Page) => page.locator('.match', { hasText: 'archive.example' }).waitFor();

  it('loses nothing that was typed where nobody answers, nor over a reload', async () => {
    const page = await at(`#/ask`);
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('slider', { name: 'alike', exact: true }).fill('20');
    await page.route('**/similar', (route) => route.abort());
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('The service does not answer');
    expect(await page.locator('textarea').inputValue()).toBe(FINAL);
    await page.reload();
    expect(await page.locator('textarea').inputValue()).toBe(FINAL);
    expect(await page.getByRole('slider', { name: 'alike', exact: true }).inputValue()).toBe('20');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.unroute('**/similar');
    await page.getByRole('button', { name: 'Try again' }).click();
    await answeredBy(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    await done(page);
  });

  it.each([
    [503, { 'retry-after': '7' }, 'overloaded', ['The service is too busy right now.', 'Try again in 7 s.']],
    [502, {}, null, ['The answer cannot be read (status 502).']],
  ])('says what an answer of %i means', async (status, headers, code, said) => {
    const page = await at(`#/ask`);
    const body = code === null ? '<h1>Bad gateway</h1>' : JSON.stringify({ code, title: 'T', detail: 'D', status });
    await page.route('**/similar', (route) => route.fulfill({ status, headers, body }));
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('alert').waitFor();
    for (const words of said) expect(await page.getByRole('alert').textContent()).toContain(words);
    await done(page);
  });

  it('answers of a file without marks where its text is not told', async () => {
    const page = await at('#/ask');
    await page.route('**/compare', (route) =>
      route.fulfill({ status: 413, body: '{"code":"body-too-large","title":"T","detail":"D"}' }),
    );
    await page.getByRole('radio', { name: 'File' }).check();
    const file = { name: 'a.html', mimeType: 'text/html', buffer: Buffer.from(`<p>${FINAL}</p>`) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('a.html', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await answeredBy(page);
    expect([await page.locator('mark').count(), await page.getByRole('alert').count()]).toEqual([0, 0]);
    await done(page);
  });

  it('takes a key once, keeps it in the tab alone, and sends it to the service alone', async () => {
    const secret = 'a-secret-of-this-test';
    const apiKeys = [{ name: 'looker', scopes: ['read'], secret }] as const;
    const shut = await createHttpFixture({
      http: { apiKeys, basePath: '/tools/shingled', pageFolder: use.service.pageFolder },
    });
    const url = `http://127.0.0.1:${await listening(shut.app)}/tools/shingled/`;
    // the fixture believes in one name, and the browser has another
    const page = await at(`${url.replace('127.0.0.1', 'localhost')}#/index`);
    await page.getByText('This service wants a key.').first().waitFor();
    await page.getByRole('region', { name: 'Figures' }).getByLabel('API key').fill(secret);
    await page.keyboard.press('Enter');
    await page.getByText('It is well.').waitFor();
    await page.reload();
    await page.getByText('It is well.').waitFor();
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, document.cookie, location.href])')).not.toContain(
      secret,
    );
    expect(await page.evaluate('sessionStorage.getItem("shingled.key")')).toBe(secret);
    await page.goto(`${page.url().replace(/#.*/, '')}#/family?url=x`);
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    expect(await page.evaluate('sessionStorage.getItem("shingled.key")')).toBe(null);
    await done(page);
    await shut.close();
  });

  it('works below a path that a proxy has put it at', async () => {
    const proxy = await openPrefixProxy(use.service.url, '/tools/shingled/');
    const page = await at(proxy.url + formatAddress({ view: 'ask', params: { url: FAMILY } }));
    await page.locator('.match').first().waitFor();
    expect(await page.getByRole('link', { name: 'API' }).evaluate((link) => (link as { href?: string }).href)).toBe(
      `${proxy.url}docs`,
    );
    await done(page);
    await proxy.close();
  });

  it('is not held up by ten thousand matches, each with passages of its own', async () => {
    const page = await at(`#/ask`);
    const words = FINAL.split(' ');
    await page.route('**/similar', async (route) => {
      const answer = await (await route.fetch()).json();
      answer.matches = Array.from({ length: 10_000 }, (_, at) => ({
        ...answer.matches[0],
        title: `match ${at}`,
        passages: [0, 20].map((from) => passage(words.slice(from + (at % 7), from + 21 + (at % 11)).join(' '))),
      }));
      await route.fulfill({ json: answer });
    });
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('heading', { name: '10,000 matches', exact: true }).waitFor();
    expect([await page.locator('.match').count(), await page.locator('mark').count()]).toEqual([50, 1]);
    const more = page.getByRole('button', { name: 'Show 50 more of 9950 matches', exact: true });
    expect(await page.evaluate(MOVED)).toBeLessThan(1);
    await more.click();
    await page.getByRole('heading', { name: /match 99$/ }).waitFor();
    expect(await page.locator('.match').count()).toBe(100);
    await done(page);
  });

  it('shows matches as they come, can be stopped between, and goes on where it was', async () => {
    const page = await at(`#/ask`);
    const pages = await servePages(page, 4);
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('checkbox', { name: /^every copy/ }).check();
    await page.getByRole('button', { name: 'Ask', exact: true }).focus();
    await page.keyboard.press('Enter');
    const status = page.locator('.state');
    await pages.next();
    await status.getByText('2 matches so far').waitFor();
    await page.getByRole('heading', { level: 2, name: '2 matches so far', exact: true }).waitFor();
    await pages.next(503);
    await page.getByRole('button', { name: 'Try again' }).click();
    await status.getByText('Asking').waitFor();
    await tabTo(page, /^Mark in the text$/);
    await page.keyboard.press('Enter');
    // the text with its marks is higher than the field that it replaces
    await page.locator('mark.chosen').first().waitFor();
    await page.evaluate('window.held = document.activeElement; scrollTo(0, 150)');
    await pages.next();
    await status.getByText('4 matches so far').waitFor();
    expect(await page.evaluate('[document.activeElement === held, held.isConnected, scrollY]')).toEqual([
      true,
      true,
      150,
    ]);
    expect(await page.locator('mark.chosen').count()).toBeGreaterThan(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: '4 matches, and more', exact: true }).waitFor();
    expect(await page.evaluate('document.activeElement.className')).toBe('outcome');
    expect(await page.locator('.match').count()).toBe(4);
    // the third page was given up: it is asked for again, and then fails
    await expect.poll(() => pages.asked().length).toBe(4);
    pages.forget();
    await page.getByRole('button', { name: 'Ask for all others' }).focus();
    await page.keyboard.press('Enter');
    await pages.next(503);
    await page.getByRole('alert').waitFor();
    expect(await page.locator('.match').count()).toBe(4);
    await page.getByRole('button', { name: 'Try again' }).focus();
    await page.keyboard.press('Enter');
    await pages.next();
    await status.getByText('6 matches so far').waitFor();
    await page.getByRole('button', { name: 'Ask for all others' }).focus();
    await pages.next();
    await page.getByRole('heading', { level: 2, name: /^8 matches$/ }).waitFor();
    expect(pages.asked()).toEqual([null, 'page 1', 'page 1', 'page 2', 'page 2', 'page 2', 'page 3']);
    // the button is gone, and what stood before it has its focus
    expect(await page.evaluate('document.activeElement.className')).toBe('matches');
    await done(page);
  });

  it('does everything by the keyboard alone', async () => {
    const page = await at('#/ask');
    await page.locator('textarea').waitFor();
    await tabTo(page, /The document: text/);
    await page.keyboard.type(FINAL.slice(0, 200));
    await tabTo(page, /^Ask$/);
    await page.keyboard.press('Enter');
    await page.locator('.match').first().waitFor();
    await tabTo(page, /^Mark in the text$/);
    await page.keyboard.press('Enter');
    await page.locator('mark.chosen').first().waitFor();
    await tabTo(page, /^Its family$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'What hangs together' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await done(page);
  });
});

const passage = (text: string) => {
  const from = FINAL.indexOf(text);
  return { from, to: from + text.length, text, tokens: 30, exact: true, link: null };
};
