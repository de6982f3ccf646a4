import { expect, it } from 'vitest';
import { CrashTest } from '../support/level-crash.ts';
import { inFolder } from '../support/level-folder.ts';
import { randomFrom } from '../support/level-plans.ts';

const ROUNDS = 5;
const SEED = 7;

it(`loses no acknowledged write to SIGKILL (${ROUNDS} rounds; many in campaigns/kill.ts)`, () =>
  inFolder(async (dataDir) => {
    const crashes = new CrashTest({ dataDir, seed: SEED, random: randomFrom(SEED) });
    for (let i = 0; i < ROUNDS; i++) await crashes.round();
    expect(crashes.tally).toMatchObject({ rounds: ROUNDS, lost: 0, torn: [] });
    // on a machine that does much else
    expect(crashes.tally.acknowledged).toBeGreaterThan(10);
  }));
