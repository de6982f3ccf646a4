import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { formatAddress } from '../../src/page/address/view-address.ts';
import { noBrowser } from '../support/http/browser.ts';
import { BLISS, FAMILY, FINAL, MOVED } from '../support/page/known-documents.ts';
import { axeFindings } from '../support/page/looking.ts';
import { usePage } from '../support/page/use-page.ts';

/* The page where one question follows another, and where an answer comes in parts that do not fit. */

describe.skipIf(noBrowser)('questions one after another', () => {
  const { at, done } = usePage();
  const answeredBy = (page: Page) => page.locator('.match', { hasText: 'archive.example' }).waitFor();

  it('gives up a question that is under way, and shows no answer to it later', async () => {
    const page = await at(`#/ask`);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let goneOn = () => {};
    const gone = new Promise<void>((resolve) => {
      goneOn = resolve;
    });
    await page.route('**/similar', async (route) => {
      await released;
      await route.continue().catch(() => undefined);
      goneOn();
    });
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    const failed = page.waitForEvent('requestfailed');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await failed;
    release();
    await page.getByText('Asking …').waitFor({ state: 'detached' });
    await gone;
    expect((await page.locator('.match').count()) + (await page.getByRole('alert').count())).toBe(0);
    expect(await page.locator('textarea').inputValue()).toBe(FINAL);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await answeredBy(page);
    await done(page);
  });

  it.each([
    ['wide', 1200],
    ['narrow', 400],
  ])('marks a passage of more words than are quoted, and shows where it is: %s', async (_what, width) => {
    const page = await at('#/ask');
    await page.setViewportSize({ width, height: 700 });
    const words = BLISS.slice(0, -1);
    const before = `\u{1f339} ${'A line of its own.\n'.repeat(60)}`;
    await page.locator('textarea').fill(`${before}${words}, as he said.\n${'A line behind it.\n'.repeat(60)}`);
    await page.getByRole('slider', { name: 'yours in theirs', exact: true }).fill('10');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    const match = page.locator('.match', { hasText: 'library.example' });
    expect(await match.locator('q').first().textContent()).toContain(' … ');
    expect(await page.locator('.query-text').evaluate((text) => text.scrollTop)).toBe(0);
    await match.getByRole('button', { name: 'Mark in the text' }).click();
    await page.locator('mark.chosen').first().waitFor();
    expect((await page.locator('mark.chosen').allTextContents()).join('')).toBe(words);
    const seen = await page.evaluate<boolean>(`(() => {
      const mark = document.querySelector('mark.chosen').getClientRects()[0];
      const text = document.querySelector('.query-text').getBoundingClientRect();
      return mark.top >= Math.max(0, text.top) && mark.bottom <= Math.min(innerHeight, text.bottom);
    })()`);
    expect(seen).toBe(true);
    await done(page);
  });

  it('marks nothing of an older answer in the text', async () => {
    const page = await at('#/ask');
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'Mark in the text' }).first().click();
    await page.locator('mark.chosen').waitFor();
    const answered = page.waitForResponse('**/similar');
    await page.getByRole('slider', { name: 'alike', exact: true }).fill('40');
    await answered;
    await page.locator('[aria-pressed=true]').waitFor({ state: 'detached' });
    expect(await page.locator('mark.chosen').count()).toBe(0);
    await done(page);
  });

  it('tells the versions of a URL, and why not, where it cannot tell where its document is', async () => {
    const page = await at('#/history');
    const deadlines: (string | null)[] = [];
    await page.route('**/moved?*', (route) => {
      deadlines.push(new URL(route.request().url()).searchParams.get('deadlineMs'));
      return route.fulfill({ status: 503, body: '{"code":"deadline-exceeded","title":"T","detail":"D"}' });
    });
    await page.getByLabel('URL', { exact: true }).fill(MOVED);
    await page.getByRole('button', { name: 'Show its history' }).click();
    await page.getByRole('heading', { name: '4 versions', exact: true }).waitFor();
    expect(await page.locator('.outcome .note').textContent()).toContain('The time was up before there was an answer.');
    expect(deadlines).toEqual(['20000']);
    await done(page);
  });

  it('forgets no limit that an earlier page met', async () => {
    const page = await at('#/ask');
    await page.route('**/similar', async (route) => {
      const { cursor, ...request } = route.request().postDataJSON();
      const answer = await (await route.fetch({ postData: JSON.stringify(request) })).json();
      const limits = [{ code: 'deadline', affected: 3, of: 9 }];
      const recall = { ...answer.recall, resemblance: 0, queryInMatch: 0 };
      const first = { ...answer, limits, recall, complete: false, cursor: 'page 1' };
      await route.fulfill({ json: cursor === undefined ? first : answer });
    });
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'Ask for more' }).click();
    await page.getByRole('button', { name: 'Ask for more' }).waitFor({ state: 'detached' });
    expect(await page.locator('.outcome').textContent()).toContain('Something may have been left out');
    expect(await page.getByText('The time was up').count()).toBe(1);
    expect(await page.locator('.outcome').textContent()).toContain('nobody can say how likely by “alike”');
    await done(page);
  });

  it('names the family that is shown in the address, not a URL that was only typed', async () => {
    const page = await at(`#/family?url=${encodeURIComponent(FAMILY)}`);
    await page.locator('.map').waitFor();
    await page.getByLabel('URL of a page').fill('https://other.example/');
    await page.getByRole('slider').fill('80');
    await page.waitForURL(/threshold=0\.8/);
    expect(page.url()).toContain(encodeURIComponent(FAMILY));
    await done(page);
  });

  it('links no text of a family whose URLs are not listed', async () => {
    const page = await at('#/index');
    await page.route('**/clusters?*', async (route) => {
      const answer = await (await route.fetch()).json();
      answer.index.members.at(-1).sources = [];
      await route.fulfill({ json: answer });
    });
    await page.goto(`${page.url().replace(/#.*/, '')}#/family?url=${encodeURIComponent(FAMILY)}`);
    const link = page.locator('.links li', { hasText: 'a text whose URLs are not listed' });
    await link.waitFor();
    expect(await link.getByRole('link', { name: 'Side by side' }).count()).toBe(0);
    await done(page);
  });

  it('tells the last of a list as one', async () => {
    const page = await at('#/ask');
    await page.route('**/similar', async (route) => {
      const answer = await (await route.fetch()).json();
      answer.matches = Array.from({ length: 51 }, (_, at) => ({ ...answer.matches[0], title: `match ${at}` }));
      await route.fulfill({ json: answer });
    });
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('heading', { name: '51 matches', exact: true }).waitFor();
    expect(await page.locator('button.more').allTextContents()).toEqual(['Show the last one']);
    await done(page);
  });

  it.each([['Ask for more'], ['every copy']])('begins anew where a cursor is refused: %s', async (way) => {
    const page = await at('#/ask');
    const cursors: (string | undefined)[] = [];
    await page.route('**/similar', async (route) => {
      const { cursor, ...request } = route.request().postDataJSON();
      cursors.push(cursor);
      const json = { code: 'invalid-cursor', title: 'T', detail: 'D', status: 400 };
      if (cursor !== undefined) return route.fulfill({ status: 400, json });
      const answer = await (await route.fetch({ postData: JSON.stringify(request) })).json();
      return route.fulfill({ json: cursors.length > 1 ? answer : { ...answer, cursor: 'page 1' } });
    });
    await page.locator('textarea').fill(FINAL);
    if (way === 'every copy') await page.getByRole('checkbox', { name: way }).check();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    if (way === 'Ask for more') await page.getByRole('button', { name: way }).click();
    await page.getByText('What was asked about has changed since the first matches came.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.locator('button.more').waitFor({ state: 'detached' });
    expect(cursors).toEqual([undefined, 'page 1', undefined]);
    await done(page);
  });

  it('says whose the answer is that stays where the next question is given up', async () => {
    const page = await at('#/ask');
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await answeredBy(page);
    await page.route('**/similar', () => undefined);
    await page.locator('textarea').fill(`${FINAL} and more`);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Below is the answer to the question before').waitFor();
    expect(await page.locator('.old .match').count()).toBeGreaterThan(0);
    await page.unroute('**/similar');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.query-text', { hasText: 'and more' }).waitFor();
    expect([await page.locator('.old').count(), await page.getByText('Below is the answer').count()]).toEqual([0, 0]);
    await done(page);
  });

  it('makes no link of a javascript: URL, were the service to answer one', async () => {
    const page = await at('#/ask');
    await page.route('**/similar', async (route) => {
      const answer = await (await route.fetch()).json();
      const url = 'javascript:alert(document.domain)';
      answer.matches[0].sources[0].url = url;
      answer.matches[0].passages = [{ from: 0, to: 20, tokens: 4, exact: true, text: 'We hold these', link: url }];
      await route.fulfill({ json: answer });
    });
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.match').first().waitFor();
    expect(await page.locator('.match').first().textContent()).toContain('javascript:alert(document.domain)');
    const links = await page.evaluate<string[]>('[...document.links].map(({ protocol }) => protocol)');
    expect(links.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
    await done(page);
  });

  it('shows what comes nearest where nothing reaches a threshold, and leads to what the text is made of', async () => {
    const own = Array.from({ length: 120 }, (_, i) => `own${i}`).join(' ');
    const text = `${FINAL.split(' ').slice(0, 60).join(' ')} ${own}`;
    const page = await at(formatAddress({ view: 'ask', params: { text } }));
    await page.getByRole('heading', { name: 'Nothing that is known reaches a threshold' }).waitFor();
    expect(await page.locator('.match').count()).toBeGreaterThan(0);
    expect(await page.locator('.note').textContent()).toMatch(
      /^A part of it is known all the same: \d+.* of it stands in 1 document\./,
    );
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'See what it is made of' }).click();
    await page.getByRole('heading', { name: 'What is it made of?' }).waitFor();
    await page.getByRole('heading', { name: /is nobody’s$/ }).waitFor();
    await page.goBack();
    // a text that no address can hold is handed over all the same
    const long = `${text} ${Array.from({ length: 150 }, (_, i) => 'x'.repeat(60) + i).join(' ')}`;
    await page.locator('textarea').fill(long);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    const link = page.getByRole('link', { name: 'Ask what it is made of' });
    await link.waitFor();
    await link.click();
    await page.getByRole('heading', { name: 'What is it made of?' }).waitFor();
    expect(await page.locator('textarea').inputValue()).toBe(long);
    await done(page);
  });
});
