import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Store, WritePlan } from '../../src/store/port.ts';
import { openFolder } from '../support/store/level-folder.ts';
import {
  ANY_OVERLAP,
  below,
  contentOf,
  deletePlan,
  fingerprintsOf,
  gonePlan,
  putPlan,
  randomFrom,
} from '../support/store/level-plans.ts';

/*
 * Mixed load for as long as it takes to see what grows: `npm run campaign:soak -- --minutes 30 --seed 1`, on Linux. As many
 * documents are forgotten as come, so after the warm-up, a third of the time, memory and open files must stay as they are.
 * Exit code 1 where the last third needs more than a tenth more memory than the middle one, or eight more open files.
 */

const SOURCES = 20_000;
const CONTENTS = 60_000;
const WRITERS = 32;
const READERS = 4;
const COMPACT_EVERY = 400_000;
const SAMPLE_MS = 2000;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
});
const lastsMs = Number(values.minutes) * 60_000;
const random = randomFrom(Number(values.seed));
const folder = mkdtempSync(join(tmpdir(), 'shingled-soak-'));
const store = await openFolder(folder, { segments: { flushContents: 8192 } });
const started = performance.now();
const elapsed = () => performance.now() - started;
const counts = { writes: 0, queries: 0, found: 0, unreadable: 0, compactions: 0 };
const samples: { at: number; anonymousMiB: number; openFiles: number }[] = [];

function plan(): WritePlan {
  const url = `https://host${below(random, 500)}.example/${below(random, SOURCES)}`;
  const now = Math.floor(1_700_000_000_000 + elapsed() * 1000);
  const kind = random();
  if (kind < 0.3) return deletePlan(url, now);
  if (kind < 0.35) return gonePlan(url, now);
  return putPlan(url, randomContent(), now);
}

function randomContent() {
  const number = below(random, CONTENTS);
  return contentOf(number, fingerprintsOf(number * 40, 20 + (number % 200)));
}

async function write(to: Store): Promise<void> {
  while (elapsed() < lastsMs) {
    await to.apply(plan());
    if (++counts.writes % COMPACT_EVERY === 0) {
      await to.compact();
      counts.compactions++;
    }
  }
}

async function read(from: Store): Promise<void> {
  while (elapsed() < lastsMs) {
    const { sample, shingleDigest } = randomContent();
    const set = await from.candidates({ ...ANY_OVERLAP, keys: sample.fingerprints, candidatesMax: 100, shingleDigest });
    counts.queries++;
    counts.found += set.found;
    counts.unreadable += set.unreadable;
    await from.sweep(1_700_000_000_000 + elapsed() * 1000, 10);
  }
}

function sample(): void {
  const status = readFileSync('/proc/self/status', 'utf8');
  const anonymousMiB = Number(/^RssAnon:\s+(\d+)/m.exec(status)![1]) / 1024;
  samples.push({ at: elapsed(), anonymousMiB, openFiles: readdirSync('/proc/self/fd').length });
  if (samples.length % 15 === 0)
    console.log(JSON.stringify({ minutes: elapsed() / 60_000, ...counts, ...samples.at(-1)! }));
}

/** The most of a third of the time. */
function most(third: number, of: 'anonymousMiB' | 'openFiles'): number {
  const within = samples.filter(({ at }) => at >= (third * lastsMs) / 3 && at < ((third + 1) * lastsMs) / 3);
  return Math.max(...within.map((taken) => taken[of]));
}

const sampling = setInterval(sample, SAMPLE_MS);
await Promise.all([
  ...Array.from({ length: WRITERS }, () => write(store)),
  ...Array.from({ length: READERS }, () => read(store)),
]);
clearInterval(sampling);
await store.close();
rmSync(folder, { recursive: true, force: true });
const thirds = (of: 'anonymousMiB' | 'openFiles') => [0, 1, 2].map((third) => Math.round(most(third, of)));
const [memory, files] = [thirds('anonymousMiB'), thirds('openFiles')];
console.log(JSON.stringify({ ...counts, memoryMiBByThird: memory, openFilesByThird: files }));
const grows = memory[2]! > memory[1]! * 1.1 || files[2]! > files[1]! + 8;
process.exitCode = grows || counts.unreadable > 0 ? 1 : 0;
