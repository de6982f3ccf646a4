/*
 * Documents as sets of features: what reading one costs by the number of its strings, and whether answers are what brute force
 * over the sets says. One process; CPU time, the median of several rounds after warm-up.
 *
 *     node bench/compare/features.ts [--pages FOLDER [--only-pages]] [--json]
 *
 * With a folder of pages (.html), each is the set of its words. Every page is a query against an index of all.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFeatureSet } from '../../src/core/sketch/feature-set.ts';
import { createFeatureSketcher } from '../../src/core/sketch/feature-sketch.ts';
import { createSketcher } from '../../src/core/sketch/sketch.ts';
import { extract } from '../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import { featuresBody, readFeatures } from '../../src/features/feature-list.ts';
import { createDocumentProcessor } from '../../src/workers/process-document.ts';
import { referenceTokens } from '../../test/support/core/reference.ts';
import { createHttpFixture } from '../../test/support/http/http-fixture.ts';
import { createPrng } from '../../test/support/prng.ts';
import { featuresOf, ofFeatures, sharesOfSets } from '../../test/support/service/feature-documents.ts';
import { ALL, createServiceFixture, IDENTITY } from '../../test/support/service/service-fixture.ts';
import { printRows, type Row, spreadOf } from '../support/table.ts';

const ROUNDS = 9;
const WARM_UP_ROUNDS = 3;
/** Each round takes about so long. */
const ROUND_MS = 60;
const COUNTS = [1, 10, 100, 1000, 10_000, 100_000];
/** Pairs of pages that are compared as two bodies. */
const PAIRS = 2000;
/** Pages taken of the folder, evenly: all pairs of them are compared by brute force. */
const PAGES_MAX = 400;

const rows: Row[] = [];
const prng = createPrng(16);
const processDocument = createDocumentProcessor(IDENTITY, createSketcher(IDENTITY.fingerprint), (input) =>
  extract(input, DEFAULT_EXTRACT_LIMITS),
);
const sketch = createFeatureSketcher(IDENTITY.fingerprint.polynomial, IDENTITY.featureMixing);

/** Strings of 16 bytes, in no order. */
const stringsOf = (count: number) =>
  Array.from({ length: count }, () => prng.fingerprint().toString(16).padStart(16, '0').slice(0, 16));

async function measure(row: string, work: () => unknown): Promise<void> {
  const timeOf = async (calls: number) => {
    const before = process.cpuUsage();
    for (let i = 0; i < calls; i++) await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / calls;
  };
  const once = Math.max(1, await timeOf(3));
  const calls = Math.max(1, Math.round((1000 * ROUND_MS) / once));
  const times: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) times.push(await timeOf(calls));
  rows.push({ row, unit: 'µs', ...spreadOf(times.slice(WARM_UP_ROUNDS)) });
}

async function costs(): Promise<void> {
  const how = { select: null, remove: null, modulusMax: 1, keepText: false };
  for (const count of COUNTS) {
    const strings = stringsOf(count);
    const body = featuresBody(strings, 'features');
    const set = createFeatureSet(strings);
    const told = `${count.toLocaleString('en-US')} strings of 16 bytes`;
    await measure(`${told}: read, sketched, digested`, () => processDocument({ ...body, ...how }));
    if (count !== 1000) continue;
    await measure('… of it: JSON', () => readFeatures(body.bytes));
    await measure('… of it: one order', () => createFeatureSet(strings));
    await measure('… of it: the sketch', () => sketch(set, 1));
    const text = { bytes: Buffer.from(strings.join(' ')), contentType: 'text/plain; charset=utf-8' };
    await measure('a text of these 1,000 words, read the same way', () => processDocument({ ...text, ...how }));
  }
  const { app, close } = await createHttpFixture({ logLevel: 'silent' });
  for (const count of COUNTS.slice(0, -1)) {
    const payload = { document: { features: stringsOf(count) } };
    const json = JSON.stringify(payload);
    const headers = { 'content-type': 'application/json' };
    await measure(`POST /similar, ${count.toLocaleString('en-US')} features, injected, empty index`, () =>
      app.inject({ method: 'POST', url: '/similar', payload: json, headers }),
    );
  }
  await close();
}

function setsOf(folder: string): Set<string>[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .sort();
  const step = Math.max(1, names.length / PAGES_MAX);
  const taken = Array.from({ length: Math.min(names.length, PAGES_MAX) }, (_, i) => names[Math.floor(i * step)]!);
  return taken.map((name) => {
    const page = extract({ bytes: readFileSync(join(folder, name)), contentType: 'text/html' }, DEFAULT_EXTRACT_LIMITS);
    return new Set(referenceTokens(Buffer.from(page.text).toString()));
  });
}

async function exactness(folder: string): Promise<void> {
  const sets = setsOf(folder).filter(({ size }) => size > 0);
  const fixture = createServiceFixture();
  const urlOf = (page: number) => `https://pages.example/${page}`;
  for (const [page, set] of sets.entries()) await fixture.put(urlOf(page), '', featuresOf([...set]));
  const tally = { due: 0, found: 0, wrong: 0, missed: 0, incomplete: 0, shares: 0, inside: 0, exact: 0, off: 0 };
  for (const query of sets) {
    const options = { limit: 1000, sourcesPerMatch: 1000, undecided: 'include', deadlineMs: 60_000 } as const;
    const { matches, complete } = await fixture.similar(ofFeatures([...query]), options);
    if (!complete) tally.incomplete++;
    const there = new Map(matches.flatMap((match) => match.sources.map(({ url }) => [url, match] as const)));
    for (const [page, set] of sets.entries()) {
      const truth = sharesOfSets(query, set);
      const isDue = truth.resemblance >= 0.5 || truth.queryInMatch >= 0.8;
      const match = there.get(urlOf(page));
      if (isDue) {
        tally.due++;
        if (match !== undefined) tally.found++;
        else if (query.size < 512 && set.size < 512) tally.wrong++;
        else tally.missed++;
      }
      if (match === undefined) continue;
      for (const share of ['resemblance', 'queryInMatch', 'matchInQuery'] as const) {
        const { estimate, low, high } = match[share];
        tally.shares++;
        if (low - 1e-6 <= truth[share] && truth[share] <= high + 1e-6) tally.inside++;
        if (query.size < 512 && set.size < 512) {
          tally.exact++;
          if (Math.abs(estimate - truth[share]) > 2e-3) tally.off++;
        }
      }
    }
  }
  const asked = { thresholds: { resemblance: null, aInB: null, bInA: null }, passages: false } as const;
  let differences = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const [a, b] = [sets[prng.below(sets.length)]!, sets[prng.below(sets.length)]!];
    const [bodyA, bodyB] = [ofFeatures([...a]), ofFeatures([...b])];
    const { resemblance, aInB, bInA } = await fixture.service.compare(
      { a: bodyA, b: bodyB, ...asked, fetch: 'never', deadlineMs: 60_000 },
      ALL,
    );
    const truth = sharesOfSets(a, b);
    for (const [share, value] of [
      [resemblance, truth.resemblance],
      [aInB, truth.queryInMatch],
      [bInA, truth.matchInQuery],
    ] as const) {
      if (!('exact' in share) || Math.abs(share.exact - value) > 1e-6) differences++;
    }
  }
  await fixture.close();
  const sizes = spreadOf(sets.map(({ size }) => size));
  const note = `${sets.length} pages, ${sizes.minimum} to ${sizes.maximum} words, half of them up to ${sizes.value}`;
  const count = (row: string, value: number, more: Partial<Row> = {}) => rows.push({ row, value, unit: '', ...more });
  count('pairs due by default thresholds', tally.due, { note });
  count('… found, or told as undecided', tally.found);
  count('… not found, both under 512 words: known whole', tally.wrong, { target: '<= 0' });
  count('… not found, one of them sampled', tally.missed);
  count('answers that say they may lack something', tally.incomplete, { note: `of ${sets.length}` });
  count('shares whose 95 % interval has the truth', tally.inside / tally.shares, {
    target: '>= 0.95',
    note: `${tally.shares} shares`,
  });
  count('shares of pairs under 512 words that are off by > .002', tally.off, {
    target: '<= 0',
    note: `${tally.exact} shares`,
  });
  count('/compare of two bodies: shares other than brute force', differences, {
    target: '<= 0',
    note: `${3 * PAIRS} shares`,
  });
}

const pages = process.argv.indexOf('--pages');
if (!process.argv.includes('--only-pages')) await costs();
if (pages >= 0) await exactness(process.argv[pages + 1]!);
printRows('Documents as sets of features', rows);
