import { describe, expect, it } from 'vitest';
import { noBrowser } from '../support/http/browser.ts';
import { FAMILY } from '../support/page/known-documents.ts';
import { serveLargeFamily } from '../support/page/large-family.ts';
import { axeFindings } from '../support/page/looking.ts';
import { usePage } from '../support/page/use-page.ts';
import { addressOf, LOOKED } from '../support/page/views.ts';

/* A family in a browser: how it is drawn, and how it falls apart. */

describe.skipIf(noBrowser)('a family in a browser', () => {
  const { at, done } = usePage();
  const shown = async () => {
    const page = await at(addressOf(LOOKED.find(({ view }) => view === 'family')!));
    await page.locator('.tree tbody tr').first().waitFor();
    return page;
  };

  it('lets a family fall apart above the threshold, and grow below it', async () => {
    const page = await shown();
    await page.getByRole('heading', { name: /in one piece at 30 %/ }).waitFor();
    const slider = page.getByRole('slider', { name: 'Threshold' });
    await slider.focus();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: '4 texts in 4 parts at 100 %', exact: true }).waitFor();
    await page.locator('.branch-cut').nth(2).waitFor();
    expect([await page.locator('.edge-cut').count(), await page.locator('.map .node.part-other').count()]).toEqual([
      3, 4,
    ]);
    await page.waitForURL(/threshold=1$/);
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, ['color-contrast'])).toEqual([]);
    await page.keyboard.press('Home');
    await page.getByRole('heading', { name: /^\d+ texts in one piece at 5 %$/ }).waitFor();
    expect(await page.locator('.tree tbody tr').count()).toBeGreaterThanOrEqual(4);
    await page.locator('.links').getByRole('link', { name: 'Side by side', exact: true }).last().click();
    await page.locator('.shares').waitFor();
    await done(page);
  });

  it('draws each text of a family at its day and host, and numbers its weakest links', async () => {
    const page = await shown();
    expect(await page.locator('.map .lane-name').allTextContents()).toEqual([
      'papers.example',
      'history.example',
      'orator.example',
    ]);
    const drawn = await page.locator('.map .node').evaluateAll((nodes) =>
      (nodes as unknown as Drawn[]).map((node) => ({
        ...node.getBoundingClientRect().toJSON(),
        said: node.textContent,
      })),
    );
    const at = (url: string) => drawn.find(({ said }) => said.startsWith(url))!;
    const order = [
      'papers.example/nicolay',
      'papers.example/hay',
      'orator.example/everett',
      'history.example/bancroft',
    ];
    const [nicolay, hay, everett, bancroft] = order.map((url) => at(`https://${url}`));
    expect([nicolay, hay, everett, bancroft].map((node) => node!.x).toSorted((a, b) => a - b)).toEqual(
      [nicolay, hay, everett, bancroft].map((node) => node!.x),
    );
    expect([nicolay!.y === hay!.y, nicolay!.y < bancroft!.y, bancroft!.y < everett!.y]).toEqual([true, true, true]);
    expect(bancroft!.said).toContain('2024-01-09');
    expect(await page.locator('.map .weak').allTextContents()).toEqual(['1', '2', '3']);
    expect(await page.locator('.links li').count()).toBe(3);
    await done(page);
  });

  it('makes neither markup nor a link of what means harm', async () => {
    const page = await at('#/family');
    const url = 'javascript:alert(1)//<img src=x onerror=alert(2)>';
    await page.route('**/clusters?*', async (route) => {
      const answer = await (await route.fetch()).json();
      for (const { sources } of answer.index.members) sources[0].url = url;
      await route.fulfill({ json: answer });
    });
    await page.getByLabel('URL of a page').fill(FAMILY);
    await page.getByRole('button', { name: 'Show its family', exact: true }).click();
    await page.locator('.map').waitFor();
    expect(await page.locator('.map title').first().textContent()).toContain(url);
    expect(await page.locator('.tree .url').first().textContent()).toBe(url);
    expect(await page.locator('.outcome :is(img, script, a[href^="javascript"])').count()).toBe(0);
    await done(page);
  });

  it('bears a slider that never rests', async () => {
    const page = await shown();
    // Safari lets a page note its address 100 times in 30 s, and throws then
    await page.evaluate(
      'const { replaceState } = history; window.noted = 0; history.replaceState = (...all) => { noted++; replaceState.apply(history, all); }',
    );
    await page.getByRole('slider', { name: 'Threshold' }).evaluate((slider) => {
      const input = slider as unknown as { value: string; dispatchEvent(event: Event): void };
      for (let step = 0; step < 300; step++) {
        input.value = String(40 + (step % 50));
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await page.getByRole('heading', { name: /at 89 %$/ }).waitFor();
    await page.waitForURL(/threshold=0.89$/);
    expect(await page.evaluate('noted')).toBeLessThan(10);
    await done(page);
  });

  it('is drawn anew for a window of another width', async () => {
    const page = await shown();
    const widthOf = () => page.locator('.map svg').evaluate((svg) => svg.getAttribute('viewBox')!.split(' ')[2]);
    const before = await widthOf();
    await page.setViewportSize({ width: 500, height: 900 });
    await expect.poll(widthOf).not.toBe(before);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(widthOf).toBe(before);
    await done(page);
  });

  it('draws a family of a thousand, and cuts it anew as the slider moves', async () => {
    const page = await at(`#/family`);
    await serveLargeFamily(page);
    await page.getByLabel('URL of a page').fill(FAMILY);
    await page.getByRole('button', { name: 'Show its family', exact: true }).click();
    await page.getByRole('heading', { name: '1,000 texts in one piece at 50 %', exact: true }).waitFor();
    expect(await page.locator('.gutter circle').count()).toBe(1000);
    expect(await page.locator('.map .node').count()).toBe(1000);
    expect(await page.locator('.map .lane-name').last().textContent()).toBe('13 other hosts');
    const slider = page.getByRole('slider', { name: 'Threshold' });
    await slider.focus();
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: '1,000 texts in 100 parts at 55 %', exact: true }).waitFor();
    expect(await page.locator('.edge-cut').count()).toBe(99);
    await page.locator('.branch-cut').nth(98).waitFor();
    expect(await page.locator('.branch-cut').count()).toBe(99);
    await done(page);
  });
});

interface Drawn {
  readonly textContent: string;
  getBoundingClientRect(): { toJSON(): { x: number; y: number } };
}
