import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killedFirstLoad } from '../support/cli/first-load-kills.ts';
import { type KilledLoad, killedLoad } from '../support/cli/ingest-kills.ts';
import { PowerCuts } from '../support/crash/power-cuts.ts';

/*
 * npm run campaign:ingest [kills] [seed] [kind]: loads that are killed at random and go on. Nothing may be lost, or done twice.
 * Kinds: first (first loads), power (the same, and the power is cut: Linux, gcc), more (into an index that holds something);
 * all: the first and the last.
 */

const [kills = 200, seed = Date.now() % 1e6] = process.argv.slice(2, 4).map(Number);
const kind = process.argv[4] ?? 'all';
/** Then a load runs to its end, and is looked at. */
const KILLS_OF_LOAD = 10;
const LIMITS = { lines: 20_000, readsMax: 6000 };
const FIRST_LINES = 6000;

const folder = mkdtempSync(join(tmpdir(), 'shingled-ingest-'));
const problems: string[] = [];

async function campaign(name: string, killed: (seed: number, killsMax: number) => Promise<KilledLoad>): Promise<void> {
  let [done, advanced, loads] = [0, 0, 0];
  while (done < kills) {
    const load = await killed(seed + loads, Math.min(KILLS_OF_LOAD, kills - done));
    problems.push(...load.problems);
    done += load.kills;
    advanced += load.advanced;
    loads++;
    console.log(`${name}: ${done} kills, ${advanced} further on; ${loads} loads; ${problems.length} problems`);
    for (const problem of load.problems) console.error(problem);
  }
}

try {
  if (kind === 'first' || kind === 'power' || kind === 'all') {
    const power = kind === 'power' ? new PowerCuts(folder) : null;
    await campaign(kind === 'power' ? 'power cuts of first loads' : 'first loads', (of, killsMax) =>
      killedFirstLoad(folder, of, { lines: FIRST_LINES, killsMax, power }),
    );
  }
  if (kind === 'more' || kind === 'all') {
    await campaign('loads into an index', (of, killsMax) => killedLoad(folder, of, killsMax, LIMITS));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`seed ${seed}: acknowledged and repeated or lost: ${problems.length}`);
if (problems.length > 0) process.exitCode = 1;
