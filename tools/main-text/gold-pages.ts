import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/*
 * Pages of which somebody has said what their main text is, as the benchmarks of this field hand them out:
 *
 *   SET/html/ID.html[.gz]   SET/ground-truth/ID.json   { url, ground_truth: { main_content }, _internal: { page_type } }   (WCXB)
 *   SET/html/ID.html[.gz]   SET/ground-truth.json      { ID: { url, articleBody } }             (article-extraction-benchmark)
 *   SET/html/ID.html[.gz]   SET/segments.json          { ID: { url, with: [ … ], without: [ … ] } }      (as trafilatura's)
 */

export interface GoldPage {
  readonly id: string;
  readonly host: string;
  /** What kind of page it is, in the words of its set. */
  readonly kind: string;
  /** UTF-8 */
  readonly html: Uint8Array;
  readonly main: string;
  /** What else of the page may be main. */
  readonly unsure?: string;
}

/** A page of which only some stretches are known to be main, or not to be. */
export interface SegmentPage {
  readonly id: string;
  readonly html: Uint8Array;
  readonly with: readonly string[];
  readonly without: readonly string[];
}

interface WcxbTruth {
  readonly url?: string | null;
  readonly ground_truth: { readonly main_content?: string | null };
  readonly _internal?: { readonly page_type?: { readonly primary?: string } };
}

/** Pages from this size on are left out: they are no pages to learn from. */
const PAGE_BYTES_MAX = 3_000_000;

/** The folders in and below `folder` that hold a set. */
export function setsIn(folder: string): string[] {
  const found = globSync('**/html', { cwd: folder }).map((path) => join(folder, path, '..'));
  return [...new Set(found)].sort();
}

/** The pages of a set that have a main text. */
export function goldPages(set: string): GoldPage[] {
  if (existsSync(join(set, 'ground-truth.json'))) {
    const truths = readJson(join(set, 'ground-truth.json')) as Record<string, { url?: string; articleBody?: string }>;
    return Object.entries(truths).flatMap(([id, { url, articleBody }]) => {
      const html = htmlOf(set, id);
      return html === null || !articleBody ? [] : [{ id, host: hostOf(url), kind: 'article', html, main: articleBody }];
    });
  }
  return globSync('ground-truth/*.json', { cwd: set })
    .sort()
    .flatMap((path) => {
      const truth = readJson(join(set, path)) as WcxbTruth;
      const id = basename(path, '.json');
      const main = truth.ground_truth.main_content;
      const html = htmlOf(set, id);
      if (!main || html === null || html.length > PAGE_BYTES_MAX) return [];
      return [{ id, host: hostOf(truth.url), kind: truth._internal?.page_type?.primary ?? 'page', html, main }];
    });
}

/** The pages of a set of segments; none where it is another kind of set. */
export function segmentPages(set: string): SegmentPage[] {
  const file = join(set, 'segments.json');
  if (!existsSync(file)) return [];
  const truths = readJson(file) as Record<string, { with: string[]; without: string[] }>;
  return Object.entries(truths).flatMap(([id, truth]) => {
    const html = htmlOf(set, id);
    return html === null ? [] : [{ id, html, with: truth.with, without: truth.without }];
  });
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function htmlOf(set: string, id: string): Uint8Array | null {
  const file = join(set, 'html', `${id.replace(/\.html$/, '')}.html`);
  const bytes = existsSync(`${file}.gz`)
    ? gunzipSync(readFileSync(`${file}.gz`))
    : existsSync(file)
      ? readFileSync(file)
      : null;
  return bytes === null ? null : new TextEncoder().encode(new TextDecoder().decode(bytes));
}

function hostOf(url: string | null | undefined): string {
  return URL.canParse(url ?? '') ? new URL(url!).host.replace(/^www\./, '') : '';
}

/** The words of a text, in lower case; of scripts without spaces each letter. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}_]+/gu) ?? [];
}
