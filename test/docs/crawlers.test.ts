import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { crawl } from '../../examples/crawlee.ts';
import { storeUnlessSimilar } from '../../examples/unless-similar.ts';
import { runDoc } from '../support/docs/doc-runner.ts';
import { serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { readText } from '../support/tree/tree.ts';

/* Both examples against the service, and a site with copies. */

const TIDES =
  'The tide is the rise and fall of the sea under the pull of the Moon and the Sun. At new and full moon both pull along one line, and the tides are high; at the quarters they pull at right angles, and the tides are low.';
const BOATS =
  'A boat that dries out at low water wants a flat bottom or legs, a keel that can bear her weight, and an anchor that holds when the flood comes in again over the sand and lifts her stern first.';
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');

const PAGES: Readonly<Record<string, string>> = {
  '/': `<title>Start</title><p>Of the sea and of those who live by it, a few pages that nobody has copied from anywhere else so far. ${links('/tides', '/boats', '/gone')}`,
  '/tides': `<title>Tides</title><p>${TIDES} ${links('/tides/print')}`,
  '/tides/print': `<title>Tides</title><p>${TIDES} ${links('/tides/print/again')}`,
  '/tides/print/again': '<p>Nobody comes here',
  '/boats': `<title>Boats</title><p>${BOATS}`,
};

async function startSite(): Promise<{ readonly base: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const page = PAGES[url];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(page ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { base: `http://localhost:${(server.address() as AddressInfo).port}`, asked };
}

const freshService = async () => (await serveHere({ DATA_DIR: `${temporaryFolder()}/data` })).url;

describe('docs/crawlers.md', () => {
  it('shows what each example prints', async () => {
    const { base } = await startSite();
    const page = readText('docs/crawlers.md').replaceAll('http://localhost:8889', base);
    expect(await runDoc(page, await freshService())).toEqual([]);
  });
});

describe('examples/crawlee.ts', () => {
  it('stores each text once, and follows no link of a copy', async () => {
    const { base, asked } = await startSite();
    const { stored, copies, failed } = await crawl(`${base}/`, await freshService());
    expect(stored.toSorted()).toEqual([`${base}/`, `${base}/boats`, `${base}/tides`]);
    expect(copies).toEqual([{ url: `${base}/tides/print`, copyOf: `${base}/tides` }]);
    expect(failed).toEqual([`${base}/gone`]);
    expect(asked).not.toContain('/tides/print/again');
  });
});

describe('examples/unless-similar.ts', () => {
  it('waits where the service is busy, and gives up where it refuses', async () => {
    let busy = 2;
    const server = createServer((request, response) => {
      request.resume();
      if (busy-- > 0) response.writeHead(503, { 'retry-after': '0' }).end('{}');
      else response.writeHead(415).end('{"code": "unsupported-media-type"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://localhost:${(server.address() as AddressInfo).port}`;
    const page = { url: 'https://a.example/', body: 'x', contentType: 'image/png' };
    await expect(storeUnlessSimilar(page, url)).rejects.toThrow(
      'shingled answered 415: {"code": "unsupported-media-type"}',
    );
    expect(busy).toBe(-1);
  });

  it('stores a page that is sent again', async () => {
    const url = await freshService();
    const page = { url: 'https://a.example/tides', body: TIDES, contentType: 'text/plain' };
    expect(await storeUnlessSimilar(page, url)).toEqual({ copyOf: null, resemblance: null });
    expect(await storeUnlessSimilar(page, url)).toEqual({ copyOf: null, resemblance: null });
    const copy = { ...page, url: 'https://b.example/tides' };
    expect(await storeUnlessSimilar(copy, url)).toEqual({ copyOf: page.url, resemblance: 1 });
  });
});
