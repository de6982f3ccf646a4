import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import type { BulkOperation } from '../../src/service/api.ts';
import type { Store } from '../../src/store/port.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { createPrng, type Prng } from '../support/prng.ts';
import { bulkOf, putUnless, resultOf, standing, UNLESS } from '../support/service/put-unless.ts';
import {
  createServiceFixture,
  type FixtureOptions,
  IDENTITY,
  putOf,
  SHINGLE_SIZE,
} from '../support/service/service-fixture.ts';
import { UnlessOracle } from '../support/service/unless-oracle.ts';
import { openFolder } from '../support/store/level-folder.ts';
import { withMethods } from '../support/store/store-methods.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

/* Insert unless similar, many at once: in what order they count, and what becomes of equal ones. */

const make = createTextMaker(90);
const text = make.text(60);
const near = `${text} ${make.text(3)}`;

describe('lines unless similar', () => {
  it('are held against the lines before them, written or not', async () => {
    const fixture = createServiceFixture();
    const other = make.text(60);
    const answers = await bulkOf(fixture, [
      { op: 'put', ...putOf('urn:1', text) },
      putUnless('urn:2', near),
      putUnless('urn:3', other, { similar: 2 }),
      putUnless('urn:4', other),
      putUnless('urn:4', make.text(60)),
      { op: 'gone', url: 'urn:1', httpStatus: 410, observedAt: null },
      putUnless('urn:5', near),
      { op: 'delete', url: 'urn:5' },
      { op: 'put', ...putOf('urn:3', text) },
      putUnless('urn:6', other),
      putUnless('urn:7', near, { similar: 1 }),
    ]);
    expect(answers.map(resultOf)).toEqual([
      ...['created', 'skipped', 'created', 'skipped', 'created', 'gone', 'created', 'deleted', 'updated', 'created'],
      'skipped',
    ]);
    expect(answers.map(standing)).toEqual([[], ['urn:1'], [], ['urn:3'], [], [], [], [], [], [], ['urn:3']]);
    expect(answers[1]).toMatchObject({ line: 2, status: 200, url: 'urn:2', similarComplete: true });
    expect(answers[2]).toMatchObject({ status: 201, similarComplete: true });
    expect(Object.keys(answers[4]!)).toEqual(['line', 'status', 'url', 'result']);
    await fixture.close();
  });

  it('do not count a line before them that failed', async () => {
    const refuses = withMethods((store) => ({
      apply(plan, options) {
        if (plan.url === 'urn:1') throw new ShingledError('storage-full', 'full');
        return store.apply(plan, options);
      },
    }));
    const failing = createServiceFixture({ wrapStore: refuses });
    const answers = await bulkOf(failing, [
      putUnless('urn:1', text),
      putUnless('urn:2', ' . '),
      putUnless('urn:3', near),
    ]);
    expect(answers.map(resultOf)).toEqual(['storage-full', 'empty-document', 'created']);
    await failing.close();
  });

  it('wait for a line before them that takes longer to read', async () => {
    let finish = () => {};
    const secondIsRead = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let reads = 0;
    const slow = createServiceFixture({
      wrapDocuments: (documents) => ({
        ...documents,
        kernel: documents.kernel,
        queued: 0,
        close: () => documents.close(),
        async processInBulk(input, caller) {
          const isFirst = reads++ === 0;
          if (isFirst) await secondIsRead;
          const read = await documents.process(input, { caller });
          if (!isFirst) finish();
          return read;
        },
      }),
    });
    const answers = await bulkOf(slow, [{ op: 'put', ...putOf('urn:1', text) }, putUnless('urn:2', near)]);
    expect(answers.map(resultOf)).toEqual(['created', 'skipped']);
    await slow.close();
  });

  it('do not stand against one before them that asks for less', async () => {
    let asked = 0;
    const late = withMethods((store) => ({
      async candidates(query) {
        // the first look-up ends when all the rest could have been written
        if (asked++ === 0) for (let turns = 0; turns < 200; turns++) await turn();
        return store.candidates(query);
      },
    }));
    const slow = createServiceFixture({ wrapStore: late });
    const half = { ...UNLESS, resemblance: 0.3 };
    const lines = [putUnless('urn:1', text, { unless: half }), putUnless('urn:2', `${text} ${make.text(60)}`)];
    expect((await bulkOf(slow, lines)).map(resultOf)).toEqual(['created', 'created']);
    await slow.close();
  });

  it('name their nearest where only that is asked for', async () => {
    const fixture = createServiceFixture();
    await fixture.put('urn:a', text);
    const line: BulkOperation = { op: 'put', ...putOf('urn:b', near), similar: 5 };
    expect(await bulkOf(fixture, [line])).toMatchObject([
      { status: 201, result: 'created', similar: [{ sources: [{ url: 'urn:a' }] }], similarComplete: true },
    ]);
    await fixture.close();
  });
});

/** A store whose reads and writes take some turns of the loop, drawn by lot; it keeps the order of writes, as stores do. */
const unsteady = (prng: Prng) =>
  withMethods((store: Store) => {
    const wait = async () => {
      for (let turns = prng.below(6); turns > 0; turns--) await turn();
    };
    let handedOver = Promise.resolve();
    return {
      async apply(plan, options) {
        handedOver = handedOver.then(wait);
        await handedOver;
        const outcome = await store.apply(plan, options);
        await wait();
        return outcome;
      },
      async candidates(query) {
        await wait();
        const found = await store.candidates(query);
        await wait();
        return found;
      },
    };
  });

const STORES: readonly [string, () => Promise<{ store: Store | null; rounds: number }>][] = [
  ['memory', async () => ({ store: null, rounds: 12 })],
  [
    'LevelDB',
    async () => {
      const { keyId, fingerprintId, rankKey } = IDENTITY;
      const settings = { keyId, fingerprintId, rankKey, shingleSize: SHINGLE_SIZE };
      return { store: await openFolder(temporaryFolder(), settings), rounds: 4 };
    },
  ],
];

describe.each(STORES)('over a store in %s', (_name, open) => {
  it('lines come to what they would one after the other, by brute force', async () => {
    const { store, rounds } = await open();
    const prng = createPrng(17);
    const options: FixtureOptions = { wrapStore: (memory) => unsteady(prng)(store ?? memory) };
    const shared = createServiceFixture(options);
    const oracle = new UnlessOracle(SHINGLE_SIZE);
    const bases = Array.from({ length: 3 }, () => make.text(45));
    const texts = bases.flatMap((base) => [base, ...[0.01, 0.03, 0.05, 0.1].map((share) => make.changed(base, share))]);
    const seen = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      const operations = Array.from({ length: 40 }, (): BulkOperation => {
        const url = `https://h${prng.below(5)}.example/${prng.below(3)}`;
        const lot = prng.below(20);
        if (lot === 0) return { op: 'delete', url };
        if (lot === 1) return { op: 'gone', url, httpStatus: 404, observedAt: null };
        const words = texts[prng.below(texts.length)]!;
        if (lot < 4) return { op: 'put', ...putOf(url, words) };
        const unless = [
          { resemblance: 0.4 + prng.below(60) / 100, queryInMatch: null, matchInQuery: null },
          { resemblance: 0.95, queryInMatch: 0.8, matchInQuery: 0.9 },
        ][prng.below(2)]!;
        return putUnless(url, words, { unless, similar: 100 });
      });
      const expected = operations.map((operation) => oracle.apply(operation));
      const answers = await bulkOf(shared, operations);
      expect(answers.map(resultOf)).toEqual(expected.map(({ result }) => result));
      for (const [at, answer] of answers.entries()) {
        // what stood against it is told as it was found, while lines before it were under way
        expect(standing(answer).length > 0).toBe(expected[at]!.standing.length > 0);
      }
      for (const answer of answers) seen.set(resultOf(answer), 1 + (seen.get(resultOf(answer)) ?? 0));
    }
    // the lots have met what they are for
    for (const result of ['created', 'updated', 'unchanged', 'skipped', 'gone', 'deleted']) {
      expect(seen.get(result)).toBeGreaterThan(0);
    }
    await shared.close();
    await store?.close();
  });

  it('of near-copies sent at the same moment, alone or in lines, one is kept', async () => {
    const { store, rounds } = await open();
    const shared = createServiceFixture({ wrapStore: (memory) => unsteady(createPrng(18))(store ?? memory) });
    const unless = { resemblance: 0.9, queryInMatch: null, matchInQuery: null };
    for (let round = 0; round < rounds; round++) {
      const copy = make.text(50);
      const urls = (kind: string) => Array.from({ length: 8 }, (_, at) => `https://${kind}${at}.example/${round}`);
      const alone = urls('alone').map((url) => shared.put(url, copy, { unless }));
      const lines = [urls('x'), urls('y')].map((own) =>
        bulkOf(
          shared,
          own.map((url) => putUnless(url, copy, { unless })),
        ),
      );
      const statuses = (await Promise.all(alone)).map(({ status }) => status);
      for (const answers of await Promise.all(lines)) statuses.push(...(answers.map(resultOf) as typeof statuses));
      expect(statuses.filter((status) => status === 'created')).toHaveLength(1);
      expect(statuses.filter((status) => status === 'skipped')).toHaveLength(23);
    }
    await shared.close();
    await store?.close();
  });
});
