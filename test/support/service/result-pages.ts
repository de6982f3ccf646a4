import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/*
 * Pages of search results as test/fixtures/result-pages/ has them, in ten languages: made up, in the manner of what
 * meta-searches answer, and each labelled with what a person would fold.
 *
 *   {"page":"en-1","query":"…","heldOut":true}                    a page: not looked at when the rules were made
 *   ["a","https://…","title","snippet, or empty"]                 its results; those with one letter are one page to a person
 */

export interface LabelledResult {
  /** '' where it stands alone. */
  readonly label: string;
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

export interface LabelledPage {
  readonly page: string;
  readonly query: string;
  readonly heldOut: boolean;
  readonly results: readonly LabelledResult[];
}

const FOLDER = fileURLToPath(new URL('../../fixtures/result-pages/', import.meta.url));

type Line =
  | { readonly page: string; readonly query: string; readonly heldOut?: boolean }
  | [string, string, string, string];

export function labelledPages(): LabelledPage[] {
  const pages: (LabelledPage & { readonly results: LabelledResult[] })[] = [];
  for (const file of readdirSync(FOLDER).sort()) {
    for (const line of readFileSync(FOLDER + file, 'utf8')
      .trim()
      .split('\n')) {
      const read = JSON.parse(line) as Line;
      if (!Array.isArray(read)) {
        pages.push({ page: read.page, query: read.query, heldOut: read.heldOut ?? false, results: [] });
        continue;
      }
      const [label, url, title, snippet] = read;
      pages.at(-1)!.results.push({ label, url, title, snippet });
    }
  }
  return pages;
}

/** Pairs of results of one page. */
export interface PageScore {
  /** Those that a person folds. */
  readonly wanted: number;
  /** Of those, those that were folded. */
  readonly folded: number;
  readonly missed: readonly (readonly [number, number])[];
  /** Folded, and not by a person. */
  readonly wrong: readonly (readonly [number, number])[];
}

/** @param groups positions of results, as a collapse folded them */
export function scorePage({ results }: LabelledPage, groups: readonly (readonly number[])[]): PageScore {
  const groupOf = new Map(groups.flatMap((group, i) => group.map((result) => [result, i] as const)));
  const missed: [number, number][] = [];
  const wrong: [number, number][] = [];
  let wanted = 0;
  for (let a = 0; a < results.length; a++) {
    for (let b = a + 1; b < results.length; b++) {
      const isWanted = results[a]!.label !== '' && results[a]!.label === results[b]!.label;
      const isFolded = groupOf.get(a) === groupOf.get(b);
      if (isWanted) wanted++;
      if (isWanted && !isFolded) missed.push([a, b]);
      if (isFolded && !isWanted) wrong.push([a, b]);
    }
  }
  return { wanted, folded: wanted - missed.length, missed, wrong };
}
