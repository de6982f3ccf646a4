import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../../../tools/build-page.ts';
import { createHttpFixture, type HttpFixture } from '../../support/http/http-fixture.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { filesUnder, readText } from '../../support/tree/tree.ts';

let folder: string;
let fixture: HttpFixture;
let assets: readonly string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shingled-page-'));
  await buildPage(folder);
  assets = readdirSync(`${folder}/assets`).map((name) => `/assets/${name}`);
  fixture = await createHttpFixture({ http: { pageFolder: folder } });
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => fixture.app.inject({ url, headers });

describe('the page at /', () => {
  it('is served as it was built, under a policy that lets in nothing else', async () => {
    const { statusCode, headers, body } = await get('/');
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(body).toBe(readFileSync(`${folder}/index.html`, 'utf8'));
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|data:|blob:|https?:|\*/);
  });

  it('has names that hold what is in them, which are kept for ever', async () => {
    expect(assets.map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['css', 'js', 'svg']);
    for (const url of assets) {
      expect(url).toMatch(/-[\w-]{8}\.\w+$/);
      const { statusCode, headers } = await get(url);
      expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  it('is sent in gzip to those who take it so, and to no one else', async () => {
    for (const url of ['/', ...assets]) {
      const plain = await get(url);
      for (const accept of ['gzip', 'deflate, gzip;q=0.5', 'GZIP, br', 'gzip;q=0.01']) {
        const zipped = await get(url, { 'accept-encoding': accept });
        expect([accept, zipped.headers['content-encoding'], zipped.headers['vary']]).toEqual([
          accept,
          'gzip',
          'accept-encoding',
        ]);
        expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
        expect(zipped.headers['etag']).not.toBe(plain.headers['etag']);
        const again = await get(url, { 'accept-encoding': accept, 'if-none-match': String(zipped.headers['etag']) });
        expect([again.statusCode, again.headers['vary']]).toEqual([304, 'accept-encoding']);
      }
      for (const accept of ['', 'br', 'identity', 'gzip;q=0', 'gzip; q=0.000, br', 'xgzip']) {
        const { headers } = await get(url, { 'accept-encoding': accept });
        expect([accept, headers['content-encoding']]).toEqual([accept, undefined]);
      }
    }
  });

  it('has 120 kB of script at the most, compressed, and none of it in the page', () => {
    const script = assets.filter((name) => name.endsWith('.js')).map((name) => readFileSync(`${folder}${name}`));
    const zipped = script.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
    expect(zipped).toBeGreaterThan(10_000);
    expect(zipped).toBeLessThan(120_000);
    const page = readFileSync(`${folder}/index.html`, 'utf8');
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
    for (const [, address] of page.matchAll(/(?:src|href)="([^"]*)"/g))
      expect(address).toMatch(/^\.\/assets\/[\w.-]+$/);
  });

  it('names the licences of what is in its script', () => {
    const script = readFileSync(`${folder}${assets.find((name) => name.endsWith('.js'))}`, 'utf8');
    expect(script).toMatch(/\/\*! preact: The MIT License .* Copyright \(c\) 2015-present Jason Miller/);
  });

  it('makes no markup of texts, anywhere in its source', () => {
    const sources = ['.ts', '.tsx'].flatMap((ending) => filesUnder('src/page', ending));
    expect(sources.length).toBeGreaterThan(30);
    const markup =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|createContextualFragment|\beval\b/i;
    expect(sources.filter((path) => markup.test(readText(path)))).toEqual([]);
    expect(sources.filter((path) => /href=\{(?!formatAddress\(|href\}|archive\})/.test(readText(path)))).toEqual([]);
  });

  it('is all that there is below /assets', async () => {
    for (const url of [
      '/assets',
      '/assets/',
      '/assets/index.html',
      '/assets/../index.html',
      '/index.html',
      '/assets/%2e%2e/index.html',
    ])
      expect([url, [301, 302, 404].includes((await get(url)).statusCode)]).toEqual([url, true]);
  });
});

describe('a service whose page is not built', () => {
  it('leads to /docs', async () => {
    for (const pageFolder of [null, temporaryFolder()]) {
      const other = await createHttpFixture({ http: { pageFolder } });
      const { statusCode, headers } = await other.app.inject('/');
      expect([statusCode, headers['location']]).toEqual([302, 'docs']);
      await other.close();
    }
  });

  it('does not start with a file whose type nobody knows', async () => {
    const odd = temporaryFolder();
    await buildPage(odd);
    writeFileSync(`${odd}/assets/x.exe`, '');
    await expect(createHttpFixture({ http: { pageFolder: odd } })).rejects.toThrow('unknown type');
  });
});
