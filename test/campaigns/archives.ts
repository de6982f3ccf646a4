import { parseArgs } from 'node:util';
import { damagedTrial } from '../support/ingest/damaged-archives.ts';

/*
 * node test/campaigns/archives.ts --cases 1000 --seed 1
 *
 * Archives that are damaged at random, one after the other: flipped bits, bytes cut out, rubbish spliced in; plain, and packed
 * in all ways. Exits with 1 where a record that the damage does not touch is lost, or what is lost is not told.
 */

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const [cases, seed] = [Number(values.cases), Number(values.seed)];
const counts = new Map<string, { archives: number; records: number; sound: number; faults: number }>();
let failed = 0;
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
  failed++;
  const { at, kind } = damage;
  console.log(`seed ${seed + i}: ${form}, ${kind} at byte ${at}: ${faults.join('; ')}`);
}
console.table(Object.fromEntries([...counts].sort()));
console.log(`${cases} damaged archives, ${failed} read wrongly`);
process.exitCode = failed === 0 ? 0 : 1;
