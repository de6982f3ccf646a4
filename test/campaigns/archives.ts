import { parseArgs } from 'node:util';
import { archivesIn, triedArchive } from '../support/ingest/archive-files.ts';
import { damagedTrial } from '../support/ingest/damaged-archives.ts';

/*
 * node test/campaigns/archives.ts --cases 1000 --seed 1
 * node test/campaigns/archives.ts <folder>
 *
 * Archives that are damaged at random, one after the other: flipped bits, bytes cut out, rubbish spliced in; plain, and packed
 * in all ways. Exits with 1 where a record that the damage does not touch is lost, or what is lost is not told.
 *
 * With a folder, the archives in it: those that packages for archives are tested with, say. Each is read by ingest, cluster and
 * dedupe; exits with 1 where one of them ends otherwise than it should.
 */

const { values, positionals } = parseArgs({
  options: { cases: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const failed = positionals[0] === undefined ? await damagedArchives() : archivesOf(positionals[0]);
process.exitCode = failed === 0 ? 0 : 1;

async function damagedArchives(): Promise<number> {
  const [cases, seed] = [Number(values.cases), Number(values.seed)];
  const counts = new Map<string, { archives: number; records: number; sound: number; faults: number }>();
  let wrong = 0;
  for (let i = 0; i < cases; i++) {
    const { form, damage, records, sound, faults } = await damagedTrial(seed + i);
    const key = `${form}, ${damage.kind}`;
    const count = counts.get(key) ?? { archives: 0, records: 0, sound: 0, faults: 0 };
    count.archives++;
    count.records += records;
    count.sound += sound;
    count.faults += faults.length;
    counts.set(key, count);
    if (faults.length === 0) continue;
    wrong++;
    const { at, kind } = damage;
    console.log(`seed ${seed + i}: ${form}, ${kind} at byte ${at}: ${faults.join('; ')}`);
  }
  console.table(Object.fromEntries([...counts].sort()));
  console.log(`${cases} damaged archives, ${wrong} read wrongly`);
  return wrong;
}

function archivesOf(folder: string): number {
  const paths = archivesIn(folder);
  const totals = new Map<string, number>();
  let [read, wrong] = [0, 0];
  for (const path of paths) {
    const trial = triedArchive(path);
    read += trial.read;
    for (const [outcome, count] of Object.entries(trial.outcomes)) {
      totals.set(outcome, (totals.get(outcome) ?? 0) + count);
    }
    console.log(`${path}: ${trial.read} records, ${JSON.stringify(trial.outcomes)}`);
    for (const line of [...trial.refusals, ...trial.faults.map((fault) => `WRONG: ${fault}`)]) console.log(`  ${line}`);
    if (trial.faults.length > 0) wrong++;
  }
  console.log(
    `${paths.length} archives, ${read} records ${JSON.stringify(Object.fromEntries(totals))}, ${wrong} wrong`,
  );
  return paths.length === 0 ? 1 : wrong;
}
