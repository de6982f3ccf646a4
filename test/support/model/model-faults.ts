import { isDeepStrictEqual } from 'node:util';
import type { Store, WriteOutcome, WritePlan } from '../../../src/store/port.ts';
import { below } from '../store/level-plans.ts';
import { type Failure, FaultyLevel, ioError, type Seen } from './faulty-level.ts';
import { isPassing, until } from './patience.ts';
import { CONTENTS } from './random-plans.ts';
import { endWorkers } from './worker-end.ts';

/* The model's disk: writes of an index fail at random, and it must be the one of memory again as soon as it is written. */

const FAILURES: readonly Failure[] = ['kept', 'lost', 'torn'];
/** By the tables of their rows: of documents, of the list of segments, of what is cleared, of all. */
const WRITES: readonly [string, (write: Seen) => boolean][] = [
  ['documents', (write) => write.includes('s')],
  ['list', (write) => write.includes('g')],
  ['clearing', (write) => write === 'clear'],
  ['any', () => true],
];
const ENDS_AFTER_MS = 10;
const PAGE = { limit: 100 };

/** What became of plans that were applied at once, in their order: undefined for those that were refused. */
type Outcomes = readonly (WriteOutcome | undefined)[];

export class ModelFaults {
  readonly level = new FaultyLevel();
  private readonly random: () => number;
  private readonly ends = endWorkers({ kind: '', times: 0, afterMsMax: ENDS_AFTER_MS });

  constructor(random: () => number) {
    this.random = random;
  }

  /** From now on one write fails, or the thread that writes segments ends. @returns what does */
  arm(): string {
    const { random, level } = this;
    if (random() < 0.2) {
      this.ends.more(1);
      return 'end of a worker';
    }
    const [name, isIt] = WRITES[below(random, WRITES.length)]!;
    const failure = FAILURES[below(random, FAILURES.length)]!;
    void level.failNext(failure, isIt);
    return `${name} ${failure}`;
  }

  /** Nothing fails any more. */
  stop(): void {
    this.ends.stop();
  }

  /** Reads fail while `work` runs, as where the system has no file to give. */
  async withoutFiles<T>(work: () => Promise<T>): Promise<T> {
    this.level.failReads(ioError('Too many open files'));
    try {
      return await work();
    } finally {
      this.level.failReads(undefined);
    }
  }
}

/** `work` until the disk takes it. @returns its result, and whether it was refused before */
export async function untilTaken<T>(store: Store, work: () => Promise<T>): Promise<{ result: T; refused: boolean }> {
  for (let refused = false; ; refused = true) {
    try {
      return { result: await work(), refused };
    } catch (error) {
      if (!isPassing(error)) throw error;
      await until(() => store.writable);
    }
  }
}

/**
 * Applies plans at once to an index, and to memory what it came to: of those that were refused, all from the first on, the
 * index may have the first few.
 *
 * @throws Error where no such number explains what the index says of their URLs
 */
export async function applyAll(level: Store, memory: Store, plans: readonly WritePlan[]): Promise<Outcomes[]> {
  const settled = await Promise.allSettled(plans.map((plan) => level.apply(plan)));
  const outcomes = settled.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    if (!isPassing(one.reason)) throw one.reason;
    return undefined;
  });
  const taken = outcomes.indexOf(undefined);
  const expected: (WriteOutcome | undefined)[] = [];
  for (const plan of taken < 0 ? plans : plans.slice(0, taken)) expected.push(await memory.apply(plan));
  if (taken < 0) return [outcomes, expected];
  await until(() => level.writable);
  const refused = plans.slice(taken);
  const urls = [...new Set(refused.map(({ url }) => url))];
  const is = await held(level, urls);
  for (const plan of refused) {
    if (isDeepStrictEqual(is, await held(memory, urls))) break;
    await memory.apply(plan);
  }
  if (!isDeepStrictEqual(is, await held(memory, urls)))
    throw new Error(`Of refused plans is there: ${JSON.stringify(is)}`);
  return [outcomes.slice(0, taken), expected];
}

/**
 * Sweeps an index until the disk takes it, and memory as often as the index was: what was refused may be there.
 *
 * @returns what the last sweep of each came to
 */
export async function sweepBoth(level: Store, memory: Store, now: number, limit: number): Promise<unknown[]> {
  const { result, refused } = await untilTaken(level, () => level.sweep(now, limit));
  const should = await memory.sweep(now, limit);
  if (!refused) return [result, should];
  // two sweeps may examine and forget as many as one another
  const isAlike = isDeepStrictEqual([result, await held(level, [])], [should, await held(memory, [])]);
  return [result, isAlike ? should : await memory.sweep(now, limit)];
}

/** What some URLs and all contents have come to: nothing of past contents but their holders is told otherwise. */
function held(store: Store, urls: readonly string[]): Promise<unknown[]> {
  const sources = urls.map(async (url) => [await store.source(url), await store.versions(url, PAGE)]);
  return Promise.all([...sources, ...CONTENTS.map(({ id }) => store.holders({ id }, PAGE))]);
}
