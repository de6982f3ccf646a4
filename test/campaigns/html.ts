import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { corpusDocuments } from '../../bench/support/corpus.ts';
import { decodeText } from '../../src/extract/charset/decode.ts';
import { type PageContent, pageContent } from '../../src/extract/html/html-scanner.ts';
import { BrokenPages } from '../support/pages/broken-pages.ts';
import { html5libCases } from '../support/pages/html5lib-cases.ts';
import { htmlparser2Page } from '../support/pages/htmlparser2-page.ts';
import { knownDifferences } from '../support/pages/known-differences.ts';
import { words } from '../support/pages/page.ts';
import { standardPage } from '../support/pages/standard-page.ts';
import { createPrng, type Prng } from '../support/prng.ts';

/*
 * node test/campaigns/html.ts --cases 10000000 --seed 1 [--pages 5000] [FOLDER of pages] …
 *
 * Whether our scanner reads pages as two other tokenizers do: generated broken pages, and the pages of folders (the first so
 * many of each); of the .dat and .test files of html5lib's tests, each page in them. Every page has to give the words, title and language that it gives by parse5; those by htmlparser2 unless it
 * holds what known-differences.ts names; and, cut anywhere, what parse5 gives of so much of it.
 */

export interface HtmlResult {
  readonly pages: number;
  /** One line for each page that failed, with what it gave. */
  readonly failures: readonly string[];
  /** Pages that may differ by htmlparser2, and those that do, by the reason. */
  readonly known: ReadonlyMap<string, { readonly pages: number; readonly differ: number }>;
}

const SHOWN_CHARACTERS_MAX = 600;

/** What parse5 cannot be asked about: it is quadratic in the attributes of a tag, and throws at 309 digits of a reference. */
const TOO_MUCH_FOR_PARSE5 = /<[^>]{50000}|&#x?[0-9a-f]{200}/i;

/** Holds pages against the witnesses. */
class Trial {
  readonly failures: string[] = [];
  readonly known = new Map<string, { pages: number; differ: number }>();
  pages = 0;
  readonly #prng: Prng;

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  hold(name: string, utf8: Uint8Array, xhtml: boolean): void {
    this.pages++;
    const page = Buffer.from(utf8).toString();
    const ours = this.#holdStandard(name, page, xhtml);
    this.#holdStandard(`cut: ${name}`, page.slice(0, this.#prng.below(page.length + 1)), xhtml);
    const other = shown(htmlparser2Page(utf8, xhtml));
    const known = knownDifferences(page, xhtml);
    for (const { reason } of known) {
      const count = this.known.get(reason) ?? { pages: 0, differ: 0 };
      this.known.set(reason, { pages: count.pages + 1, differ: count.differ + (ours === other ? 0 : 1) });
    }
    if (ours !== other && known.length === 0) this.#fail(name, xhtml, 'htmlparser2', ours, other);
  }

  #holdStandard(name: string, page: string, xhtml: boolean): string {
    const utf8 = Buffer.from(page);
    const ours = shown(pageContent(utf8, xhtml));
    const standard = TOO_MUCH_FOR_PARSE5.test(page) ? ours : shown(standardPage(utf8, xhtml));
    if (ours !== standard) this.#fail(name, xhtml, 'parse5', ours, standard);
    return ours;
  }

  #fail(name: string, xhtml: boolean, witness: string, ours: string, theirs: string): void {
    let at = 0;
    while (at < ours.length && ours[at] === theirs[at]) at++;
    const from = Math.max(0, at - 40);
    const show = (text: string) => text.slice(from, from + SHOWN_CHARACTERS_MAX);
    this.failures.push(
      `${xhtml ? 'XHTML' : 'HTML'} ${name.slice(0, SHOWN_CHARACTERS_MAX)}\n  gives ${show(ours)}\n  by ${witness} ${show(theirs)}`,
    );
  }
}

function shown({ text, title, language }: Omit<PageContent, 'main'>): string {
  return JSON.stringify([words(Buffer.from(text).toString()), title, language]);
}

/** Generated pages, every fourth as XHTML. */
export function runHtmlCampaign(cases: number, seed: number): HtmlResult {
  const trial = new Trial(createPrng(seed + 1));
  const generator = new BrokenPages(createPrng(seed));
  for (let i = 0; i < cases && trial.failures.length < 20; i++) {
    const page = generator.next();
    trial.hold(JSON.stringify(page), Buffer.from(page), i % 4 === 0);
  }
  return trial;
}

/** The first pages of a folder: of its docs.tsv, or all its files, whatever they are. */
function runFolder(folder: string, pagesMax: number): HtmlResult {
  const trial = new Trial(createPrng(1));
  const paths = existsSync(join(folder, 'docs.tsv'))
    ? corpusDocuments(folder).map(({ path }) => path)
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.slice(0, pagesMax)) {
    for (const page of pagesOf(path, readFileSync(path)))
      for (const xhtml of [false, true]) trial.hold(path, page, xhtml);
  }
  return trial;
}

/** A file is a page, unless it is one of html5lib's tests. */
function pagesOf(path: string, bytes: Buffer): Uint8Array[] {
  if (path.endsWith('.dat')) return html5libCases(bytes).map(({ data }) => data);
  if (!path.endsWith('.test')) return [utf8Of(bytes)];
  const { tests = [] } = JSON.parse(bytes.toString()) as { tests?: { input?: unknown }[] };
  return tests.map(({ input }) => Buffer.from(typeof input === 'string' ? input : ''));
}

/** As a document is decoded; byte by byte as UTF-8 where it would be refused. */
function utf8Of(bytes: Uint8Array): Uint8Array {
  try {
    return decodeText(bytes, 'html', null).utf8;
  } catch {
    return Buffer.from(new TextDecoder().decode(bytes));
  }
}

function report(what: string, { pages, failures, known }: HtmlResult): void {
  console.log(`${what}: ${pages} pages, ${failures.length} failed`);
  for (const failure of failures) console.log(failure);
  for (const [reason, count] of known)
    console.log(`  ${count.differ} of ${count.pages} differ by htmlparser2: ${reason}`);
  if (failures.length > 0) process.exitCode = 1;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      cases: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      pages: { type: 'string', default: '1000000' },
    },
  });
  for (const folder of positionals) report(folder, runFolder(folder, Number(values.pages)));
  report(`seed ${values.seed}`, runHtmlCampaign(Number(values.cases), Number(values.seed)));
}
