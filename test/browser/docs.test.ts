import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILE_TYPES } from '../../src/features/file-types.ts';
import { type OpenApiDocument, partOfOpenApi } from '../support/docs/part-of-openapi.ts';
import { launchBrowser, noBrowser } from '../support/http/browser.ts';
import type { HttpFixture } from '../support/http/http-fixture.ts';
import { createHttpOnDisk } from '../support/http/http-on-disk.ts';
import { listening } from '../support/http/raw-client.ts';
import { openPrefixProxy } from '../support/page/prefix-proxy.ts';
import { makePdf } from '../support/pdf/make-pdf.ts';

/*
 * The documentation page in a real browser, with everything but this service out of reach, and below a path that a proxy
 * takes off: whatever it says that is not relative leads astray.
 *
 * For each call that is opened the page goes through all of its document. So all calls are shown once together, and are executed
 * where the page has those of a tag alone, in the order in which it has them all: a first walk.
 */

/** Ten seconds of work where nobody else works. */
const TAG_TIMEOUT_MS = 300_000;
/** In the order in which the page has them: what is put first is asked about later. */
const TAGS = ['documents', 'similar', 'compare', 'moved', 'operation'];

const PDF_FILE = {
  ...{ name: 'fox.pdf', mimeType: 'application/pdf' },
  buffer: makePdf([['The quick brown fox jumps over the lazy dog.']]),
};

/** Types that the page sends as it does a PDF file. */
const LIKE_PDF = new Set<string>(Object.values(FILE_TYPES).filter((type) => type !== FILE_TYPES.pdf));

describe.skipIf(noBrowser)('/docs in a browser', () => {
  let fixture: HttpFixture;
  let origin: string;
  let proxy: Awaited<ReturnType<typeof openPrefixProxy>>;
  let folder: string;
  let browser: Browser;
  let page: Page;
  /** What the page is given in place of its document. */
  let part: OpenApiDocument | null = null;
  const complaints: string[] = [];
  /** Ids of the calls that are shown, and of those that were executed. */
  let shown: string[] = [];
  const executed: string[] = [];
  /** Bodies that were sent: a type with its schema and its example. */
  const sent = new Set<string>();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shingled-docs-'));
    fixture = await createHttpOnDisk(folder, { http: { allowedHosts: [] } });
    proxy = await openPrefixProxy(`http://127.0.0.1:${await listening(fixture.app)}/`, '/tools/shingled/');
    origin = proxy.url.replace(/\/$/, '');
    browser = await launchBrowser(['--disable-gpu']);
    page = await browser.newPage();
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
    await page.route('**/docs/json', (route) => (part === null ? route.continue() : route.fulfill({ json: part })));
  });
  afterAll(async () => {
    await browser.close();
    await proxy.close();
    await fixture.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens the page. @returns the calls that it shows */
  async function open(path: string): Promise<Locator[]> {
    await page.goto(`${origin}${path}`);
    await page.locator('.opblock').first().waitFor();
    // drawing what slides and fades took a fifth of the time
    await page.addStyleTag({ content: '* { animation: none !important; transition: none !important }' });
    return page.locator('.opblock').all();
  }

  /** Whether the page was asked to send this very body before, by whichever call: calls share bodies in all types but JSON. */
  function isSent(id: string, type: string): boolean {
    const calls = Object.values(part?.paths ?? {}).flatMap(Object.values);
    const call = calls.find(({ operationId, tags }) => id === `operations-${tags[0]}-${operationId}`);
    const body = JSON.stringify([type, call?.requestBody?.content[type]]);
    const isKnown = call !== undefined && sent.has(body);
    if (call !== undefined) sent.add(body);
    return isKnown;
  }

  /** Executes a call as it is filled in, once for each type of body that was not sent before. */
  async function execute(block: Locator): Promise<void> {
    const id = (await block.getAttribute('id'))!;
    await block.locator('.opblock-summary-control').click();
    // the button is there before the page knows what the call takes
    await block.locator('.opblock-section-header').first().waitFor();
    const types = block.locator('.opblock-section-request-body select.content-type');
    const all = (await types.count()) === 0 ? [null] : await types.locator('option').allTextContents();
    const choices = all.filter((type) => type === null || (!LIKE_PDF.has(type) && !isSent(id, type)));
    expect([id, choices.length]).toEqual([id, expect.toSatisfy((count: number) => count > 0)]);
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
      }
      const answered = page.waitForResponse((response) => !response.url().includes('/docs'));
      await block.locator('.execute').click();
      const response = await answered.catch(async (cause: unknown) => {
        throw new Error(`Nothing is sent for ${id} ${type}.`, { cause });
      });
      const body = type?.includes('NDJSON') === true ? await response.text() : '';
      const told = response.ok() ? '' : `${response.url()} ${await response.text()}`;
      expect([id, type, response.status(), told]).toEqual([id, type, expect.toBeOneOf([200, 201]), '']);
      expect(body).not.toContain('"code"');
    }
    await block.locator('.opblock-summary-control').click();
  }

  /** Nobody complained: not the browser, and not the page of its document. */
  async function expectNoComplaint(): Promise<void> {
    expect([complaints, await page.locator('.errors-wrapper').allTextContents()]).toEqual([[], []]);
  }

  it('shows every call, and executes one among them all', async () => {
    const blocks = await open('/');
    expect(page.url()).toBe(`${origin}/docs`);
    const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as OpenApiDocument;
    const calls = Object.values(paths).flatMap(Object.keys);
    expect(calls.length).toBeGreaterThan(12);
    expect(blocks.length).toBe(calls.length);
    expect(await page.title()).toBe('shingled');
    shown = await page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(shown).size).toBe(calls.length);
    await execute(page.locator('#operations-documents-bulk'));
    await expectNoComplaint();
  });

  it.each(TAGS)(
    'executes each call of %s, from this service alone and without a complaint',
    async (tag) => {
      part = partOfOpenApi((await (await fetch(`${origin}/docs/json`)).json()) as OpenApiDocument, tag);
      for (const block of await open('/docs')) {
        await execute(block);
        executed.push((await block.getAttribute('id'))!);
      }
      await expectNoComplaint();
    },
    TAG_TIMEOUT_MS,
  );

  it('has executed every call that is shown', () => {
    expect(executed.toSorted()).toEqual(shown.toSorted());
  });
});
