import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESULT_FILES } from '../../src/cluster/result/result-folder.ts';
import { createIndexKeyFile } from '../../src/identity/index-key.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { createPrng } from '../support/prng.ts';
import { root } from '../support/tree/tree.ts';

/*
 * npm run campaign:clusters [kills] [seed]: a corpus is clustered, killed at random, and clustered on, again and again. The result
 * must be the same to the last byte. Exit code 1 where it is not.
 */

const [kills = 50, seed = Date.now() % 1e6] = process.argv.slice(2).map(Number);
const DOCUMENTS = 20_000;

const prng = createPrng(seed);
const folder = mkdtempSync(join(tmpdir(), 'shingled-clusters-'));
const corpus = join(folder, 'pages.ndjson');
const key = join(folder, 'key');
createIndexKeyFile(key);
const make = createTextMaker(seed);
const bases = Array.from({ length: 3000 }, () => make.text(60).split(' '));
const lines = Array.from({ length: DOCUMENTS }, (_, i) => {
  const base = bases[prng.below(bases.length)]!;
  const text = base.map((word) => (prng.next() < 0.03 ? `w${prng.uint32()}` : word)).join(' ');
  return JSON.stringify({ op: 'put', url: `https://a.example/${i}`, text });
});
writeFileSync(corpus, `${lines.join('\n')}\n`);

const start = (out: string) => {
  const args = [join(root, 'src', 'main.ts'), 'cluster', corpus, '--out', out];
  const env = { PATH: process.env['PATH'] ?? '', INDEX_KEY_FILE: key };
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
};
const filesOf = (out: string) => RESULT_FILES.map((file) => readFileSync(join(out, file)));

const expected = join(folder, 'expected');
const began = performance.now();
await once(start(expected), 'close');
const wholeMs = performance.now() - began;
let done = 0;
let behind = 0;
let failed = 0;
while (done < kills) {
  const out = join(folder, `out-${done}`);
  for (let code: number | null = null; code === null; ) {
    const child = start(out);
    const timer = done < kills ? setTimeout(() => child.kill('SIGKILL'), prng.next() * 1.2 * wholeMs) : undefined;
    [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    if (code !== null) break;
    done++;
    if (existsSync(join(out, 'unfinished', 'sketched.json'))) behind++;
  }
  const found = filesOf(out);
  const isSame = filesOf(expected).every((bytes, i) => bytes.equals(found[i]!));
  if (!isSame) failed++;
  rmSync(out, { recursive: true, force: true });
  console.log(`${done} kills, ${behind} of them when all documents had been read; ${failed} results differ`);
}
rmSync(folder, { recursive: true, force: true });
console.log(`seed ${seed}: ${done} kills, results that differ: ${failed}`);
process.exitCode = failed === 0 ? 0 : 1;
