import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentReference, SimilarAnswer } from '../../src/service/api.ts';
import { DEFAULT_COMPOSITION_OPTIONS } from '../../src/service/composition/composition.ts';
import { referenceShingles, referenceTokens } from '../support/core/reference.ts';
import { featuresOf, ofFeatures, type Shares, sharesOfSets } from '../support/service/feature-documents.ts';
import {
  ALL,
  createServiceFixture,
  IDENTITY,
  ofText,
  ofUrl,
  refused,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../support/service/service-fixture.ts';
import { inFolder, openFolder } from '../support/store/level-folder.ts';

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

describe('a set of features', () => {
  const A = 'https://set.example/a';
  const B = 'https://set.example/b';

  it('is one content, in whatever order and however often its strings come', async () => {
    const first = await fixture.put(A, '', featuresOf(['red', 'size 42', '']));
    expect(first).toMatchObject({ status: 'created', newContent: true });
    expect(first.content).toMatchObject({ kind: 'features', tokens: 0, shingles: 3, short: true });
    expect(await fixture.put(A, '', featuresOf(['', 'size 42', 'red', 'red']))).toMatchObject({ status: 'unchanged' });
    const again = await fixture.put(B, '', featuresOf(['size 42', '', 'red']));
    expect(again).toMatchObject({ status: 'created', newContent: false, content: { id: first.content!.id } });
    const { matches } = await fixture.similar(ofFeatures(['red', '', 'size 42']));
    expect(matches).toMatchObject([{ equivalence: 'identical', sources: [{ url: A }, { url: B }], sourceCount: 2 }]);
    expect((await fixture.service.document(A, { limit: 10, cursor: null }, ALL)).content.kind).toBe('features');
  });

  it('of one string is a set as well, and one of none is empty', async () => {
    await fixture.put('https://set.example/one', '', featuresOf(['alone']));
    const { matches } = await fixture.similar(ofFeatures(['alone', 'with another']), OPTIONS);
    expect(matches).toMatchObject([{ resemblance: { estimate: 0.5 }, matchInQuery: { estimate: 1 } }]);
    await expect(fixture.similar(ofFeatures([]))).rejects.toMatchObject(refused('empty-document'));
  });

  it('has its versions, beside texts', async () => {
    const url = 'https://versions.example/';
    const says = [
      featuresOf(['a', 'b', 'c', 'd']),
      featuresOf(['a', 'b', 'c', 'e']),
      {},
      featuresOf(['a', 'b', 'c', 'e']),
    ];
    for (const body of says) {
      fixture.clock.nowMs += 60_000;
      await fixture.put(url, 'a b c d e a b c e', body);
    }
    const { versions } = await fixture.service.versions(url, { limit: 10, cursor: null }, ALL);
    expect(versions.map(({ change }) => change && [change.kind, change.resemblance?.estimate])).toEqual([
      ['replaced', 0],
      ['replaced', 0],
      ['edited', 0.6],
      null,
    ]);
  });

  it('is compared with another exactly, and explained in its own words', async () => {
    const [a, b] = [ofFeatures(['a', 'b', 'c']), ofFeatures(['c', 'b', 'x', 'y'])];
    const asked = {
      thresholds: { resemblance: 0.5, aInB: null, bInA: null },
      passages: false,
      fetch: 'auto',
      deadlineMs: null,
    } as const;
    const answer = await fixture.service.compare({ a, b, explain: true, ...asked }, ALL);
    expect(answer).toMatchObject({
      a: { kind: 'features', tokens: 0, shingles: 3 },
      resemblance: { exact: 0.4, decision: 'no' },
      aInB: { exact: 0.666667 },
      bInA: { exact: 0.5 },
      equivalence: 'none',
      whyNot: { shingles: { inBoth: 2, onlyInA: 1, onlyInB: 2, exact: true }, examples: [] },
    });
    expect(answer.whyNot!.detail).toContain('Of features 1 only in a, 2 only in b, 2 in both.');
    const details = answer.explanation!.steps.map(({ detail }) => detail);
    expect(details.slice(0, 6)).toEqual([
      'They are not the same set of features.',
      'Both were read as application/vnd.shingled.features+json in utf-8.',
      'Features have no text.',
      'Features have no words.',
      'Of their features 2 in both, 1 only in a, 2 only in b.',
      'They were compared by all their features: 3 of a, 4 of b, 2 in both.',
    ]);
    const turned = { a, b: ofFeatures(['c', 'b', 'a', 'a']), explain: true, ...asked };
    const same = await fixture.service.compare(turned, ALL);
    expect(same).toMatchObject({ equivalence: 'identical', whyNot: null, explanation: { partAt: null } });
    const mixed = await fixture.service.compare({ a, b: ofText('a b c'), explain: true, ...asked }, ALL);
    expect(mixed).toMatchObject({ resemblance: { exact: 0 }, whyNot: { step: 'threshold' } });
    expect(mixed.whyNot!.detail).toContain('One is a text, the other a set of features.');
    expect(mixed.explanation!.steps[3]).toMatchObject({
      same: false,
      detail: 'a is a set of features, the other has 3 words.',
    });
  });

  it('is made of others', async () => {
    const half = (name: string) => Array.from({ length: 10 }, (_, i) => `made ${name} ${i}`);
    await fixture.put('https://made.example/one', '', featuresOf(half('one')));
    await fixture.put('https://made.example/two', '', featuresOf(half('two').slice(0, 5)));
    await fixture.put('https://made.example/text', half('one').join(' '));
    const all = [...half('one'), ...half('two')];
    const answer = await fixture.service.compose(ofFeatures(all), DEFAULT_COMPOSITION_OPTIONS, ALL);
    expect(answer.query).toMatchObject({ kind: 'features', shingles: 20 });
    expect(answer.parts.map(({ sources, unique }) => [sources[0]!.url, unique.estimate])).toEqual([
      ['https://made.example/one', 0.5],
      ['https://made.example/two', 0.25],
    ]);
    expect(answer.unexplained.estimate).toBe(0.25);
    expect(answer).not.toHaveProperty('passages');
  });

  it('hangs together with others, and may be written unless one is similar', async () => {
    const of = (page: number) => `https://chain.example/${page}`;
    const strings = (from: number) => Array.from({ length: 10 }, (_, i) => `chain ${from + i}`);
    for (const page of [0, 2, 4]) await fixture.put(of(page), '', featuresOf(strings(page)));
    const asked = { by: 'resemblance', threshold: 0.6, limit: 100, sourcesPerMember: 10, deadlineMs: 20_000 } as const;
    const { index } = await fixture.service.clusters({ url: of(0), ...asked }, ALL);
    expect(index!.members).toMatchObject([
      { tokens: 0, shingles: 10, sources: [{ url: of(0) }] },
      { sources: [{ url: of(2) }] },
      { sources: [{ url: of(4) }] },
    ]);
    const unless = { resemblance: 0.8, queryInMatch: null, matchInQuery: null };
    const near = { ...featuresOf(strings(5)), unless, similar: 3 };
    expect(await fixture.put(of(5), '', near)).toMatchObject({
      status: 'skipped',
      similar: [{ sources: [{ url: of(4) }] }],
    });
    const far = { ...featuresOf(strings(50)), unless };
    expect(await fixture.put(of(50), '', far)).toMatchObject({ status: 'created' });
    const text = { unless };
    expect(await fixture.put(of(51), strings(50).join(' '), text)).toMatchObject({ status: 'created' });
  });

  it('has moved where its URL is gone and another has it', async () => {
    const strings = Array.from({ length: 30 }, (_, i) => `moved ${i}`);
    await fixture.put('https://moved.example/old', '', featuresOf(strings));
    fixture.clock.nowMs += 60_000;
    await fixture.service.gone({ url: 'https://moved.example/old', httpStatus: 410, observedAt: null }, ALL);
    await fixture.put('https://moved.example/new', '', featuresOf([...strings, 'moved more']));
    const asked = { url: 'https://moved.example/old', limit: 5, always: false, deadlineMs: 20_000 };
    const { candidates } = await fixture.service.moved(asked, ALL);
    expect(candidates).toMatchObject([{ url: 'https://moved.example/new' }]);
  });

  it('is refused what only a text has', async () => {
    const features = ofFeatures(['a']);
    await expect(fixture.similar(features, { passages: true })).rejects.toMatchObject(
      refused('invalid-request', { field: 'passages' }),
    );
    const asked = {
      thresholds: { resemblance: 0.5, aInB: null, bInA: null },
      fetch: 'auto',
      deadlineMs: null,
    } as const;
    for (const [a, b] of [
      [features, ofText('a')],
      [ofText('a'), features],
    ] as const) {
      for (const field of ['passages', 'differences'] as const) {
        const request = { a, b, passages: false, ...asked, [field]: true };
        await expect(fixture.service.compare(request, ALL)).rejects.toMatchObject(
          refused('invalid-request', { field }),
        );
      }
    }
    const quoted = { ...DEFAULT_COMPOSITION_OPTIONS, find: 'quotations' } as const;
    await fixture.put(A, '', featuresOf(['of the index', 'b']));
    for (const asked of [features, ofUrl(A)]) {
      await expect(fixture.service.compose(asked, quoted, ALL)).rejects.toMatchObject(
        refused('invalid-request', { field: 'find' }),
      );
    }
    for (const field of ['select', 'remove'] as const) {
      await expect(fixture.similar({ ...features, [field]: 'p' })).rejects.toMatchObject(
        refused('invalid-selector', { field }),
      );
    }
  });

  it('of the index is told that it has no text', async () => {
    await fixture.put(A, '', featuresOf(['of the index', 'b']));
    await fixture.put(B, '', featuresOf(['of the index', 'c']));
    const { query, limits } = await fixture.similar(ofUrl(A), { ...OPTIONS, passages: true });
    expect(query).toMatchObject({ from: 'index', kind: 'features' });
    expect(limits).toMatchObject([{ code: 'passages-need-text' }]);
  });
});
