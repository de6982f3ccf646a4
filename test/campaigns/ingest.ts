import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killedLoad } from '../support/cli/ingest-kills.ts';

/* npm run campaign:ingest [kills] [seed]: loads that are killed at random and go on. Nothing may be lost, or done twice. */

const [kills = 200, seed = Date.now() % 1e6] = process.argv.slice(2).map(Number);
/** Then a load runs to its end, and is looked at. */
const KILLS_OF_LOAD = 10;
const LIMITS = { lines: 20_000, readsMax: 6000 };

const folder = mkdtempSync(join(tmpdir(), 'shingled-ingest-'));
const problems: string[] = [];
let [done, advanced, loads] = [0, 0, 0];
try {
  while (done < kills) {
    const load = await killedLoad(folder, seed + loads, Math.min(KILLS_OF_LOAD, kills - done), LIMITS);
    problems.push(...load.problems);
    done += load.kills;
    advanced += load.advanced;
    loads++;
    console.log(`${done} kills, ${advanced} of them further on; ${loads} loads; ${problems.length} problems`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
console.log(`seed ${seed}: ${done} kills, acknowledged and repeated or lost: ${problems.length}`);
if (problems.length > 0) process.exitCode = 1;
