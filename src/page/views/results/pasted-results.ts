import type { CollapseResult } from 'shingled/types';

/*
 * A page of search results as somebody pastes it. That is what SearXNG answers, hits of Elasticsearch or OpenSearch, or a
 * request of `/collapse`; or a list of objects, one object a line, or a list of URLs.
 */

/** A result as the page shows it, and as it is sent. */
export interface PastedResult {
  readonly title: string;
  readonly url: string | null;
  readonly sent: CollapseResult;
}

export interface PastedPage {
  /** What it was taken for. */
  readonly kind: string;
  readonly results: readonly PastedResult[];
}

const RESULTS_MAX = 1000;
/** A title has 2,000 bytes at most, and a snippet 10,000: so many characters, of three bytes each. */
const TITLE_MAX = 600;
const SNIPPET_MAX = 3000;

type Fields = Readonly<Record<string, unknown>>;

/** @returns a sentence about what is wrong, where nothing can be made of it */
export function readPasted(text: string): PastedPage | string {
  const trimmed = text.trim();
  if (trimmed === '') return 'There is nothing yet.';
  const value = parsed(trimmed) ?? parsedLines(trimmed);
  if (value === null) return urlList(trimmed) ?? 'This is neither JSON, nor a URL a line.';
  const found = listIn(value);
  if (found === null)
    return 'There is no list of results in this JSON: `results`, `hits.hits`, or a list alone is looked for.';
  const results = found.list.flatMap((item) => resultOf(item, found.isHit) ?? []);
  if (results.length === 0) return 'None of the results has a URL or a text.';
  if (results.length > RESULTS_MAX) return `These are ${results.length} results; ${RESULTS_MAX} is the most.`;
  return { kind: found.kind, results };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function parsedLines(text: string): unknown {
  const values = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parsed(line)]));
  return values.includes(null) ? null : values;
}

function urlList(text: string): PastedPage | null {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  if (!lines.every((line) => URL.canParse(line)) || lines.length > RESULTS_MAX) return null;
  return { kind: 'a list of URLs', results: lines.map((url) => ({ title: url, url, sent: { url } })) };
}

interface Found {
  readonly kind: string;
  readonly list: readonly unknown[];
  readonly isHit: boolean;
}

function listIn(value: unknown): Found | null {
  if (Array.isArray(value)) return { kind: 'a list of results', list: value, isHit: false };
  const { results, hits } = value as Fields;
  if (Array.isArray(results)) {
    const isSearxng = 'query' in (value as Fields) || results.some((item) => isFields(item) && 'engine' in item);
    return { kind: isSearxng ? 'an answer of SearXNG' : 'a list of results', list: results, isHit: false };
  }
  const inner = isFields(hits) ? hits['hits'] : undefined;
  return Array.isArray(inner) ? { kind: 'hits of Elasticsearch or OpenSearch', list: inner, isHit: true } : null;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function resultOf(item: unknown, isHit: boolean): PastedResult | null {
  if (!isFields(item)) return null;
  const fields = isHit && isFields(item['_source']) ? item['_source'] : item;
  const word = (...names: readonly string[]) => {
    const found = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '');
    return found as string | undefined;
  };
  const url = word('url', 'link', 'href', 'originalURL', 'linkToArchive');
  const html = word('html');
  const whole = isHit ? word('text', 'body', 'content') : word('text', 'body');
  const title = word('title', 'name');
  const snippet = word('snippet', 'content', 'description', 'excerpt');
  const body = whole !== undefined ? { text: whole } : html !== undefined ? { html } : {};
  const shown = shownOf(title, isHit ? word('snippet', 'description', 'excerpt') : snippet);
  if (url === undefined && Object.keys({ ...body, ...shown }).length === 0) return null;
  const id = isHit ? item['_id'] : item['id'];
  const sent: CollapseResult = {
    ...(url === undefined ? {} : { url }),
    ...body,
    ...shown,
    ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
  };
  return { title: title ?? url ?? String(whole ?? snippet).slice(0, 80), url: url ?? null, sent };
}

function shownOf(title: string | undefined, snippet: string | undefined): Pick<CollapseResult, 'title' | 'snippet'> {
  return {
    ...(title === undefined ? {} : { title: title.slice(0, TITLE_MAX).toWellFormed() }),
    ...(snippet === undefined ? {} : { snippet: snippet.slice(0, SNIPPET_MAX).toWellFormed() }),
  };
}
