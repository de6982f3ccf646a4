import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Hit, pagesOf as pagesOfHits } from '../../examples/opensearch.ts';
import { type SearxngResult, withoutCopies } from '../../examples/searxng.ts';
import { type Capture, pagesOf as pagesOfCaptures } from '../../examples/web-archive.ts';
import { docSteps, runDoc } from '../support/docs/doc-runner.ts';
import { knownKeyFile } from '../support/docs/known-key.ts';
import { serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { readText } from '../support/tree/tree.ts';

/* The examples against the service, and answers in the form of those searches, about pages that are made up. */

const recorded = (name: string): unknown => JSON.parse(readText(`test/recorded/${name}.json`));
const { results } = recorded('searxng') as { results: SearxngResult[] };
const { response_items: captures } = recorded('arquivo') as { response_items: Capture[] };
const openSearch = recorded('opensearch') as { hits: { hits: Hit[] } };
const { hits } = openSearch.hits;

const freshService = async () =>
  (await serveHere({ DATA_DIR: `${temporaryFolder()}/data`, INDEX_KEY_FILE: knownKeyFile() })).url;

/** What each of the three answers to what it is asked; null where it would refuse. */
function answerOf(method: string, path: string, body: string): unknown {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const asked = `${method} ${pathname}`;
  if (asked === 'GET /search' && searchParams.get('format') === 'json' && searchParams.has('q')) {
    return recorded('searxng');
  }
  if (asked === 'GET /textsearch' && searchParams.has('q')) return recorded('arquivo');
  if (asked !== 'POST /pages/_search') return null;
  const { from, size, query } = JSON.parse(body) as { from: number; size: number; query: { match: { text: string } } };
  if (query.match.text !== 'tide') return null;
  return { ...openSearch, hits: { ...openSearch.hits, hits: hits.slice(from, from + size) } };
}

/** All three searches at one port of this machine. */
async function startSearches(): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = answerOf(request.method!, request.url!, body);
      response.writeHead(answer === null ? 403 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `localhost:${(server.address() as AddressInfo).port}`;
}

describe('docs/search-pages.md', () => {
  it('shows what each example prints', async () => {
    const page = readText('docs/search-pages.md').replaceAll(/localhost:(8888|8889|9200)/g, await startSearches());
    const steps = docSteps(page);
    expect(steps.map(({ command }) => /examples\/[\w-]+/.exec(command)?.[0])).toEqual([
      undefined,
      'examples/searxng',
      'examples/web-archive',
      'examples/opensearch',
    ]);
    expect(steps.filter(({ expected }) => expected === null)).toEqual([]);
    expect(await runDoc(page, await freshService())).toEqual([]);
  });
});

describe('examples/searxng.ts', () => {
  it('names each result once, no more than two of a host in front, and takes odd results too', async () => {
    const url = await freshService();
    const warn = vi.spyOn(console, 'warn');
    onTestFinished(() => warn.mockRestore());
    const shown = await withoutCopies(results, url);
    const all = shown.flatMap(({ result, alike, moreOfHost }) => [result, ...alike, ...moreOfHost]);
    expect(all.toSorted((a, b) => results.indexOf(a) - results.indexOf(b))).toEqual(results);
    const ofHarbour = shown.filter(({ result }) => result.url!.startsWith('https://harbour.example/'));
    expect(ofHarbour.map(({ moreOfHost }) => moreOfHost.length)).toEqual([0, 2]);
    // no URL, a content of any length, half a character
    const odd = [
      { url: null, title: 'No URL', content: 'the long tale of the tide '.repeat(2000) },
      { url: '', title: 'No URL', content: 'half of \ud83c' },
      { url: 'https://a.example/x', title: 'Cut in two', content: '🌊'.repeat(3000) },
    ];
    expect((await withoutCopies(odd, url)).map(({ result }) => result)).toEqual(odd);
    expect(warn).not.toHaveBeenCalled();
  });

  it('leaves the results as they came, and says so, where nobody or an error answers', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const asTheyCame = results.map((result) => ({ result, alike: [], moreOfHost: [] }));
    expect(await withoutCopies(results, 'http://127.0.0.1:1')).toEqual(asTheyCame);
    expect(await withoutCopies(results, `http://${await startSearches()}`)).toEqual(asTheyCame);
    expect(warn.mock.calls.map(([line]) => String(line))).toEqual([
      expect.stringContaining('fetch failed'),
      expect.stringContaining('shingled answered 403'),
    ]);
  });
});

describe('examples/web-archive.ts', () => {
  it('names each capture once, the oldest of a page first and its title for the page', async () => {
    const pages = await pagesOfCaptures(captures, await freshService());
    const all = pages.flatMap((page) => page.captures);
    expect(all.toSorted((a, b) => captures.indexOf(a) - captures.indexOf(b))).toEqual(captures);
    for (const page of pages) {
      const dates = page.captures.map(({ tstamp }) => tstamp);
      expect(dates).toEqual(dates.toSorted());
      expect(page.title).toBe(page.captures[0]!.title);
    }
    expect(pages.map((page) => page.captures.length)).toEqual([2, 3]);
  });
});

describe('examples/opensearch.ts', () => {
  const idsOf = (pages: { hit: Hit }[][]) => pages.map((page) => page.map(({ hit }) => hit._id));

  it('fills every page, shows nothing twice, and all that is no copy', async () => {
    const url = await freshService();
    const pagesOf = (all: readonly Hit[], size: number) =>
      Array.fromAsync(pagesOfHits((from, count) => Promise.resolve(all.slice(from, from + count)), url, size));
    expect(idsOf(await pagesOf(hits, 1))).toEqual([['tide'], ['sailor'], ['bore'], ['mill'], ['power']]);
    expect(idsOf(await pagesOf(hits, 2))).toEqual([['tide', 'sailor'], ['bore', 'mill'], ['power']]);
    expect(idsOf(await pagesOf(hits, 5))).toEqual([['tide', 'sailor', 'bore', 'mill', 'power']]);
    expect(idsOf(await pagesOf(hits, 10))).toEqual([['tide', 'sailor', 'bore', 'mill', 'power']]);
    expect(await pagesOf([], 10)).toEqual([]);
    // more copies than it asks for at once, and then another
    const copies = Array.from({ length: 120 }, (_, at): Hit => {
      const { _source } = hits[at < 110 ? 0 : 4]!;
      return { _id: `${at}`, _source: { ..._source, url: `https://copies.example/${at}` } };
    });
    expect(idsOf(await pagesOf(copies, 2))).toEqual([['0', '110']]);
    // more results than it tells of as shown
    const many = Array.from({ length: 170 }, (_, at): Hit => {
      const text = Array.from({ length: 12 }, (_, word) => `w${at}x${word}`).join(' ');
      return { _id: `${at}`, _source: { url: `https://many.example/${at}`, title: `${at}`, text } };
    });
    expect(idsOf(await pagesOf(many, 20)).flat()).toEqual(many.map(({ _id }) => _id));
  });
});

describe('openapi/types.d.ts', () => {
  it('has a type for each schema of the OpenAPI document, by its name', () => {
    const openApi = JSON.parse(readText('openapi/openapi.json')) as { components: { schemas: object } };
    const names = [...readText('openapi/types.d.ts').matchAll(/^export type (\w+) =/gm)].map((match) => match[1]!);
    expect(names.toSorted()).toEqual(Object.keys(openApi.components.schemas).toSorted());
  });
});
