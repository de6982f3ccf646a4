import { expect, it } from 'vitest';
import { backupRound, newBackupTally } from '../support/crash/backup-rounds.ts';
import { inFolder } from '../support/store/level-folder.ts';

/** Where shingle counts were written of contents in memory, each of these had a backup that could not be restored. */
const SEEDS = [65];

it(`restores whatever was backed up, and it answers as it did (seeds ${SEEDS.join(', ')}; many in npm run campaign:backups)`, {
  timeout: 240_000,
}, async () => {
  const tally = newBackupTally();
  for (const seed of SEEDS) await inFolder((folder) => backupRound(folder, seed, tally));
  expect(tally.backups).toBeGreaterThanOrEqual(SEEDS.length);
  expect(tally.withoutSegments).toBeGreaterThan(0);
  expect(tally.kills).toBeGreaterThan(0);
});
