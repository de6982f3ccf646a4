import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FullDisk } from '../../support/crash/full-disk.ts';
import { randomFrom } from '../../support/store/level-plans.ts';

/*
 * A disk that is full at random points of writing: `npm run campaign:disk-full -- --rounds 2000 --seed 1`, on Linux, on a
 * tmpfs that nobody else sees (a mount namespace of our own, so that no rights are needed). Exit code 1 where a write that
 * was acknowledged is not there, a refused one is, or writing does not resume.
 */

const INSIDE = 'SHINGLED_INSIDE_NAMESPACE';
const ROUNDS_A_FOLDER = 100;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});

if (process.env[INSIDE] === undefined) {
  const own = ['--user', '--map-root-user', '--mount', process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const { status } = spawnSync('unshare', own, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } });
  process.exitCode = status ?? 1;
} else {
  const seed = Number(values.seed);
  const rounds = Number(values.rounds);
  const random = randomFrom(seed);
  // the timers of the store hold nobody up
  const alive = setInterval(() => undefined, 1000);
  const sum = { rounds: 0, applied: 0, refused: 0, refusedButThere: 0, neverFull: 0, wrongErrors: 0, wrong: 0 };
  process.exitCode = 1;
  while (sum.rounds < rounds) {
    const mount = mkdtempSync(join(tmpdir(), 'shingled-full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', mount]);
    const disk = new FullDisk(mount, seed + sum.rounds, random);
    for (let i = 0; i < ROUNDS_A_FOLDER && sum.rounds + i < rounds; i++) await disk.round();
    await disk.reopen();
    await disk.close();
    execFileSync('umount', [mount]);
    rmdirSync(mount);
    const { wrong, wrongErrors } = disk.tally;
    for (const sentence of [...wrong, ...wrongErrors].slice(0, 20)) console.log(sentence);
    sum.rounds += disk.tally.rounds;
    sum.applied += disk.tally.applied;
    sum.refused += disk.tally.refused;
    sum.refusedButThere += disk.tally.refusedButThere;
    sum.neverFull += disk.tally.neverFull;
    sum.wrong += wrong.length;
    sum.wrongErrors += wrongErrors.length;
    console.log(JSON.stringify(sum));
  }
  clearInterval(alive);
  process.exitCode = sum.wrong + sum.wrongErrors > 0 ? 1 : 0;
}
