/*
 * How fast documents become sketches, beside what an afternoon's code would do, and what the sketches are worth:
 *
 *     npm run bench:sketch [-- FOLDER-OF-PAGES] [--rounds 5] [--only REGEX] [--json]
 *
 * FOLDER-OF-PAGES has a docs.tsv (support/corpus.ts); without it generated pages stand in. --only takes the part of the
 * table whose names it finds. A figure is the median of the rounds; in a round every row has a process of its own, the rows
 * that are compared one after the other, so that whatever else the machine does meets them alike.
 *
 *   naive       lower case, one regular expression, a join and a 32-bit xxHash of each window, a Set, those 0 mod 4 sorted
 *               (naive-sketch.ts). It gets strings for nothing; ours get bytes, and count all shingles exactly too
 *   value       by CPU time, user and system, of all threads of the process: compilers and collectors are paid for. MB are
 *               1e6 bytes of the document as it came in, UTF-8 or HTML
 *   wall time   the same by the clock, which other processes slow down: on a quiet machine the two agree, but where threads
 *               work side by side
 *   … / other   speed over that of the other row, in the same round: the figure to trust on a machine with other things to do
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { inOwnProcess, type Job } from './support/measure.ts';
import type { Group } from './support/rows.ts';
import { planOf } from './support/sketch/sketch-plan.ts';
import { printRows } from './support/table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean' },
    job: { type: 'string' },
    round: { type: 'string', default: '0' },
  },
});
const [folder] = positionals;
const rounds = Number(values.rounds);
if (!(Number.isInteger(rounds) && rounds >= 1)) throw new Error('--rounds is a whole number from 1 on');
const plan = planOf(folder, rounds);
if (values.job === undefined) printAll();
else await runJob(values.job);

async function runJob(name: string): Promise<void> {
  const job = plan.flatMap(({ jobs }) => jobs).find((one) => one.name === name);
  if (job === undefined) throw new Error(`there is no job ${name}`);
  console.log(JSON.stringify(await job.work(Number(values.round))));
}

function printAll(): void {
  const only = new RegExp(values.only);
  const groups = plan.filter(({ jobs }) => jobs.some(({ name }) => only.test(name)));
  const started = performance.now();
  const [before] = loadavg();
  const found = new Map<Job<unknown>, unknown[]>();
  for (let round = 0; round < rounds; round++) {
    console.error(`round ${round + 1} of ${rounds}`);
    for (const group of groups) runGroup(group, round, found);
  }
  const rows = groups.flatMap((group) => group.rows(<T>(job: Job<T>) => found.get(job) as T[]));
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  const load = `load of the machine ${before!.toFixed(1)} before and ${loadavg()[0]!.toFixed(1)} after`;
  const pages = folder === undefined ? 'generated pages' : 'pages of the folder';
  printRows(`Documents to sketches, w = 7, ${pages}, ${rounds} rounds in ${minutes} minutes, ${load}`, rows);
}

function runGroup({ jobs, once }: Group, round: number, found: Map<Job<unknown>, unknown[]>): void {
  if (once === true && round > 0) return;
  for (const job of jobs) {
    const result = inOwnProcess(import.meta.filename, job, round);
    found.set(job, [...(found.get(job) ?? []), result]);
  }
}
