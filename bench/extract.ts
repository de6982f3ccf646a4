/*
 * How fast pages become texts, and texts sketches: MB of HTML a second of CPU time, beside what else one could have used.
 *
 *     node bench/extract.ts [FOLDER-OF-PAGES] [--json]
 *
 * FOLDER-OF-PAGES has a docs.tsv (support/corpus.ts); without it generated pages stand in. Every figure is the median of
 * ROUNDS processes, each with one row to itself, in turns, so that whatever else the machine does meets all rows.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { load } from 'cheerio';
import { load as loadSlim } from 'cheerio/slim';
import { Parser } from 'htmlparser2';
import { extract } from '../src/extract/extract.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../src/extract/limits.ts';
import { extractSelected } from '../src/extract/select.ts';
import { deriveIdentity } from '../src/identity/index-key.ts';
import { createKernel, type Kernel, type KernelChoice } from '../src/kernel/choose.ts';
import { corpusDocuments } from './support/corpus.ts';
import { naiveSketch } from './support/naive-sketch.ts';
import { printRows, quantile, type Row } from './support/table.ts';
import { documentText } from './support/texts.ts';

const ROUNDS = 5;
/** CPU time that a process spends on its row, warming up and measured. */
const WARM_UP_US = 500_000;
const MEASURED_US = 800_000;
const BYTES_MAX = 8_000_000;
const GENERATED_PAGES = 200;
const TEXT_BYTES = 20_000;
const SHINGLE_SIZE = 7;
const INLINE = new Set('a b i em strong code span tt small sub sup'.split(' '));

const { fingerprint } = deriveIdentity(new Uint8Array(32).fill(1), SHINGLE_SIZE);
const contentType = 'text/html';
const text = (bytes: Buffer) => extract({ bytes, contentType }, DEFAULT_EXTRACT_LIMITS).text;

/** What is done with a page, by the name of its row. */
const JOBS: Record<string, (bytes: Buffer) => number> = {
  'HTML to text': (bytes) => text(bytes).length,
  'HTML to text, with select and remove': (bytes) =>
    extractSelected({ bytes, contentType }, { select: 'body', remove: 'nav' }, DEFAULT_EXTRACT_LIMITS).text.length,
  'HTML to sketch, WebAssembly': sketchBy('wasm'),
  'HTML to sketch, TypeScript': sketchBy('typescript'),
  'htmlparser2 SAX': (bytes) => saxText(bytes.toString()).length,
  'htmlparser2 SAX + naive sketch': (bytes) => naiveSketch(saxText(bytes.toString()), SHINGLE_SIZE),
  'cheerio/slim load().text()': (bytes) =>
    loadSlim(bytes.toString(), { xml: { xmlMode: false } })
      .root()
      .text().length,
  'cheerio load().text()': (bytes) => load(bytes.toString()).text().length,
  'cheerio load().text() + naive sketch': (bytes) => naiveSketch(load(bytes.toString()).text(), SHINGLE_SIZE),
};

const arguments_ = process.argv.slice(2);
const folder = arguments_.find((argument) => !argument.startsWith('--'));
const onlyRow = arguments_.find((argument) => argument.startsWith('--row='))?.slice('--row='.length);
if (onlyRow === undefined) compare();
else console.log(rateOf(JOBS[onlyRow]!));

function sketchBy(choice: KernelChoice): (bytes: Buffer) => number {
  // made when first needed: a process needs one of the two, or none
  let kernel: Kernel | undefined;
  return (bytes) => {
    kernel ??= createKernel(fingerprint, choice);
    return kernel.sketcher.sketch(text(bytes), 4).shingleCount;
  };
}

/** Prints all rows, each measured in processes of its own. */
function compare(): void {
  const rates = new Map<string, number[]>(Object.keys(JOBS).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, values] of rates) {
      const child = [import.meta.filename, `--row=${name}`, ...(folder === undefined ? [] : [folder])];
      values.push(Number(execFileSync(process.execPath, child, { encoding: 'utf8' })));
    }
  }
  const median = (name: string) => quantile(rates.get(name)!, 0.5);
  const rows = [...rates].map(
    ([row, values]): Row => ({
      row,
      value: median(row),
      unit: 'MB/s',
      minimum: Math.min(...values),
      maximum: Math.max(...values),
    }),
  );
  const times = (one: string, other: string, target: string): Row => ({
    row: `${one} / ${other}`,
    value: median(one) / median(other),
    unit: 'times',
    target,
  });
  printRows(`HTML to text and sketch: ${folder === undefined ? 'generated pages' : 'pages of the folder'}`, [
    ...rows,
    times('HTML to text', 'htmlparser2 SAX', '>= 3'),
    times('HTML to sketch, WebAssembly', 'htmlparser2 SAX + naive sketch', '>= 5'),
    times('HTML to sketch, WebAssembly', 'cheerio load().text() + naive sketch', '>= 40'),
  ]);
}

/** MB of pages a second of CPU time. */
function rateOf(job: (bytes: Buffer) => number): number {
  const pages = folder === undefined ? generatedPages() : pagesOf(folder);
  spend(job, pages, WARM_UP_US);
  return spend(job, pages, MEASURED_US);
}

/** Does the job on one page after another for so long; returns the bytes read in a microsecond. */
function spend(job: (bytes: Buffer) => number, pages: readonly Buffer[], cpuUs: number): number {
  const before = process.cpuUsage();
  let spentUs = 0;
  let bytes = 0;
  let found = 0;
  for (let i = 0; spentUs < cpuUs; i++) {
    const page = pages[i % pages.length]!;
    found += job(page);
    bytes += page.length;
    if (i % 10 > 0) continue;
    const { user, system } = process.cpuUsage(before);
    spentUs = user + system;
  }
  if (found === 0) throw new Error('nothing was found');
  return bytes / spentUs;
}

/** The text of a page as an afternoon's code takes it: scripts and styles left out, a space for every tag but inline ones. */
function saxText(page: string): string {
  const parts: string[] = [];
  let hidden = 0;
  const parser = new Parser({
    onopentagname(name) {
      if (name === 'script' || name === 'style') hidden++;
      else if (!INLINE.has(name)) parts.push(' ');
    },
    onclosetag(name) {
      if (name === 'script' || name === 'style') hidden--;
      else if (!INLINE.has(name)) parts.push(' ');
    },
    ontext(part) {
      if (hidden === 0) parts.push(part);
    },
  });
  parser.end(page);
  return parts.join('');
}

/** Pages spread over the folder, up to BYTES_MAX of them. */
function pagesOf(path: string): Buffer[] {
  const documents = corpusDocuments(path).filter(({ kind }) => kind === 'html');
  const step = Math.max(1, Math.floor(documents.length / 400));
  const read: Buffer[] = [];
  let bytes = 0;
  for (let i = 0; i < documents.length && bytes < BYTES_MAX; i += step) {
    const page = readFileSync(documents[i]!.path);
    read.push(page);
    bytes += page.length;
  }
  return read;
}

/** Manual-like pages: navigation, paragraphs with links and code, a tag about every 40 characters. */
function generatedPages(): Buffer[] {
  return Array.from({ length: GENERATED_PAGES }, (_, i) => {
    const words = documentText(i, TEXT_BYTES).split(' ');
    const body = words.map((word, at) => {
      if (at % 40 === 0) return `</p>\n<p class="para" id="p${at}">${word}`;
      if (at % 13 === 0) return `<a class="reference internal" href="#${word}" title="${word}">${word}</a>`;
      if (at % 7 === 0) return `<code class="literal"><span class="pre">${word}</span></code>`;
      return at % 31 === 0 ? `${word} &amp; &eacute;` : word;
    });
    const links = words.slice(0, 40).map((word) => `<li><a href="/${word}.html">${word}</a></li>`);
    return Buffer.from(
      `<!doctype html><html lang=en><title>${words[0]}</title><nav><ul>${links.join('\n')}</ul></nav><p>${body.join(' ')}</p></html>`,
    );
  });
}
