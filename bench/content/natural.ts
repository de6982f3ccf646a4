import { compareSamples } from '../../src/core/compare/sample-comparer.ts';
import { OWN_SHINGLES_LEAST, type OwnContent } from '../../src/core/content/own-content.ts';
import { likeliestOwnShares } from '../../src/core/content/own-shares.ts';
import { createPrng } from '../../test/support/prng.ts';
import type { Row } from '../support/table.ts';
import { partOf, type ReadPage, templatesOf } from './framed-set.ts';

/*
 * Natural pages (natural-set.ts) by each choice of content, from records: which pairs are found, and what a crawler loses that
 * keeps a page unless one like it is there. The truth is the resemblance of the articles, over all pairs of one host and all
 * pairs of one article: some articles changed between versions, and some of one host are nearly the same.
 */

const WISHES = ['page', 'main', 'auto'] as const;
type Wish = (typeof WISHES)[number];
/** Told at a threshold though the articles are less alike by more than this, a pair is wrong. */
const MARGIN = 0.2;

interface Judged {
  readonly a: number;
  readonly b: number;
  readonly truth: number;
  readonly told: Readonly<Record<Wish, number>>;
}

export function naturalRows(pages: readonly ReadPage[]): Row[] {
  const pairs = judgedPairs(pages);
  const rows: Row[] = [];
  for (const wish of WISHES) {
    for (const least of [0.5, 0.8]) {
      const wanted = pairs.filter(({ truth }) => truth >= least);
      const found = wanted.filter(({ told }) => told[wish] >= least).length;
      const wrong = pairs.filter(({ truth, told }) => told[wish] >= least && truth < least - MARGIN).length;
      const what = `natural, content=${wish}, at ${least}`;
      rows.push(
        { row: `${what}: recall`, value: found / wanted.length, unit: '', note: `of ${wanted.length} pairs` },
        { row: `${what}: wrong`, value: wrong, unit: 'pairs', note: `of ${pairs.length - wanted.length}` },
      );
    }
    for (const least of [0.8, 0.9]) rows.push(...crawlRows(pages, pairs, wish, least));
  }
  return rows;
}

/** All pairs of one host, and all of one article. */
function judgedPairs(pages: readonly ReadPage[]): Judged[] {
  const templates = templatesOf(pages, 'record');
  const own = pages.map((page) => partOf(page, 'record', 'content', templates.get(page.host)!));
  const whole = pages.map((page) => partOf(page, 'record', 'page', null));
  const gold = pages.map((page) => ({ ...page.gold, isExact: true }));
  const pairs: Judged[] = [];
  for (let a = 0; a < pages.length; a++) {
    for (let b = a + 1; b < pages.length; b++) {
      if (pages[a]!.host !== pages[b]!.host && pages[a]!.article !== pages[b]!.article) continue;
      const page = resemblance(whole[a]!, whole[b]!);
      const hasContents = own[a]!.shingleCount >= OWN_SHINGLES_LEAST && own[b]!.shingleCount >= OWN_SHINGLES_LEAST;
      const main = hasContents ? resemblance(own[a]!, own[b]!) : 0;
      const truth = resemblance(gold[a]!, gold[b]!);
      pairs.push({ a, b, truth, told: { page, main, auto: hasContents ? main : page } });
    }
  }
  return pairs;
}

function resemblance(a: OwnContent, b: OwnContent): number {
  return likeliestOwnShares({ a, b, counts: compareSamples(a.sample, b.sample), isSame: false }).resemblance;
}

/** Pages come in any order, and each is kept unless one that was kept is told to be so alike. */
function crawlRows(pages: readonly ReadPage[], pairs: readonly Judged[], wish: Wish, least: number): Row[] {
  const beside = pages.map(() => new Map<number, Judged>());
  for (const pair of pairs) {
    beside[pair.a]!.set(pair.b, pair);
    beside[pair.b]!.set(pair.a, pair);
  }
  const prng = createPrng(36);
  const order = pages.map((_, i) => ({ i, at: prng.next() })).sort((a, b) => a.at - b.at);
  const kept = new Set<number>();
  let [lost, twice] = [0, 0];
  for (const { i } of order) {
    const seen = [...beside[i]!].filter(([other]) => kept.has(other)).map(([, pair]) => pair);
    const isThere = seen.some(({ truth }) => truth >= least);
    if (!seen.some(({ told }) => told[wish] >= least)) {
      kept.add(i);
      twice += Number(isThere);
    } else if (!seen.some(({ truth }) => truth >= least - MARGIN)) lost++;
  }
  const what = `natural, content=${wish}, kept unless ${least} is there`;
  return [
    { row: `${what}: articles lost`, value: lost, unit: 'pages', note: `of ${pages.length}` },
    { row: `${what}: articles kept twice`, value: twice, unit: 'pages' },
  ];
}
