import { readFileSync } from 'node:fs';
import { load } from 'cheerio';
import { Parser } from 'htmlparser2';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../../src/extract/limits.ts';
import { corpusDocuments } from '../corpus.ts';
import { type Measured, measure } from '../measure.ts';
import { documentText } from '../texts.ts';
import { naiveSketch } from './naive-sketch.ts';
import { type KernelName, SHINGLE_SIZE, sketchWith } from './text-jobs.ts';

/* What the rows on pages do, each in its own process. */

const BYTES_MAX = 8_000_000;
const GENERATED_PAGES = 200;
const TEXT_BYTES = 20_000;
const INLINE = new Set('a b i em strong code span tt small sub sup'.split(' '));

const textOf = (bytes: Uint8Array) => extract({ bytes, contentType: 'text/html' }, DEFAULT_EXTRACT_LIMITS).text;

/** What one makes of a page, by the name that the row has. */
const USES = {
  'HTML to text': () => (page) => textOf(page).length,
  'HTML to sketch, WASM': () => sketchOfPage('WASM'),
  'HTML to sketch, TypeScript': () => sketchOfPage('TypeScript'),
  'htmlparser2 SAX': () => (page) => saxText(page.toString()).length,
  'htmlparser2 SAX + naive': () => (page) => naiveSketch(saxText(page.toString()), SHINGLE_SIZE),
  'cheerio + naive': () => (page) => naiveSketch(load(page.toString()).text(), SHINGLE_SIZE),
} satisfies Record<string, () => (page: Buffer) => number>;
export type HtmlUse = keyof typeof USES;

/** Charset and type found out, where it is ours. `folder` has a docs.tsv (corpus.ts); without it pages are generated. */
export function measureHtml(use: HtmlUse, folder: string | undefined): Measured {
  const pages = folder === undefined ? generatedPages() : pagesOf(folder);
  const job: (page: Buffer) => number = USES[use]();
  return measure(pages, (index) => job(pages[index]!));
}

function sketchOfPage(kernel: KernelName): (page: Buffer) => number {
  const sketch = sketchWith(kernel);
  return (page) => sketch(textOf(page));
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
function pagesOf(folder: string): Buffer[] {
  const documents = corpusDocuments(folder).filter(({ kind }) => kind === 'html');
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
