import assert from 'node:assert/strict';
import type { Store } from '../../../src/store/port.ts';
import { randomPlans, randomQuestion } from '../model/random-plans.ts';
import { inFolder, NO_FILTERS, openFolder, type TestOptions, THROWN_AWAY } from '../store/level-folder.ts';
import { randomFrom } from '../store/level-plans.ts';
import { problemsOf } from '../store/level-rows.ts';
import { applyPlans, type LoadTestOptions, loadPlans, type PutOnly, statementsOf } from './loaded-index.ts';

/* A first load against the online path: the same rows, outcomes and answers. */

const QUESTIONS = 40;
/** Some tens of puts each. */
const PARTS = 12;

/** A few hundred puts of a few URLs and families, so that they meet one another all the time. */
export function randomPuts(seed: number, parts: number): { puts: PutOnly[]; now: number } {
  const random = randomFrom(seed);
  const clock = { now: 10_000 };
  const plans = Array.from({ length: parts }, () => randomPlans(random, clock)).flat();
  return { puts: plans.filter((plan) => plan.kind === 'put'), now: clock.now };
}

/** Asks both the same questions. */
async function expectSameAnswers(loaded: Store, online: Store, seed: number, now: number): Promise<void> {
  const random = randomFrom(seed);
  for (let i = 0; i < QUESTIONS; i++) {
    const question = randomQuestion(random, now);
    assert.deepEqual(await question.ask(loaded), await question.ask(online), question.name);
  }
}

/** Loads plans into one index, applies them to another, and holds both against each other. @throws where they differ */
export async function compareWays(
  plans: readonly PutOnly[],
  options: LoadTestOptions & TestOptions,
  batch: number,
  more: (loaded: Store, online: Store) => Promise<void> = async () => undefined,
): Promise<void> {
  await inFolder((one) =>
    inFolder(async (other) => {
      const { now = 1_700_000_000_000, listPostingsMax, retention } = options;
      const shared = { now, ...(listPostingsMax && { listPostingsMax }), ...(retention && { retention }) };
      const segments = { ...NO_FILTERS.segments, ...THROWN_AWAY.segments };
      const online = await openFolder(other, { segments, ...shared });
      const told = await applyPlans(online, plans);
      assert.deepEqual(await loadPlans(one, plans, options, { batch }), told);
      assert.deepEqual(await problemsOf(one), []);
      const loaded = await openFolder(one, { ...NO_FILTERS, ...shared, mustExist: true });
      await more(loaded, online);
      await Promise.all([loaded.close(), online.close()]);
      assert.deepEqual(await statementsOf(one), await statementsOf(other));
      assert.deepEqual(await problemsOf(one), []);
    }),
  );
}

/** … of random puts; both are asked, and go on. */
export async function loadRandomPuts(
  seed: number,
  options: LoadTestOptions & TestOptions,
  batch: number,
): Promise<void> {
  const { puts, now } = randomPuts(seed, PARTS);
  await compareWays(puts, options, batch, async (loaded, online) => {
    await expectSameAnswers(loaded, online, seed, now);
    const later = randomPlans(randomFrom(seed + 1), { now });
    assert.deepEqual(await applyPlans(loaded, later), await applyPlans(online, later));
    await expectSameAnswers(loaded, online, seed + 2, now);
  });
}
