/*
 * How fast pages are read, with what of them is main text, beside another tree of this project:
 *
 *     npm run bench:scanning -- FOLDER… [--beside ../main] [--rounds 9]
 *
 * A FOLDER has pages, .html or .html.gz, at any depth; of many every n-th is taken. Then come pages that were made to be slow
 * (hostile-pages.ts), each also in twice its size. Trees take turns in one process, and a figure is the median of the rounds,
 * by CPU time.
 */
import { globSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { cpuUsSince } from '../support/measure.ts';
import { quantile } from '../support/table.ts';
import { HOSTILE_PAGES } from './hostile-pages.ts';

type Scan = (utf8: Uint8Array, xhtml: boolean) => unknown;

/** Of a folder no more is read. */
const SET_BYTES_MAX = 30_000_000;
/** Rounds before the first that counts: until then much is not compiled. */
const WARM_UP = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' }, rounds: { type: 'string', default: '9' } },
});
const rounds = Number(values.rounds);
const trees = [join(import.meta.dirname, '..', '..'), ...(values.beside === undefined ? [] : [resolve(values.beside)])];
const scans = await Promise.all(trees.map(scanOf));

console.log(`${rounds} rounds, load of the machine ${loadavg()[0]!.toFixed(1)}`);
for (const folder of positionals) {
  const pages = pagesOf(folder);
  const bytes = pages.reduce((sum, page) => sum + page.length, 0);
  const times = inTurns(pages);
  const speeds = times.map((all) => `${(bytes / median(all)).toFixed(0)} MB/s`);
  console.log([folder, `${pages.length} pages`, `${(bytes / 1e6).toFixed(0)} MB`, ...speeds, share(times)].join('\t'));
}
for (const [name, html] of Object.entries(HOSTILE_PAGES)) {
  const [one, two] = [1, 2].map((size) => inTurns([new TextEncoder().encode(html(size))])) as [number[][], number[][]];
  const ms = (times: readonly number[][]) => times.map((all) => `${(median(all) / 1000).toFixed(1)} ms`);
  const doubled = `twice the page ${(median(two[0]!) / median(one[0]!)).toFixed(2)} times`;
  console.log([name, ...ms(one), ...ms(two), doubled, share(two)].join('\t'));
}
console.log(`load of the machine ${loadavg()[0]!.toFixed(1)}`);

async function scanOf(tree: string): Promise<Scan> {
  const module = (await import(join(tree, 'src/extract/html/html-scanner.ts'))) as { pageContent: Scan };
  return module.pageContent;
}

function pagesOf(folder: string): Uint8Array[] {
  const paths = globSync('**/*.{html,html.gz}', { cwd: folder }).sort();
  const all = paths.map((path) => {
    const bytes = readFileSync(join(folder, path));
    return new Uint8Array(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  });
  const step = Math.ceil(all.reduce((sum, { length }) => sum + length, 0) / SET_BYTES_MAX);
  return all.filter((_, i) => i % step === 0);
}

/** CPU time of each tree for all pages, in µs, round by round. */
function inTurns(pages: readonly Uint8Array[]): number[][] {
  const times = scans.map((): number[] => []);
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [i, scan] of scans.entries()) {
      const before = process.cpuUsage();
      for (const page of pages) scan(page, false);
      if (round >= 0) times[i]!.push(cpuUsSince(before));
    }
  }
  return times;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** What of the other tree's speed this one has, and the range over the rounds. */
function share([own, other]: readonly number[][]): string {
  if (other === undefined) return '';
  const shares = other.map((time, i) => time / own![i]!);
  return `${median(shares).toFixed(2)} of the other's speed (${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)})`;
}
