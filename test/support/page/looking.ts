import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/* A page somebody looks at, and everything that it complained of meanwhile. */

export interface Looking {
  readonly page: Page;
  /** Errors of the console, breaches of the policy, requests to elsewhere, dialogs: none is right. */
  readonly complaints: string[];
}

export type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>;

/** What the browser says of an answer that is no 2xx: the page tells it to whoever looks. */
const EXPECTED = /^Failed to load resource: (the server responded with a status of \d+|net::ERR_FAILED)/;

/** Somebody new looks. */
export async function look(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Looking> {
  return lookIn(await browser.newContext({ viewport: WINDOW, ...options }), url);
}

export const WINDOW = { width: 1280, height: 900 };

/** Somebody opens one more tab. */
export async function lookIn(context: BrowserContext, url: string, media: Media = {}): Promise<Looking> {
  const page = await context.newPage();
  if (Object.keys(media).length > 0) await page.emulateMedia(media);
  const complaints: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(text)) complaints.push(text);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL('/', url).href)) complaints.push(`a request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/**
 * What axe finds wrong with a page as it is, a line each.
 *
 * @param rules those that are asked; none: all. Where a page differs by its colours alone, `color-contrast` will do
 */
export async function axeFindings(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules.length === 0 ? {} : { runOnly: rules }) };
  const found = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => ({ html, failureSummary })) })))`,
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** Gives a page a window of another width, and waits until what is drawn for a width is drawn for that one. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.evaluate(
    `new Promise((done) => { const look = () => innerWidth === ${width} ? done() : requestAnimationFrame(look); look(); })`,
  );
  if ((await page.locator('.map').count()) === 0) return;
  const drawn = Math.min(1000, Math.max(360, width));
  await page.locator(`.map svg[viewBox^="0 0 ${drawn} "]`).waitFor();
}

/** How far a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** Presses Tab until what has the focus has a text, or is named so; fails after 60 steps. @returns how often */
export async function tabTo(page: Page, name: RegExp): Promise<number> {
  const seen: string[] = [];
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      '(({ tagName, textContent, labels, ariaLabel }) => [ariaLabel, labels?.[0]?.textContent, tagName === "TEXTAREA" ? "" : textContent].join(" ").trim())(document.activeElement)',
    );
    seen.push(focused);
    if (name.test(focused)) return step + 1;
  }
  throw new Error(`the keyboard comes to ${seen.join(' | ')}`);
}
