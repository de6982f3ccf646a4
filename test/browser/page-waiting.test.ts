import { describe, expect, it } from 'vitest';
import { noBrowser } from '../support/http/browser.ts';
import { FAMILY, FINAL } from '../support/page/known-documents.ts';
import { usePage } from '../support/page/use-page.ts';

/* The page before the first answer has come, and before a file is read: what is changed meanwhile counts. */

describe.skipIf(noBrowser)('a page that waits', () => {
  const { at, done } = usePage();

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
    await page.getByRole('slider', { name: slider, exact: true }).waitFor();
    await page.getByText('Asking …').waitFor();
    await page.getByRole('slider', { name: slider, exact: true }).fill('20');
    await page.locator('.outcome h2').first().waitFor();
    expect(page.url()).toContain(said);
    await done(page);
  });

  it.each([
    [
      'what joins a family',
      `#/family?url=${encodeURIComponent(FAMILY)}`,
      'clusters',
      'how much of the smaller one is in the other',
    ],
    ['what is looked for in a text', `#/made-of?text=${encodeURIComponent(FINAL)}`, 'composition', 'quotations'],
  ])('asks again where %s is changed before the first answer', async (_what, address, call, choice) => {
    const page = await at('#/index');
    const asked: string[] = [];
    await page.route(new RegExp(`/${call}(\\?|$)`), async (route) => {
      asked.push(route.request().postData() ?? route.request().url());
      if (asked.length > 1) await route.continue();
    });
    await page.goto(`${page.url().replace(/#.*/, '')}${address}`);
    await page.getByRole('radio', { name: choice, exact: true }).waitFor();
    await page.getByText('Asking …').waitFor();
    await page.getByRole('radio', { name: choice, exact: true }).check();
    await page.locator('.outcome h2').first().waitFor();
    expect(asked.map((question) => /containment|quotations/.test(question))).toEqual([false, true]);
    await done(page);
  });

  it('asks again for a page of results where its slider is moved before the first answer', async () => {
    const page = await at('#/results');
    const asked: unknown[] = [];
    await page.route('**/collapse', async (route) => {
      asked.push(route.request().postDataJSON().thresholds.resemblance);
      if (asked.length > 1) await route.continue();
    });
    await page.locator('textarea').fill('https://a.example/\nhttps://b.example/');
    await page.locator('button.main').click();
    await page.getByText('Asking …').waitFor();
    const steps = await page.evaluate('history.length');
    await page.getByRole('slider', { name: 'alike', exact: true }).fill('70');
    await page.getByRole('heading', { name: '2 results, 2 shown', exact: true }).waitFor();
    expect(asked).toEqual([0.8, 0.7]);
    // the address says so, in place of the one before
    expect([page.url().split('#')[1], await page.evaluate('history.length')]).toEqual([
      '/results?resemblance=0.7',
      steps,
    ]);
    await done(page);
  });

  it('goes to an address that comes as soon as the page stands', async () => {
    const page = await at('#/index');
    // before the next frame, and so before the effects of what was rendered
    await page.addInitScript(`
      new MutationObserver((_, observer) => {
        if (document.querySelector('#page nav') === null) return;
        observer.disconnect();
        location.hash = '#/compare';
      }).observe(document, { childList: true, subtree: true });
    `);
    await page.reload();
    await page.getByRole('group', { name: 'Document a', exact: true }).waitFor({ timeout: 5000 });
    await done(page);
  });

  it('keeps what was given while a file is read, and takes the last of two files', async () => {
    const page = await at('#/compare');
    await page.evaluate(HELD_READING);
    const field = (side: string) => page.getByRole('group', { name: `Document ${side}`, exact: true });
    const take = async (side: string, name: string) => {
      await field(side).getByRole('radio', { name: 'File' }).check();
      await field(side)
        .locator('input')
        .last()
        .setInputFiles({ name, mimeType: 'text/html', buffer: Buffer.from(name) });
    };
    await take('a', 'held-1.html');
    await take('a', 'last.html');
    await field('a').getByText('last.html').waitFor();
    await take('b', 'held-2.html');
    await page.evaluate('release()');
    await field('b').getByText('held-2.html').waitFor();
    expect(await field('a').locator('strong').textContent()).toBe('last.html');
    await take('b', 'held-3.html');
    await field('a').getByRole('radio', { name: 'URL' }).check();
    await page.getByLabel('Document a: URL').fill(FAMILY);
    await page.evaluate('release()');
    await field('b').getByText('held-3.html').waitFor();
    expect(await page.getByLabel('Document a: URL').inputValue()).toBe(FAMILY);
    await done(page);
  });
});

/** In the page: files whose name begins so are read, one after the other, once `release` is called. */
const HELD_READING = `
  const { readAsDataURL } = FileReader.prototype;
  const held = [];
  window.release = () => {
    const next = held.shift();
    if (next === undefined) return;
    next.reader.addEventListener('loadend', release);
    readAsDataURL.call(next.reader, next.file);
  };
  FileReader.prototype.readAsDataURL = function (file) {
    if (file.name.startsWith('held')) held.push({ reader: this, file });
    else readAsDataURL.call(this, file);
  };
`;
