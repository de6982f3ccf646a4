import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CrashTest } from '../support/level-crash.ts';
import { randomFrom } from '../support/level-plans.ts';

/*
 * SIGKILL at random points while clients write: `node test/campaigns/kill.ts --rounds 300 --seed 1`. Exit code 1 where an
 * acknowledged write is lost or anything is torn.
 */

/** A folder serves so many rounds, so that creations are killed as well. */
const ROUNDS_A_FOLDER = 30;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const random = randomFrom(seed);
const sum = { rounds: 0, acknowledged: 0, lost: 0, torn: 0, killedEarly: 0, unacknowledgedButThere: 0 };

for (let folders = 0; sum.rounds < rounds; folders++) {
  const dataDir = mkdtempSync(join(tmpdir(), 'shingled-kill-'));
  const crashes = new CrashTest({ dataDir, seed: seed + folders, random });
  const before = { ...sum };
  try {
    for (let i = 0; i < ROUNDS_A_FOLDER && before.rounds + i < rounds; i++) {
      await crashes.round();
      const { tally } = crashes;
      sum.rounds = before.rounds + tally.rounds;
      sum.acknowledged = before.acknowledged + tally.acknowledged;
      sum.lost = before.lost + tally.lost;
      sum.torn = before.torn + tally.torn.length;
      sum.killedEarly = before.killedEarly + tally.killedEarly;
      sum.unacknowledgedButThere = before.unacknowledgedButThere + tally.unacknowledgedButThere;
      for (const sentence of tally.torn) console.log(sentence);
    }
    rmSync(dataDir, { recursive: true, force: true });
  } catch (error) {
    console.log(`kept for inspection: ${dataDir}`);
    throw error;
  }
  console.log(JSON.stringify(sum));
}
process.exitCode = sum.lost + sum.torn > 0 ? 1 : 0;
