import { writeSync } from 'node:fs';
import { ingest, openIndex } from './store-index.ts';
import { Sketches } from './store-sketches.ts';

/*
 * A process of its own for what a process is measured by: `node store-child.ts open FOLDER` opens an index, prints how many
 * ms that took and closes it; `node store-child.ts fill FOLDER SHINGLES FROM TO` adds documents, prints `filled` and waits to
 * be killed.
 */

const [mode, dataDir, shingles, from, to] = process.argv.slice(2);
const started = performance.now();
const store = await openIndex(dataDir!);
if (mode === 'open') {
  writeSync(1, `${performance.now() - started}\n`);
  await store.close();
} else {
  const sketches = new Sketches(Number(shingles));
  await ingest(store, (index) => sketches.plan(index), { from: Number(from), to: Number(to), clients: 512 });
  writeSync(1, 'filled\n');
}
