import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { COUNT, inputFile, KINDS, pdfFile, urlOf, wordsOf } from '../support/cli/input-files.ts';
import { runHere, serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

/* Files and addresses of each kind, as they come, into an index that is then asked. */

interface Exported {
  readonly url: string;
  readonly text: string;
}

const linesOf = <T>(text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

async function ingested(args: readonly string[], environment: Record<string, string>) {
  const { code, out, err } = await runHere(['ingest', ...args, '--json'], environment);
  return { code, err, summary: out === '' ? null : JSON.parse(out) };
}

async function urlsIn(environment: Record<string, string>, args: readonly string[] = []): Promise<string[]> {
  const { out } = await runHere(['list', '--json', ...args], environment);
  return linesOf<Exported>(out)
    .map(({ url }) => url)
    .sort();
}

describe('a file that is read', () => {
  it.each(KINDS)('of kind %s has all its documents found again, and changes nothing the second time', async (kind) => {
    const folder = temporaryFolder();
    const environment = { DATA_DIR: join(folder, 'index') };
    const path = inputFile(folder, kind);
    const args = [path, '--url-prefix', 'https://a.example/'];
    const { code, err, summary } = await ingested(args, environment);
    expect({ code, err }).toEqual({ code: EXIT_CODES.done, err: '' });
    expect(summary).toMatchObject({ results: { created: COUNT }, refused: {} });
    const urlsOf = (n: number) => (kind === 'folder' ? `https://a.example/${n % 4}/${n}.html` : urlOf(n));
    expect(await urlsIn(environment)).toEqual(Array.from({ length: COUNT }, (_, n) => urlsOf(n)).sort());
    const question = join(folder, 'question.txt');
    writeFileSync(question, wordsOf(17));
    const { out } = await runHere(['similar', question, '--json'], environment);
    expect(JSON.parse(out).matches[0].sources[0].url).toBe(urlsOf(17));
    const again = await ingested(args, environment);
    expect(again.summary.results.created).toBeUndefined();
    expect(again.summary.results.updated).toBeUndefined();
  });

  it('is a PDF file, in a folder index and behind a service', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'report.pdf');
    writeFileSync(file, pdfFile(wordsOf(3)));
    const args = [file, '--url-prefix', 'https://a.example/'];
    const inFolder = { DATA_DIR: join(folder, 'index') };
    expect((await ingested(args, inFolder)).summary).toMatchObject({ results: { created: 1 } });
    const { url } = await serveHere({ DATA_DIR: join(folder, 'served') });
    expect((await ingested([...args, '--server', url], {})).summary).toMatchObject({ results: { created: 1 } });
    const question = join(folder, 'question.txt');
    writeFileSync(question, wordsOf(3));
    for (const [where, environment] of [
      [[], inFolder],
      [['--server', url], {}],
    ] as const) {
      const { out } = await runHere(['similar', question, '--json', ...where], environment as Record<string, string>);
      expect(JSON.parse(out).matches[0].sources[0].url).toBe('https://a.example/report.pdf');
    }
  });

  it('skips what resembles a document, says what resembles what, and names what it refuses', async () => {
    const folder = temporaryFolder();
    const environment = { DATA_DIR: join(folder, 'index') };
    const lines = [
      { url: urlOf(1), text: wordsOf(1) },
      { url: urlOf(2), text: `${wordsOf(1)} and` },
      { url: urlOf(3) },
      { url: urlOf(4), text: wordsOf(4) },
    ];
    const input = join(folder, 'lines.ndjson');
    writeFileSync(input, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const [errors, report] = [join(folder, 'errors'), join(folder, 'report')];
    const args = [input, '--unless-similar', '.9', '--errors', errors, '--report-similar', report];
    const { code, summary } = await ingested(args, environment);
    expect(code).toBe(EXIT_CODES.refused);
    expect(summary).toMatchObject({ read: 4, results: { created: 2, skipped: 1 }, refused: { 'no-text': 1 } });
    expect(linesOf(readFileSync(errors, 'utf8'))).toMatchObject([{ file: input, at: 'line 3', url: urlOf(3) }]);
    expect(linesOf(readFileSync(report, 'utf8'))).toMatchObject([
      { url: urlOf(2), status: 'skipped', similar: [{ urls: [urlOf(1)] }] },
    ]);
  });

  it('is named rightly, or nothing is read', async () => {
    const folder = temporaryFolder();
    const environment = { DATA_DIR: join(folder, 'index') };
    const lines = inputFile(folder, 'lines.ndjson');
    for (const [args, told] of [
      [[join(folder, 'nothing')], 'There is no file or folder'],
      [[join(folder, '*.nothing')], 'matches no file'],
      [[lines, '--format', 'docx'], '--format takes one of'],
      [[lines, '--url-prefix', 'here'], 'begins with a scheme'],
    ] as const) {
      const { code, err } = await ingested(args, environment);
      expect({ code, err }).toEqual({ code: EXIT_CODES.usage, err: expect.stringContaining(told) });
    }
  });
});

/** A site with so many pages, and lists of them. */
async function startSite(count: number) {
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    const path = url.split('?')[0]!;
    asked.push(path);
    const base = `http://${headers.host}`;
    const pages = Array.from({ length: count }, (_, n) => `${base}/pages/${n}`);
    const urlset = (some: readonly string[]) =>
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${some.map((page) => `<url><loc>${page}</loc><lastmod>2026-01-02</lastmod></url>`).join('')}</urlset>`;
    const answers: Record<string, () => readonly [type: string, body: string | Buffer]> = {
      '/robots.txt': () => ['text/plain', 'User-agent: *\nDisallow: /pages/1\nAllow: /pages/1?\n'],
      '/sitemap.xml': () => [
        'application/xml',
        `<sitemapindex><sitemap><loc>${base}/one.xml</loc></sitemap><sitemap><loc>${base}/two.xml.gz</loc></sitemap></sitemapindex>`,
      ],
      '/one.xml': () => ['text/xml', urlset(pages.slice(0, 4))],
      '/two.xml.gz': () => ['application/gzip', gzipSync(urlset(pages.slice(4)))],
      '/feed': () => [
        'application/rss+xml',
        `<rss version="2.0"><channel>${pages.map((page) => `<item><link>${page}</link></item>`).join('')}</channel></rss>`,
      ],
      '/feed.json': () => [
        'application/feed+json',
        JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items: pages.map((page) => ({ url: page })) }),
      ],
      '/urls.txt': () => ['text/plain', pages.join('\n')],
      '/data': () => ['application/octet-stream', Buffer.from([0, 1, 2, 3])],
    };
    const number = /^\/pages\/(\d+)$/.exec(path)?.[1];
    const answer = number === undefined ? answers[path]?.() : (['text/html', `<p>${wordsOf(Number(number))}`] as const);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': answer?.[0] ?? 'text/plain' });
    response.end(answer?.[1] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const environment = {
    ...{ FETCH_ALLOWED_PRIVATE: '127.0.0.0/8', FETCH_PORTS: String(port), FETCH_PER_HOST_INTERVAL_MS: '0' },
    FETCH_FAILURE_MEMORY_MS: '0',
  };
  return { base: `http://127.0.0.1:${port}`, asked, environment };
}

describe('a list that is read', () => {
  const PAGES = 12;
  it.each(['sitemap.xml', 'feed', 'feed.json', 'urls.txt'])('from /%s has its documents fetched', async (name) => {
    const site = await startSite(PAGES);
    const environment = { DATA_DIR: join(temporaryFolder(), 'index'), ...site.environment };
    const { code, summary } = await ingested([`${site.base}/${name}`], environment);
    // robots.txt keeps us from those that begin with /pages/1
    expect(code).toBe(EXIT_CODES.done);
    expect(summary).toMatchObject({ results: { created: 9 }, passedOver: { 'robots-disallowed': 3 } });
    expect(await urlsIn(environment)).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${site.base}/pages/${n}`).sort());
    expect(site.asked.filter((path) => path.startsWith('/pages/1'))).toEqual([]);
  });

  it.each(['sitemap.xml', 'urls.txt'])('from /%s is a corpus to be clustered', async (name) => {
    const site = await startSite(PAGES);
    const folder = temporaryFolder();
    const file = join(folder, 'more.ndjson');
    writeFileSync(file, `${JSON.stringify({ url: 'https://b.example/copy', text: wordsOf(3) })}\n`);
    const result = join(folder, 'result');
    const args = ['cluster', `${site.base}/${name}`, file, '--out', result];
    const { code, out } = await runHere([...args, '--json'], site.environment);
    expect(code).toBe(EXIT_CODES.done);
    expect(JSON.parse(out)).toMatchObject({
      counts: { records: PAGES + 1, documents: 10, texts: 9 },
      leftOut: { 'robots-disallowed': 3 },
    });
    const clusters = await runHere(['cluster', result, '--at', '1'], {});
    expect(linesOf<{ urls: string[] }>(clusters.out).map(({ urls }) => urls)).toEqual([
      [`${site.base}/pages/3`, 'https://b.example/copy'],
    ]);
  });

  it('from a file goes to a service, which fetches; what did not change since is not fetched again', async () => {
    const site = await startSite(PAGES);
    const folder = temporaryFolder();
    const { url } = await serveHere({ DATA_DIR: join(folder, 'served'), ...site.environment });
    const file = join(folder, 'urls.txt');
    writeFileSync(file, `# pages\n${site.base}/pages/3\n${site.base}/pages/4\n${site.base}/nothing\n`);
    const first = await ingested([file, '--server', url], site.environment);
    expect(first.summary).toMatchObject({ results: { created: 2 }, read: 3 });
    const sitemap = `${site.base}/sitemap.xml`;
    const second = await ingested([sitemap, '--server', url], site.environment);
    expect(second.summary).toMatchObject({ results: { created: 7 }, notModified: 2 });
    const asked = site.asked.length;
    const third = await ingested([sitemap, '--server', url], site.environment);
    expect(third.summary).toMatchObject({ results: {}, notModified: 9 });
    expect(site.asked.slice(asked).filter((path) => path.startsWith('/pages'))).toEqual([]);
  });

  it('that is none is refused, and says why', async () => {
    const site = await startSite(PAGES);
    const folder = temporaryFolder();
    const environment = { DATA_DIR: join(folder, 'index'), ...site.environment };
    const errors = join(folder, 'errors');
    const names = ['nothing', 'data', 'pages/3'].map((name) => `${site.base}/${name}`);
    const { summary } = await ingested([...names, '--errors', errors], environment);
    expect(summary).toMatchObject({ results: { created: 1 }, refused: { unreadable: 1, malformed: 1 } });
    expect(linesOf<{ detail: string }>(readFileSync(errors, 'utf8')).map(({ detail }) => detail)).toEqual([
      'The server answered with status 404.',
      expect.stringContaining('cannot be told'),
    ]);
    expect(existsSync(join(folder, 'index'))).toBe(true);
  });
});
