import { inspect, isDeepStrictEqual } from 'node:util';
import type { LevelStore } from '../../../src/store/level/level-store.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Retention } from '../../../src/store/settings.ts';
import { MemoryStore } from '../memory-store/memory-store.ts';
import { openFolder, TEST_DESCRIPTION, TEST_RANK_KEY } from '../store/level-folder.ts';
import { below, randomFrom } from '../store/level-plans.ts';
import { applyAll, ModelFaults, sweepBoth, untilTaken } from './model-faults.ts';
import { isPassing } from './patience.ts';
import { type Question, randomPlans, randomQuestion } from './random-plans.ts';

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
/** For images of all segments, of some, of none. */
const IMAGE_BYTES = [2 ** 27, 2 ** 19, 0];

/** Operations by what they were: outcomes of plans, and the kinds of the rest. */
export type OperationCounts = Map<string, number>;

/**
 * Runs so many operations on an index in `folder` and on a memory store.
 *
 * @param asking the store that is asked, made of the one in the folder
 * @throws Error naming the first operation that they answer differently, with both answers
 */
export async function runOperations(
  folder: string,
  seed: number,
  operations: number,
  asking: (store: LevelStore) => Promise<Store> = async (store) => store,
): Promise<OperationCounts> {
  const random = randomFrom(seed);
  const memory = new MemoryStore(TEST_DESCRIPTION, SETTINGS);
  const segments = {
    ...SMALL_SEGMENTS,
    filterBytesMax: FILTER_BYTES[seed % FILTER_BYTES.length]!,
    imageBytesMax: IMAGE_BYTES[Math.floor(seed / FILTER_BYTES.length) % IMAGE_BYTES.length]!,
  };
  const faults = new ModelFaults(random);
  const options = { ...SETTINGS, segments, diskRetryMs: DISK_RETRY_MS, openLevel: faults.level.open };
  let level = await asking(await openFolder(folder, options));
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
        const [is, should] = await sweepBoth(level, memory, time, limit);
        compare(`sweep ${at}`, is, should);
        count('sweep');
      } else if (what < 0.444) {
        await level.close();
        level = await asking(await openFolder(folder, options));
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
