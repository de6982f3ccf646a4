import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture } from '../support/http-fixture.ts';
import { listening } from '../support/raw-client.ts';

/*
 * The documentation page in a real browser, with everything but this service out of reach. Skipped where no browser is
 * found on PATH or at CHROMIUM_PATH, unless SHINGLED_BROWSER_REQUIRED is set: then its absence is a failure.
 */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const REQUIRED = (process.env['SHINGLED_BROWSER_REQUIRED'] ?? '') !== '';

function findBrowser(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = [
    process.env['CHROMIUM_PATH'] ?? '',
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ];
  return paths.find((path) => path !== '' && isExecutable(path)) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const executablePath = findBrowser();

describe.skipIf(executablePath === null && !REQUIRED)('/docs in a browser', () => {
  let fixture: HttpFixture;
  let origin: string;
  beforeAll(async () => {
    fixture = await createHttpFixture();
    origin = `http://127.0.0.1:${await listening(fixture.app)}`;
  });
  afterAll(() => fixture.close());

  it('shows every call and tries one out, from this service alone and without a complaint', async () => {
    expect(executablePath, 'no browser found').not.toBe(null);
    const browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) complaints.push(url);
      });
      page.on('response', (response) => {
        if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
      });
      await page.goto(`${origin}/docs`);
      await page.locator('.opblock').first().waitFor();
      expect(await page.locator('.opblock').count()).toBe(15);
      await page.locator('#operations-operation-stats .opblock-summary-control').click();
      await page.locator('#operations-operation-stats .execute').click();
      const answer = page
        .locator('#operations-operation-stats .live-responses-table .response-col_description pre')
        .first();
      await answer.waitFor();
      expect(await answer.textContent()).toContain('"fingerprintId"');
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
