import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { createHttpFixture, type HttpFixture } from '../support/http-fixture.ts';
import { listening } from '../support/raw-client.ts';

/* The documentation page in a real browser, with everything but this service out of reach. */

describe.skipIf(noBrowser)('/docs in a browser', () => {
  let fixture: HttpFixture;
  let origin: string;
  beforeAll(async () => {
    fixture = await createHttpFixture({ http: { allowedHosts: [] } });
    origin = `http://127.0.0.1:${await listening(fixture.app)}`;
  });
  afterAll(() => fixture.close());

  it('shows every call and tries one out, from this service alone and without a complaint', async () => {
    const browser = await launchBrowser();
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
      const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as { paths: Record<string, object> };
      const calls = Object.values(paths).flatMap(Object.keys);
      expect(calls.length).toBeGreaterThan(12);
      expect(await page.locator('.opblock').count()).toBe(calls.length);
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
