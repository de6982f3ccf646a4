import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../support/http/browser.ts';
import { FAMILY, FINAL } from '../support/page/known-documents.ts';
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
    let asked = 0;
    await page.route('**/similar', async (route) => {
      if (asked++ === 0) await released;
      await route.continue().catch(() => undefined);
    });
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask' }).click();
    const failed = page.waitForEvent('requestfailed');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await failed;
    release();
    await page.getByText('Asking …').waitFor({ state: 'detached' });
    expect((await page.locator('.match').count()) + (await page.getByRole('alert').count())).toBe(0);
    expect(await page.locator('textarea').inputValue()).toBe(FINAL);
    await page.getByRole('button', { name: 'Ask' }).click();
    await answeredBy(page);
    await done(page);
  });

  it('marks nothing of an older answer in the text', async () => {
    const page = await at('#/ask');
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('button', { name: 'Mark in the text' }).first().click();
    expect(await page.locator('mark.chosen').count()).toBe(1);
    const answered = page.waitForResponse('**/similar');
    await page.getByRole('slider', { name: 'alike' }).fill('40');
    await answered;
    await page.locator('[aria-pressed=true]').waitFor({ state: 'detached' });
    expect(await page.locator('mark.chosen').count()).toBe(0);
    await done(page);
  });

  it.each([
    ['a family', `#/family?url=${encodeURIComponent(FAMILY)}`, 'Threshold', 'threshold=0.2'],
    ['a text', `#/ask?url=${encodeURIComponent(FAMILY)}`, 'alike', 'resemblance=0.2'],
  ])('asks again for %s where its slider is moved before the first answer', async (_what, address, slider, said) => {
    const page = await at('#/index');
    let asked = 0;
    await page.route(/\/(clusters|similar)(\?|$)/, async (route) => {
      if (asked++ > 0) await route.continue();
    });
    await page.goto(`${page.url().replace(/#.*/, '')}${address}`);
    await page.getByText('Asking …').waitFor();
    await page.getByRole('slider', { name: slider, exact: true }).fill('20');
    await page.locator('.outcome h2').first().waitFor({ timeout: 5000 });
    expect(page.url()).toContain(said);
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
    await link.waitFor({ timeout: 5000 });
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
    await page.getByRole('heading', { name: '51 matches' }).waitFor();
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
    await page.getByText('What was asked about has changed since the first matches came.').waitFor({ timeout: 5000 });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached', timeout: 5000 });
    await page.locator('button.more').waitFor({ state: 'detached', timeout: 5000 });
    expect(cursors).toEqual([undefined, 'page 1', undefined]);
    await done(page);
  });

  it('says whose the answer is that stays where the next question is given up', async () => {
    const page = await at('#/ask');
    await page.locator('textarea').fill(FINAL);
    await page.getByRole('button', { name: 'Ask' }).click();
    await answeredBy(page);
    await page.route('**/similar', () => undefined);
    await page.locator('textarea').fill(`${FINAL} and more`);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Below is the answer to the question before').waitFor();
    expect(await page.locator('.old .match').count()).toBeGreaterThan(0);
    await page.unroute('**/similar');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.locator('.old').waitFor({ state: 'detached' });
    expect(await page.getByText('Below is the answer').count()).toBe(0);
    await done(page);
  });
});
