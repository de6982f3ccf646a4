import { describe, expect, it } from 'vitest';
import { createTextMaker } from '../support/core/make-documents.ts';
import { noBrowser } from '../support/http/browser.ts';
import { axeFindings } from '../support/page/looking.ts';
import { usePage } from '../support/page/use-page.ts';
import { article, frame, framedPage } from '../support/pages/framed-page.ts';

/* What the page shows of contents: which of two texts is main, and what families and compositions are asked by. */

const make = createTextMaker(101);
const around = frame(make, 150);
const story = article(make, 120);
const OTHER = framedPage(around, `${article(make, 40)}\n\n${story}`);

describe.skipIf(noBrowser)('contents on the page', () => {
  const { at, done } = usePage();

  it('shows side by side what is main text, not by colour alone, and can be read in both schemes', async () => {
    const page = await at('#/compare');
    for (const [side, html] of [
      ['a', framedPage(around, story)],
      ['b', OTHER],
    ] as const) {
      const field = page.getByRole('group', { name: `Document ${side}`, exact: true });
      await field.getByRole('radio', { name: 'File' }).check();
      const file = { name: `${side}.html`, mimeType: 'text/html', buffer: Buffer.from(html) };
      await field.locator('input').last().setInputFiles(file);
    }
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.pane').first().waitFor();
    const pane = page.getByRole('region', { name: 'Text a' });
    const frames = await pane.locator('.beside-main').allTextContents();
    expect(frames.join(' ').length).toBeGreaterThan(200);
    for (const word of story.split(/\W+/).slice(0, 40))
      expect((await pane.textContent())!.toLowerCase()).toContain(word.toLowerCase());
    await page.getByText('not main text').waitFor();
    await page.getByText('Main text against main text:').waitFor();
    const sizeOf = (where: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${where}')).fontSize`);
    expect(Number.parseFloat(await sizeOf('.pane .beside-main'))).toBeLessThan(
      Number.parseFloat(await sizeOf('.pane')),
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page, colorScheme === 'light' ? [] : ['color-contrast'])).toEqual([]);
    }
    await done(page);
  });

  it.each([
    ['a family', '#/family?url=https%3A%2F%2Fa.example%2F', 'clusters'],
    ['a composition', `#/made-of?text=${encodeURIComponent(story.slice(0, 300))}`, 'composition'],
  ])('asks %s by what was chosen, and says so in its address', async (_what, address, call) => {
    const page = await at('#/index');
    const asked: string[] = [];
    await page.route(new RegExp(`/${call}(\\?|$)`), async (route) => {
      asked.push(route.request().postData() ?? route.request().url());
    });
    await page.goto(`${page.url().replace(/#.*/, '')}${address}`);
    await page.getByText('Asking …').waitFor();
    await page.getByRole('combobox', { name: 'compared by' }).selectOption('main');
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]).toMatch(/content"?[=:]"?main/);
    expect(page.url()).toContain('content=main');
    await done(page);
  });
});
