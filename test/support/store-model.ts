import { inspect, isDeepStrictEqual } from 'node:util';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { CandidateQuery, NewContent, Retention, Store, WritePlan } from '../../src/store/port.ts';
import { openFolder, TEST_DESCRIPTION, TEST_RANK_KEY } from './level-folder.ts';
import {
  ANY_OVERLAP,
  below,
  contentOf,
  deletePlan,
  digest,
  fingerprintsOf,
  gonePlan,
  putPlan,
  randomFrom,
  seenPlan,
} from './level-plans.ts';
import { applyAll, isPassing, ModelFaults, untilTaken } from './model-faults.ts';

/*
 * LevelDB against memory: random plans, sweeps, reads, compactions and reopenings, and the same answer to every one. Plans
 * go to the committer several at a time, so that they meet in one batch. Now and then a write fails, of whatever kind, or a
 * thread ends: what was refused is there whole or not at all, and all else must be as if nothing had been.
 */

/** Small, so that past contents, versions and common lists run over all the time. */
export const SMALL_RETENTION: Retention = { pastContentsMax: 2, pastMs: 120, pastResemblanceMax: 0.9, versionsMax: 4 };
const SETTINGS = { rankKey: TEST_RANK_KEY, retention: SMALL_RETENTION, listPostingsMax: 3 };
/** So small that postings go into segments, are merged and cut, and their contents forgotten, all the time. */
export const SMALL_SEGMENTS = { flushContents: 12, flushPostings: 700, keptPostingsMax: 9, idleMs: 5, retryMs: 10 };
const DISK_RETRY_MS = 5;

/** So often is something made to fail, among plans and among questions. */
const FAULTS = 0.02;

/** Filters have room for all postings, for half of them or hardly any, by seed. */
const FILTER_BYTES = [2 ** 20, 600, 100];

/** Operations by what they were: outcomes of plans, and the kinds of the rest. */
export type OperationCounts = Map<string, number>;

const HOSTS = ['https://example.com', 'http://www.example.com:8080', 'https://a.example.org', 'http://10.0.0.1'];
const URLS = [
  ...HOSTS.flatMap((host) => Array.from({ length: 8 }, (_, i) => `${host}/p${'a'.repeat(i)}`)),
  'urn:isbn:1',
  'urn:isbn:12',
  'tag:x',
];

/** Families of contents that share none, some, most or all of their fingerprints; short, sampled and empty ones. */
const CONTENTS: NewContent[] = Array.from({ length: 60 }, (_, i) => {
  const family = i % 12;
  const member = Math.floor(i / 12);
  if (family === 11) return contentOf(i, fingerprintsOf(7000, member));
  const size = [3, 20, 40, 70, 90, 130, 300, 600, 1100, 8, 30][family]!;
  const shift = [0, 1, 2, Math.ceil(size / 3), size][member]!;
  const twin = family === 10 ? digest(family, 3) : undefined;
  return contentOf(i, fingerprintsOf(family * 5000 + (family === 10 ? 0 : shift), size), twin);
});

const NO_KEYS = new Float64Array(0);

/**
 * Runs so many operations on an index in `folder` and on a memory store.
 *
 * @throws Error naming the first operation that they answer differently, with both answers
 */
export async function runOperations(folder: string, seed: number, operations: number): Promise<OperationCounts> {
  const random = randomFrom(seed);
  const memory = new MemoryStore(TEST_DESCRIPTION, SETTINGS);
  const segments = { ...SMALL_SEGMENTS, filterBytesMax: FILTER_BYTES[seed % FILTER_BYTES.length]! };
  const faults = new ModelFaults(random);
  const options = { ...SETTINGS, segments, diskRetryMs: DISK_RETRY_MS, openLevel: faults.level.open };
  let level = await openFolder(folder, options);
  const clock = { now: 1000 };
  let done = 0;
  const counts: OperationCounts = new Map();
  const count = (what: string, times = 1) => {
    counts.set(what, (counts.get(what) ?? 0) + times);
    done += times;
  };
  try {
    while (done < operations) {
      const at = `after ${done}, seed ${seed}`;
      const what = random();
      if (random() < FAULTS) count(faults.arm());
      if (what < 0.4) {
        const plans = randomPlans(random, clock);
        const [is, should] = await applyAll(level, memory, plans);
        compare(at, is, should);
        for (const outcome of is!) count(outcome!.status);
        count('refused', plans.length - is!.length);
      } else if (what < 0.44) {
        const limit = 1 + below(random, 10);
        const time = clock.now - below(random, 50);
        const { result, refused } = await untilTaken(level, () => level.sweep(time, limit));
        let should = await memory.sweep(time, limit);
        // what was refused may be there
        if (refused && !isDeepStrictEqual(result, should)) should = await memory.sweep(time, limit);
        compare(`sweep ${at}`, result, should);
        count('sweep');
      } else if (what < 0.444) {
        await level.close();
        level = await openFolder(folder, options);
        count('reopen');
      } else if (what < 0.446) {
        await untilTaken(level, () => level.compact());
        count('compact');
      } else {
        const questions = Array.from({ length: 24 }, () => randomQuestion(random, clock.now));
        if (random() < FAULTS) count('without files', await askWithoutFiles(faults, level, questions));
        const answers = await Promise.all(questions.map(({ ask }) => ask(level)));
        for (const [i, { name, ask }] of questions.entries()) {
          compare(`${name} ${at}: ${ask}`, answers[i], await ask(memory));
          count(name);
        }
        compare(`totals ${at}`, await totals(level), await totals(memory));
      }
      if (level.damaged) throw new Error(`${at}: the index is called damaged.`);
    }
  } finally {
    faults.stop();
  }
  await level.close();
  return counts;
}

/** Each is answered, or refused for the moment. @returns how many were refused */
async function askWithoutFiles(faults: ModelFaults, store: Store, questions: readonly Question[]): Promise<number> {
  const answers = await faults.withoutFiles(() => Promise.allSettled(questions.map(({ ask }) => ask(store))));
  const refusals = answers.filter((answer) => answer.status === 'rejected');
  for (const { reason } of refusals) if (!isPassing(reason)) throw reason;
  return refusals.length;
}

function compare(what: string, is: unknown, should: unknown): void {
  if (isDeepStrictEqual(is, should)) return;
  throw new Error(`${what}\n${inspect(is, { depth: 8 })}\nwas answered, not\n${inspect(should, { depth: 8 })}`);
}

async function totals(store: Store) {
  const { sources, contents, postings } = await store.stats();
  return { sources, contents, postings };
}

export function randomPlans(random: () => number, clock: { now: number }): WritePlan[] {
  return Array.from({ length: 1 + below(random, 40) }, () => {
    clock.now += below(random, 6);
    return randomPlan(random, clock.now);
  });
}

function randomPlan(random: () => number, now: number): WritePlan {
  const url = URLS[below(random, URLS.length)]!;
  // in steps, so that observations meet at the same time
  const seenAt = random() < 0.7 ? now : Math.max(0, now - below(random, 200));
  const observedAt = random() < 0.1 ? null : seenAt - (seenAt % 10);
  // a clock that was set back, or runs ahead for a while
  const off = random();
  const receivedAt = off < 0.02 ? Math.max(0, now - 400) : off < 0.04 ? now + 400 : now;
  const times = { observedAt, receivedAt };
  const kind = random();
  if (kind < 0.62) {
    const content = CONTENTS[below(random, CONTENTS.length)]!;
    // few bytes a content, so that the same ones come again
    const bytesDigest = digest(below(random, 2), 4).slice(0, 24) + content.id.slice(-8);
    return putPlan(url, content, now, {
      ...times,
      bytesDigest,
      spelling: `${url}#${below(random, 3)}`,
      httpStatus: random() < 0.2 ? null : 200 + below(random, 3),
      finalUrl: random() < 0.3 ? `${url}?final` : null,
      title: random() < 0.5 ? `Title ${below(random, 5)} é` : null,
      language: random() < 0.5 ? 'en' : null,
      meta: random() < 0.2 ? { tag: below(random, 5), text: 'ü' } : null,
    });
  }
  if (kind < 0.76) {
    const content = CONTENTS[below(random, CONTENTS.length)]!;
    const bytesDigest = digest(below(random, 2), 4).slice(0, 24) + content.id.slice(-8);
    return seenPlan(url, bytesDigest, now, { ...times, meta: random() < 0.3 ? { seen: now } : null });
  }
  if (kind < 0.9) return gonePlan(url, now, { ...times, httpStatus: random() < 0.5 ? 404 : 410 });
  return deletePlan(url, now);
}

export interface Question {
  readonly name: string;
  ask(store: Store): Promise<unknown>;
}

/** Of how many candidates of a query. */
const HOLDERS_ASKED = 3;

/** What a query meets, as far as every store says the same of it, and who holds that. */
async function met(store: Store, query: CandidateQuery, limit: number) {
  const { candidates, ...set } = await store.candidates(query);
  const all = candidates.map(async ({ record, ...counts }, i) => {
    const { id, shingleDigest, tokenCount, shingleCount, createdAt } = record;
    const { modulus, bits, values } = record.sample;
    const holders = i < HOLDERS_ASKED ? await store.holders(record, { limit }) : null;
    return { id, shingleDigest, tokenCount, shingleCount, createdAt, modulus, bits, values, ...counts, holders };
  });
  return { candidates: await Promise.all(all), ...set };
}

/** What is known of some URLs, as far as every store says the same of it. */
async function knownOf(store: Store, urls: readonly string[]) {
  const known = await store.getMany(urls);
  return known.map((one) => {
    if (one === undefined || one === 'unreadable') return one;
    const { id, shingleDigest, tokenCount, shingleCount, createdAt, sample } = one.content;
    const { modulus, bits, values } = sample;
    return { source: one.source, id, shingleDigest, tokenCount, shingleCount, createdAt, modulus, bits, values };
  });
}

export function randomQuestion(random: () => number, now: number): Question {
  const url = URLS[below(random, URLS.length)]!;
  const content = CONTENTS[below(random, CONTENTS.length)]!;
  const limit = 1 + below(random, 6);
  switch (below(random, 7)) {
    case 0:
      return { name: 'source', ask: (store) => store.source(url) };
    case 1:
      return { name: 'content', ask: (store) => store.content(content.id) };
    case 2: {
      const query = { ...ANY_OVERLAP, keys: NO_KEYS, candidatesMax: limit, shingleDigest: content.shingleDigest };
      return { name: 'twins', ask: (store) => met(store, query, limit) };
    }
    case 3: {
      const page = random() < 0.5 ? { limit } : { limit, before: now - below(random, 300) };
      return { name: 'versions', ask: (store) => store.versions(url, page) };
    }
    case 4: {
      const page = random() < 0.5 ? { limit } : { limit, after: url };
      return { name: 'holders', ask: (store) => store.holders(content.id, page) };
    }
    case 5: {
      const urls = Array.from({ length: limit }, () => URLS[below(random, URLS.length)]!);
      return { name: 'many', ask: (store) => knownOf(store, urls) };
    }
    default: {
      const keys = content.sample.fingerprints.slice(0, 1 + below(random, 24));
      const candidatesMax = below(random, 20);
      const shingleDigest = random() < 0.5 ? content.shingleDigest : null;
      const [least, perShingle] = [below(random, 3), random() / 4];
      const overlapNeeded = (shares: Float64Array) => ({
        least: Math.max(0, least - shares.filter((share) => share < 1).length),
        of: (shingleCount: number) =>
          shingleCount === 20 ? Number.POSITIVE_INFINITY : least + perShingle * shingleCount,
      });
      const query = { keys, candidatesMax, shingleDigest, overlapNeeded };
      return { name: 'candidates', ask: (store) => met(store, query, limit) };
    }
  }
}
