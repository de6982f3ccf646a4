import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from '../support/http/browser.ts';
import type { HttpFixture } from '../support/http/http-fixture.ts';
import { createHttpOnDisk } from '../support/http/http-on-disk.ts';
import { listening } from '../support/http/raw-client.ts';
import { openPrefixProxy } from '../support/page/prefix-proxy.ts';
import { makePdf } from '../support/pdf/make-pdf.ts';

/*
 * The documentation page in a real browser, with everything but this service out of reach, and below a path that a proxy
 * takes off: whatever it says that is not relative leads astray.
 */

const PDF_FILE = {
  ...{ name: 'fox.pdf', mimeType: 'application/pdf' },
  buffer: makePdf([['The quick brown fox jumps over the lazy dog.']]),
};

describe.skipIf(noBrowser)('/docs in a browser', () => {
  let fixture: HttpFixture;
  let origin: string;
  let proxy: Awaited<ReturnType<typeof openPrefixProxy>>;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shingled-docs-'));
    fixture = await createHttpOnDisk(folder, { http: { allowedHosts: [] } });
    proxy = await openPrefixProxy(`http://127.0.0.1:${await listening(fixture.app)}/`, '/tools/shingled/');
    origin = proxy.url.replace(/\/$/, '');
  });
  afterAll(async () => {
    await proxy.close();
    await fixture.close();
    rmSync(folder, { recursive: true });
  });

  it('shows every call, and executes each as it is filled in, from this service alone and without a complaint', async () => {
    const browser = await launchBrowser(['--disable-gpu']);
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
      await page.goto(`${origin}/`);
      expect(page.url()).toBe(`${origin}/docs`);
      await page.locator('.opblock').first().waitFor();
      const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as { paths: Record<string, object> };
      const calls = Object.values(paths).flatMap(Object.keys);
      expect(calls.length).toBeGreaterThan(12);
      expect(await page.locator('.opblock').count()).toBe(calls.length);
      expect(await page.title()).toBe('shingled');
      // drawing what slides and fades took a fifth of the time
      await page.addStyleTag({ content: '* { animation: none !important; transition: none !important }' });
      const executed: string[] = [];
      for (const block of await page.locator('.opblock').all()) {
        await block.locator('.opblock-summary-control').click();
        const types = block.locator('.opblock-section-request-body select.content-type');
        const choices = (await types.count()) === 0 ? [null] : await types.locator('option').allTextContents();
        // after a file the page spreads the next example over many lines: of its own making, and no lines of NDJSON then
        choices.sort((a, b) => Number(a === PDF_FILE.mimeType) - Number(b === PDF_FILE.mimeType));
        for (const type of choices) {
          if (type !== null) await types.selectOption(type);
          // no page can fill in a file, nor wish that something is only counted
          if (type === PDF_FILE.mimeType) await block.locator('input[type=file]').setInputFiles(PDF_FILE);
          const dryRun = block.locator('tr[data-param-name=dryRun] select');
          if ((await dryRun.count()) > 0) {
            await dryRun.selectOption('true');
            await block.locator('tr[data-param-name=confirm] input').fill('');
            // a slow page draws the call once more when it knows all of it, and with what it had at first
            let looks = 0;
            const stays = async () => {
              looks = (await dryRun.inputValue()) === 'true' ? looks + 1 : 0;
              if (looks === 0) await dryRun.selectOption('true');
              return looks;
            };
            await expect.poll(stays, { interval: 250 }).toBeGreaterThan(3);
          }
          const answered = page.waitForResponse((response) => !response.url().includes('/docs'));
          await block.locator('.execute').click();
          const response = await answered.catch(async (cause: unknown) => {
            throw new Error(`Nothing is sent for ${await block.getAttribute('id')} ${type}.`, { cause });
          });
          const body = type?.includes('NDJSON') === true ? await response.text() : '';
          const told = response.ok() ? '' : `${response.url()} ${await response.text()} `;
          executed.push(`${await block.getAttribute('id')} ${type} ${told}${response.status()}`);
          expect(body).not.toContain('"code"');
        }
        await block.locator('.opblock-summary-control').click();
      }
      expect(executed.length).toBeGreaterThan(calls.length);
      expect(executed.filter((line) => !/ 20[01]$/.test(line))).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
