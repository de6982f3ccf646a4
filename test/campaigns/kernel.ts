import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createPrng } from '../support/prng.ts';
import { anyKept, anyText, monotonousText } from '../support/workers/kernel-documents.ts';
import { differences, kernelPair } from '../support/workers/kernel-pair.ts';

/*
 * node test/campaigns/kernel.ts --documents 200000 --seed 1 [FOLDER]
 *
 * Sketches generated documents, and every file of a folder as it is, with both kernels: all values must be the same. Sizes go
 * from a byte to 5 MB, w from 1 to 32, the modulus from 1 on; of every other one random parts are main. Prints the counts, and fails where one document differs.
 */

const { values, positionals } = parseArgs({
  options: { documents: { type: 'string', default: '200000' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const MODULI = [1, 2, 4, 8, Number.POSITIVE_INFINITY];
const BYTES_MOST = 5_000_000;

const prng = createPrng(Number(values.seed));
const pairs = Array.from({ length: 32 }, (_, i) => kernelPair(i + 1, Number(values.seed) & 0xff));
const sum = { generated: 0, files: 0, bytes: 0, differing: 0 };

for (let i = 0; i < Number(values.documents); i++) {
  compare(`generated document ${i}`, generated());
  sum.generated++;
  if (sum.generated % 20_000 === 0) console.log(JSON.stringify(sum));
}
for (const folder of positionals) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    compare(path, readFileSync(path));
    sum.files++;
  }
}
console.log(JSON.stringify(sum));
process.exitCode = sum.differing > 0 ? 1 : 0;

function compare(name: string, text: Uint8Array): void {
  const pair = pairs[prng.below(32)]!;
  const modulusMax = MODULI[prng.below(MODULI.length)]!;
  // every other document has a main text
  const kept = prng.below(2) === 0 ? null : anyKept(prng, text);
  const fields = differences(pair, text, modulusMax, kept);
  sum.bytes += text.length;
  if (fields.length === 0) return;
  sum.differing++;
  console.log(`${name}: ${text.length} bytes, w = ${pair.wasm.parameters.shingleSize}, ${modulusMax}: ${fields}`);
}

/** Most documents are short, for they have most borders a byte; one in 10,000 is as large as they come. */
function generated(): Uint8Array {
  const kind = prng.below(10_000);
  if (kind === 0) return anyText(prng, BYTES_MOST);
  if (kind < 10) return monotonousText(prng, 1 + prng.below(100_000));
  if (kind < 50) return anyText(prng, 100_000);
  return anyText(prng, kind < 6000 ? 80 : kind < 9000 ? 800 : 5000);
}
