import { archivesIn, triedArchive } from '../../support/ingest/archive-files.ts';

/*
 * npm run campaign:archives <folder>
 *
 * The archives of a folder, such as those that packages for archives are tested with. Each is read by ingest, cluster and dedupe;
 * exits with 1 where one of them ends otherwise than it should. Damaged ones are made by campaign:damaged.
 */

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder: npm run campaign:archives <folder>');
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
console.log(`${paths.length} archives, ${read} records ${JSON.stringify(Object.fromEntries(totals))}, ${wrong} wrong`);
process.exitCode = paths.length === 0 || wrong > 0 ? 1 : 0;
