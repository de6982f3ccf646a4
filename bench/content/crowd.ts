import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createPrng } from '../../test/support/prng.ts';
import { startService } from '../support/service-process.ts';
import { shingledScript } from '../support/shingled-script.ts';
import type { Row } from '../support/table.ts';
import { type SetPage, setPages } from './framed-set.ts';
import { askAll } from './over-http.ts';

/* Articles of a host with very many pages in one frame, and a copy of each elsewhere: are the copies found, and how fast? */

const ROUNDS = 10;
const TARGETS = 50;
/** Of a shorter article too little is left to say anything of it. */
const [TARGET_WORDS_LEAST, TARGET_WORDS_MAX] = [60, 120];
const TICKS_PER_S = 100;

/** @param size pages of the host */
export async function crowdRows(path: string, size: number): Promise<Row[]> {
  const pages: SetPage[] = [];
  for await (const page of setPages(path)) pages.push(page);
  // the smallest frame: there are very many pages of it
  const smallest = pages.reduce((least, page) => (frameBytes(page) < frameBytes(least) ? page : least));
  const { host } = smallest;
  const frame = frameOf(smallest);
  const elsewhere = pages.find((page) => page.host !== host)!;
  const other = frameOf(elsewhere);
  const articles = shortArticles(pages, [host, elsewhere.host]);
  const others = pages.filter(({ article }) => !articles.has(article));
  const targets = [...articles.values()].map((text, i) => ({
    url: `https://crowd.example/target/${i}`,
    html: frame(paragraphs(text)),
    copy: { url: `${elsewhere.url}/copy/${i}`, html: other(paragraphs(text)) },
  }));
  const dataDir = mkdtempSync(join(tmpdir(), 'shingled-crowd-'));
  await firstLoad(dataDir, async function* () {
    yield* crowd(others, frame, size);
    yield* pages.filter((page) => page.host === elsewhere.host);
    yield* targets;
    for (const { copy } of targets) yield copy;
  });
  const service = await startService({ DATA_DIR: dataDir });
  try {
    const cpu = () => {
      const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
    };
    const spent = { page: 0, main: 0 };
    let first = 0;
    let complete = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const content of ['page', 'main'] as const) {
        const before = cpu();
        const answers = await askAll(
          service,
          targets.map(({ url }) => ({ url, content, resemblance: 0.5, queryInMatch: 0.8 })),
        );
        spent[content] += cpu() - before;
        if (content === 'page') continue;
        for (const [i, answer] of answers.entries()) {
          first += Number(answer.matches[0]?.sources[0]?.url === targets[i]!.copy.url);
          complete += Number(answer.complete);
        }
      }
    }
    const all = ROUNDS * targets.length;
    const what = `the copies of ${targets.length} articles among ${size} pages of one host, content=main`;
    return [
      { row: `${what}: first`, value: first / all, unit: '', target: '>= 1' },
      { row: `${what}: complete`, value: complete / all, unit: '', target: '>= 1' },
      { row: `${what}: CPU of a query`, value: (1000 * spent.main) / all, unit: 'ms' },
      { row: `${what}: CPU by that of a query by page`, value: spent.main / spent.page, unit: '', target: '<= 1.2' },
    ];
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true });
  }
}

/** Puts pages into an index as a first load does, in a tenth of the time of puts. */
async function firstLoad(dataDir: string, pages: () => AsyncIterable<{ url: string; html: string }>): Promise<void> {
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const { flags, settings } = shingledScript();
  const child = spawn(process.execPath, [...flags, main, 'ingest', '-', '--format', 'ndjson', '--json'], {
    env: { ...process.env, ...settings, DATA_DIR: dataDir },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = Readable.from(pages()).map(
    ({ url, html }: { url: string; html: string }) => `${JSON.stringify({ url, html })}\n`,
  );
  await pipeline(lines, child.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`ingest ended with ${code}`);
}

/** One text of each of TARGETS articles that stand on none of these hosts. */
function shortArticles(pages: readonly SetPage[], hosts: readonly number[]): Map<number, string> {
  const found = new Map<number, string>();
  const without = new Set(pages.filter(({ host }) => hosts.includes(host)).map(({ article }) => article));
  for (const { article, text } of pages) {
    const words = text.split(/\s+/).length;
    if (without.has(article) || found.has(article) || words < TARGET_WORDS_LEAST || words > TARGET_WORDS_MAX) continue;
    found.set(article, text);
  }
  return new Map([...found].slice(0, TARGETS));
}

const frameBytes = ({ html, text }: SetPage) => html.length - text.length;

const paragraphs = (text: string) => text.split('\n');

/** A page of the host with other paragraphs in the place of its article. */
function frameOf({ html, text }: SetPage): (lines: readonly string[]) => string {
  const lines = paragraphs(text).map(escaped);
  const [first, last] = [lines[0]!, lines.at(-1)!];
  const from = html.indexOf(`>${first}<`);
  const to = html.indexOf(`>${last}<`, from);
  const begin = html.lastIndexOf('<', from);
  const end = html.indexOf('>', to + 1 + last.length) + 1;
  return (others) =>
    `${html.slice(0, begin)}${others.map((line) => `<p>${escaped(line)}</p>`).join('\n')}${html.slice(end)}`;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

async function* crowd(pages: readonly SetPage[], frame: (lines: readonly string[]) => string, size: number) {
  const prng = createPrng(300);
  const all = pages.flatMap(({ text }) => paragraphs(text));
  for (let i = 0; i < size; i++) {
    const lines = Array.from({ length: 4 + prng.below(5) }, () => all[prng.below(all.length)]!);
    yield { url: `https://crowd.example/${i}`, html: frame([...lines, `Page ${i} of the day ${7 * i}.`]) };
  }
}
