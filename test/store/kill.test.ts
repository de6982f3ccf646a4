import { expect, it } from 'vitest';
import { CrashTest } from '../support/crash/level-crash.ts';
import { inFolder } from '../support/store/level-folder.ts';
import { randomFrom } from '../support/store/level-plans.ts';

const ROUNDS = 3;
const WRITES_LEAST = 10;
const SEED = 7;

it(`loses no acknowledged write to SIGKILL (${ROUNDS} rounds or more; many in campaigns/store/kill.ts)`, () =>
  inFolder(async (dataDir) => {
    const crashes = new CrashTest({ dataDir, seed: SEED, random: randomFrom(SEED) });
    // more of them where the machine does much else, and processes are killed before they have begun
    for (let i = 0; i < ROUNDS || crashes.tally.acknowledged <= WRITES_LEAST; i++) await crashes.round();
    expect(crashes.tally).toMatchObject({ lost: 0, torn: [] });
  }));
