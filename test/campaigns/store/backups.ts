import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { backupRound, newBackupTally } from '../../support/crash/backup-rounds.ts';

/*
 * Backups of random small histories, with segments and without: `npm run campaign:backups -- --rounds 1000 --seed 1`. Every
 * one must restore, be sound, answer as the index did when it was taken, and take writes; so must what a kill leaves. Exit
 * code 1 at the first that does not.
 */

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const tally = newBackupTally();
const TOLD_EVERY = 50;

process.exitCode = 1;
for (let seed = Number(values.seed); tally.rounds < Number(values.rounds); seed++) {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-backups-'));
  try {
    await backupRound(folder, seed, tally);
  } catch (error) {
    console.log(`kept for inspection: ${folder}`);
    throw error;
  }
  rmSync(folder, { recursive: true, force: true });
  if (tally.rounds % TOLD_EVERY === 0) console.log(JSON.stringify(tally));
}
console.log(JSON.stringify(tally));
process.exitCode = 0;
