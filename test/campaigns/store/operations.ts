import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { followed } from '../../support/model/followed-store.ts';
import { runOperations } from '../../support/model/store-model.ts';
import { problemsOf } from '../../support/store/level-rows.ts';

/*
 * Random operations on an index in LevelDB and on one in memory, which must answer every one alike:
 * `npm run campaign:operations -- --operations 1000000 --seed 1`. Lists are cut at three postings, contents forgotten and
 * expired, segments flushed, merged and compacted, the index reopened, all the time. Of every second index a query thread
 * answers. Exit code 1 at the first difference.
 */

/** An index serves so many, then another begins from nothing. */
const OPERATIONS_A_FOLDER = 50_000;

const { values } = parseArgs({
  options: { operations: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const operations = Number(values.operations);
const sum = new Map<string, number>();
const total = () => [...sum.values()].reduce((all, count) => all + count, 0);

process.exitCode = 1;
for (let seed = Number(values.seed); total() < operations; seed++) {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-operations-'));
  const count = Math.min(OPERATIONS_A_FOLDER, operations - total());
  const counts = await runOperations(folder, seed, count, seed % 2 === 0 ? followed : undefined);
  const problems = await problemsOf(folder);
  if (problems.length > 0) throw new Error(`seed ${seed}: ${problems.join(' ')} Kept: ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  for (const [what, count] of counts) sum.set(what, (sum.get(what) ?? 0) + count);
  console.log(JSON.stringify({ operations: total(), ...Object.fromEntries(sum) }));
}
process.exitCode = 0;
