/*
 * How fast bytes become text: MB of HTML a second of CPU time of one process, beside what else one could have used.
 *
 *     node bench/extract.ts [FOLDER-OF-PAGES] [--json]
 *
 * FOLDER-OF-PAGES has a docs.tsv (support/corpus.ts); without it generated pages stand in. Rounds of all variants are
 * interleaved; the value is the median round.
 */
import { readFileSync } from 'node:fs';
import { load } from 'cheerio';
import { load as loadSlim } from 'cheerio/slim';
import { extract } from '../src/extract/extract.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../src/extract/limits.ts';
import { extractSelected } from '../src/extract/select.ts';
import { corpusDocuments } from './support/corpus.ts';
import { printRows, quantile } from './support/table.ts';
import { documentText } from './support/texts.ts';

const ROUNDS = 5;
const BYTES_MAX = 8_000_000;
const GENERATED_PAGES = 200;
const TEXT_BYTES = 20_000;

const folder = process.argv[2]?.startsWith('--') ? undefined : process.argv[2];
const pages = folder === undefined ? generatedPages() : pagesOf(folder);
const megabytes = pages.reduce((sum, { length }) => sum + length, 0) / 1e6;

const contentType = 'text/html';
const variants: Record<string, (bytes: Buffer) => number> = {
  'extract: bytes to text': (bytes) => extract({ bytes, contentType }, DEFAULT_EXTRACT_LIMITS).text.length,
  'extract: with select and remove': (bytes) =>
    extractSelected({ bytes, contentType }, { select: 'body', remove: 'nav' }, DEFAULT_EXTRACT_LIMITS).text.length,
  'cheerio/slim load().text()': (bytes) =>
    loadSlim(bytes.toString(), { xml: { xmlMode: false } })
      .root()
      .text().length,
  'cheerio load().text()': (bytes) => load(bytes.toString()).text().length,
};

const rates = new Map<string, number[]>(Object.keys(variants).map((name) => [name, []]));
let textLength = 0;
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, textOf] of Object.entries(variants)) {
    const before = process.cpuUsage();
    for (const page of pages) textLength += textOf(page);
    const { user, system } = process.cpuUsage(before);
    // round 0 warms up
    if (round > 0) rates.get(name)!.push(megabytes / ((user + system) / 1e6));
  }
}
if (textLength === 0) throw new Error('no text was found');

const slowest = quantile(rates.get('cheerio load().text()')!, 0.5);
const source = folder === undefined ? 'generated pages' : 'pages of the folder';
printRows(
  `HTML to text: ${pages.length} ${source}, ${megabytes.toFixed(1)} MB, ${ROUNDS} rounds`,
  [...rates].map(([row, values]) => ({
    row,
    value: quantile(values, 0.5),
    unit: 'MB/s',
    minimum: Math.min(...values),
    maximum: Math.max(...values),
    note: `${(quantile(values, 0.5) / slowest).toFixed(1)} × cheerio`,
  })),
);

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
