/*
 * How right the content of pages is told: same articles under other frames, other articles under the same frame.
 *
 *     npm run accuracy:content -- FOLDER [--http] [--intervals] [--crowd 300,5000] [--json]
 *
 * FOLDER has sets as lines of JSON (framed-set.ts): pages.jsonl, pages2.jsonl, again.jsonl of pages rendered again, and
 * natural.jsonl of natural pages (natural-set.ts). Their frames must not be those of pages that the weights of the main text were
 * learnt from. --http asks a service with each page, too; --crowd looks for articles among so many pages of another host, by
 * their copies; --intervals makes pairs of given shares, 2,000 of each.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareSamples } from '../../src/core/compare/sample-comparer.ts';
import { OWN_SHINGLES_LEAST, type OwnContent } from '../../src/core/content/own-content.ts';
import { estimateOwnShares, likeliestOwnShares } from '../../src/core/content/own-shares.ts';
import type { Sketcher } from '../../src/core/sketch/sketch.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import { createKernel } from '../../src/kernel/choose.ts';
import { printRows, type Row } from '../support/table.ts';
import { crowdRows } from './crowd.ts';
import { type Form, type Part, partOf, type ReadPage, readPage, setPages, templatesOf } from './framed-set.ts';
import { madeIntervals } from './made-intervals.ts';
import { naturalRows } from './natural.ts';
import { httpRows } from './over-http.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    http: { type: 'boolean' },
    intervals: { type: 'boolean' },
    crowd: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('usage: npm run accuracy:content -- FOLDER [--http] [--crowd 300,5000]');

const SETS = [
  ['hard', 'pages.jsonl'],
  ['ordinary', 'pages2.jsonl'],
] as const;
const PARTS: readonly Part[] = ['page', 'page without template', 'main', 'content'];

const identity = deriveIdentity(new Uint8Array(32).fill(7), 7);
const { sketcher } = createKernel(identity.fingerprint, 'auto');
const rows: Row[] = values.intervals ? [...madeIntervals()] : [];
for (const [name, file] of SETS) {
  const path = join(folder, file);
  if (!existsSync(path)) continue;
  const pages = await readAll(sketcher, path);
  rows.push(...setRows(name, pages));
  if (values.http) rows.push(...(await httpRows(name, path, pages)));
}
const natural = join(folder, 'natural.jsonl');
if (existsSync(natural)) {
  const pages = await readAll(sketcher, natural);
  rows.push(...naturalRows(pages));
  if (values.http) rows.push(...(await httpRows('natural', natural, pages)));
}
const again = join(folder, 'again.jsonl');
if (existsSync(again)) rows.push(...againRows(await readAll(sketcher, again)));
for (const size of (values.crowd ?? '').split(',').filter(Boolean)) {
  rows.push(...(await crowdRows(join(folder, SETS[0][1]), Number(size))));
}
printRows('Content of pages', rows);

async function readAll(by: Sketcher, path: string): Promise<ReadPage[]> {
  const pages: ReadPage[] = [];
  for await (const page of setPages(path)) pages.push(readPage(by, page));
  return pages;
}

function setRows(name: string, pages: readonly ReadPage[]): Row[] {
  const found: Row[] = [];
  const truth = pages.map(({ gold }) => ({ ...gold, isExact: true }));
  const [same, others] = pairsOf(pages);
  const articles = same.map(([a, b]) => resemblance(truth[a]!, truth[b]!));
  for (const form of ['whole', 'record'] as const) {
    for (const part of PARTS) {
      const own = ownOf(pages, form, part);
      const told = same.map(([a, b]) => resemblance(own[a]!, own[b]!));
      const wrong = (least: number) => others.filter(([a, b]) => resemblance(own[a]!, own[b]!) >= least).length;
      const [wrong5, wrong8] = [wrong(0.5), wrong(0.8)];
      const error = told.reduce((sum, r, i) => sum + Math.abs(r - articles[i]!), 0) / told.length;
      const [recall5, count5] = recallAt(0.5, articles, told);
      const [recall8] = recallAt(0.8, articles, told);
      const what = `${name}, ${form === 'whole' ? 'all shingles' : 'records'}, ${part}`;
      found.push(
        { row: `${what}: recall at .5`, value: recall5, unit: '', note: `of ${count5} pairs` },
        { row: `${what}: recall at .8`, value: recall8, unit: '' },
        { row: `${what}: precision at .5`, value: precision(recall5 * count5, wrong5), unit: '' },
        { row: `${what}: wrong at .5`, value: wrong5, unit: 'pairs', note: `of ${others.length}, ${wrong8} at .8` },
        { row: `${what}: mean error of r`, value: error, unit: '' },
      );
    }
  }
  found.push(...coverageRows(name, pages, same));
  return found;
}

function precision(right: number, wrong: number): number {
  return right + wrong === 0 ? 1 : right / (right + wrong);
}

/** Of the pairs whose articles resemble one another so much, the share of those that are told to, and their number. */
function recallAt(least: number, articles: readonly number[], told: readonly number[]): [number, number] {
  const wanted = told.filter((_, i) => articles[i]! >= least);
  return [wanted.filter((r) => r >= least).length / wanted.length, wanted.length];
}

/** Pairs with one article, and pairs of one host with two. */
function pairsOf(pages: readonly ReadPage[]): [same: [number, number][], others: [number, number][]] {
  const [same, others]: [[number, number][], [number, number][]] = [[], []];
  for (const [a, one] of pages.entries()) {
    for (let b = a + 1; b < pages.length; b++) {
      const other = pages[b]!;
      if (one.article === other.article) same.push([a, b]);
      else if (one.host === other.host) others.push([a, b]);
    }
  }
  return [same, others];
}

function ownOf(pages: readonly ReadPage[], form: Form, part: Part): OwnContent[] {
  const templates = templatesOf(pages, form);
  return pages.map((page) => partOf(page, form, part, templates.get(page.host) ?? null));
}

function resemblance(a: OwnContent, b: OwnContent): number {
  if (a.shingleCount < OWN_SHINGLES_LEAST || b.shingleCount < OWN_SHINGLES_LEAST) return 0;
  return likeliestOwnShares({ a, b, counts: compareSamples(a.sample, b.sample), isSame: false }).resemblance;
}

/** How often the intervals of records hold what all shingles say. */
function coverageRows(name: string, pages: readonly ReadPage[], same: readonly [number, number][]): Row[] {
  const [whole, records] = (['whole', 'record'] as const).map((form) => ownOf(pages, form, 'content'));
  const shares = ['resemblance', 'aInB', 'bInA'] as const;
  const held = { resemblance: 0, aInB: 0, bInA: 0 };
  let count = 0;
  for (const [i, j] of same) {
    const [a, b] = [records![i]!, records![j]!];
    if (a.shingleCount < OWN_SHINGLES_LEAST || b.shingleCount < OWN_SHINGLES_LEAST) continue;
    const [x, y] = [whole![i]!, whole![j]!];
    const truth = likeliestOwnShares({ a: x, b: y, counts: compareSamples(x.sample, y.sample), isSame: false });
    const told = estimateOwnShares({ a, b, counts: compareSamples(a.sample, b.sample), isSame: false });
    for (const share of shares)
      held[share] += Number(told[share].low <= truth[share] && truth[share] <= told[share].high);
    count++;
  }
  return shares.map((share) => ({
    ...{ row: `${name}: intervals hold the ${share} of contents`, value: held[share] / count, unit: '' },
    note: `${count} pairs`,
  }));
}

/** Pages with the same article that were rendered again, and with an edited one. */
function againRows(pages: readonly ReadPage[]): Row[] {
  return PARTS.flatMap((part) => {
    const own = ownOf(
      pages.map((page) => ({ ...page, host: page.again === 0 ? page.host : -1 - page.n })),
      'record',
      part === 'content' || part === 'page without template' ? 'main' : part,
    );
    if (part === 'content' || part === 'page without template') return [];
    const resembling: number[] = [];
    for (let i = 0; i + 1 < pages.length; i++) {
      if (pages[i]!.again === 0 && pages[i + 1]!.again === 1) resembling.push(resemblance(own[i]!, own[i + 1]!));
    }
    const share = (is: (r: number) => boolean) => resembling.filter(is).length / resembling.length;
    return [
      {
        row: `rendered again, ${part}: r >= .93`,
        value: share((r) => r >= 0.93),
        unit: '',
        note: `${resembling.length} pages`,
      },
      { row: `rendered again, ${part}: r < .9`, value: share((r) => r < 0.9), unit: '' },
    ];
  });
}
