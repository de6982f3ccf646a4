import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentReference, SimilarAnswer } from '../../../src/service/api.ts';
import { referenceShingles, referenceTokens } from '../../support/core/reference.ts';
import { featuresOf, ofFeatures, type Shares, sharesOfSets } from '../../support/service/feature-documents.ts';
import {
  ALL,
  createServiceFixture,
  IDENTITY,
  ofText,
  ofUrl,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../../support/service/service-fixture.ts';
import { inFolder, openFolder } from '../../support/store/level-folder.ts';

/** A document of a small world of words: a text of them, or a set of them and of runs of them, which are a text's shingles. */
interface Made {
  readonly isText: boolean;
  readonly strings: readonly string[];
}

const WORDS = 12;
const word = fc.integer({ min: 0, max: WORDS - 1 }).map((i) => `w${i}`);
const run = fc.array(word, { minLength: SHINGLE_SIZE, maxLength: SHINGLE_SIZE }).map((words) => words.join(' '));
const made: fc.Arbitrary<Made> = fc.oneof(
  fc.record({ isText: fc.constant(true), strings: fc.array(word, { minLength: 1, maxLength: 30 }) }),
  fc.record({
    isText: fc.constant(false),
    strings: fc.array(fc.oneof({ weight: 4, arbitrary: word }, run), { minLength: 1, maxLength: 30 }),
  }),
);
/** One of a few URLs says something else from now on, or is forgotten. */
const step = fc.record({ page: fc.integer({ min: 0, max: 7 }), says: fc.option(made, { freq: 6 }) });

/** The same in a world of its own: no two worlds have a word in common, so that one index serves all. */
function inWorld(world: number, { isText, strings }: Made): Made {
  return { isText, strings: strings.map((one) => one.replaceAll('w', `x${world}w`)) };
}

/** What it is compared by: shingles of a text, strings of a set. */
function setOf({ isText, strings }: Made): ReadonlySet<string> {
  return isText ? referenceShingles(referenceTokens(strings.join(' ')), SHINGLE_SIZE) : new Set(strings);
}

const referenceOf = ({ isText, strings }: Made): DocumentReference =>
  isText ? ofText(strings.join(' ')) : ofFeatures(strings);
const put = (fixture: ServiceFixture, url: string, { isText, strings }: Made) =>
  fixture.put(url, strings.join(' '), isText ? {} : featuresOf(strings));

const ANY = 1e-6;
const OPTIONS = { thresholds: { resemblance: ANY, queryInMatch: ANY, matchInQuery: ANY }, limit: 100 };

/** What the index should say: all of the same kind that share anything, by brute force. */
function expected(live: ReadonlyMap<string, Made>, query: Made): Map<string, Shares> {
  const shares = [...live]
    .filter(([, other]) => other.isText === query.isText)
    .map(([url, other]) => [url, sharesOfSets(setOf(query), setOf(other))] as const);
  return new Map(shares.filter(([, { resemblance }]) => resemblance > 0));
}

function found({ matches }: SimilarAnswer): Map<string, Shares> {
  return new Map(
    matches.flatMap(({ sources, resemblance, queryInMatch, matchInQuery }) =>
      sources
        .filter(({ state }) => state === 'live')
        .map(({ url }) => {
          const [r, q, m] = [resemblance.estimate, queryInMatch.estimate, matchInQuery.estimate];
          return [url, { resemblance: r, queryInMatch: q, matchInQuery: m }] as const;
        }),
    ),
  );
}

function expectSame(answer: SimilarAnswer, live: ReadonlyMap<string, Made>, query: Made): void {
  const [there, wanted] = [found(answer), expected(live, query)];
  expect([...there.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [url, shares] of wanted) {
    for (const [share, value] of Object.entries(shares)) {
      expect(Math.abs(there.get(url)![share as keyof Shares] - value), `${share} of ${url}`).toBeLessThan(1e-5);
    }
  }
  expect(answer.complete).toBe(true);
  expect(answer.query.shingles).toBe(setOf(query).size);
  expect(answer.query.kind).toBe(query.isText ? undefined : 'features');
}

let fixture: ServiceFixture;
let worlds = 0;
beforeAll(() => {
  fixture = createServiceFixture();
});
afterAll(() => fixture.close());

type Steps = readonly { readonly page: number; readonly says: Made | null }[];

/** Takes steps in a world of its own; returns what is live then. */
async function walk(at: ServiceFixture, world: number, steps: Steps): Promise<Map<string, Made>> {
  const live = new Map<string, Made>();
  for (const { page, says } of steps) {
    const url = `https://world${world}.example/${page}`;
    at.clock.nowMs += 1000;
    if (says !== null) {
      const inside = inWorld(world, says);
      await put(at, url, inside);
      live.set(url, inside);
    } else if (live.delete(url)) await at.service.forget(url, ALL);
  }
  return live;
}

async function onDisk<T>(folder: string, work: (fixture: ServiceFixture) => Promise<T>): Promise<T> {
  const { keyId, fingerprintId, rankKey } = IDENTITY;
  const store = await openFolder(join(folder, 'data'), { keyId, fingerprintId, rankKey, shingleSize: SHINGLE_SIZE });
  const opened = createServiceFixture({ wrapStore: () => store });
  try {
    return await work(opened);
  } finally {
    await opened.close();
    await store.close();
  }
}

describe('sets of features among texts', () => {
  it('are found by what they share, as brute force says, and never meet a text of the same words', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 16 }),
        fc.array(made, { minLength: 1, maxLength: 3 }),
        async (steps, asked) => {
          const world = worlds++;
          const live = await walk(fixture, world, steps);
          for (const one of asked) {
            const query = inWorld(world, one);
            expectSame(await fixture.similar(referenceOf(query), OPTIONS), live, query);
          }
          for (const [url, query] of live) {
            const others = new Map([...live].filter(([other]) => other !== url));
            expectSame(await fixture.similar(ofUrl(url), OPTIONS), others, query);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are the same on disk, and after a restart', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), made, (steps, one) =>
        inFolder(async (folder) => {
          const query = inWorld(0, one);
          const live = await onDisk(folder, async (at) => {
            const walked = await walk(at, 0, steps);
            expectSame(await at.similar(referenceOf(query), OPTIONS), walked, query);
            return walked;
          });
          await onDisk(folder, async (at) => {
            expectSame(await at.similar(referenceOf(query), OPTIONS), live, query);
          });
        }),
      ),
      { numRuns: 4 },
    );
  });

  it('of thousands are estimated as texts are: the interval has what brute force says', async () => {
    const strings = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `big ${from + i}`);
    await fixture.put('https://big.example/', '', featuresOf(strings(0, 6000)));
    const { matches } = await fixture.similar(ofFeatures(strings(2000, 8000)), OPTIONS);
    const { low, high } = matches[0]!.resemblance;
    expect(low).toBeLessThan(0.5);
    expect(high).toBeGreaterThan(0.5);
    expect(high - low).toBeLessThan(0.1);
  });
});
