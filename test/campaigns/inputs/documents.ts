import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ShingledError } from '../../../src/errors.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../../src/extract/limits.ts';
import { deriveIdentity } from '../../../src/identity/index-key.ts';
import { DEFAULT_PIPELINE_LIMITS } from '../../../src/workers/limits.ts';
import { createDocumentPipeline } from '../../../src/workers/pool.ts';
import type { DocumentInput } from '../../../src/workers/port.ts';
import { hostileFile } from '../../support/office/hostile-files.ts';

/*
 * node test/campaigns/inputs/documents.ts [FILE or FOLDER] … [--hostile 200] [--seed 0] [--size 8000000] [--endings pdf,docx]
 *
 * Reads files as documents: all of the folders, or those with some endings; and hostile ones that it makes itself. Prints how
 * many were read, and as what; how many were refused, and why; those by `memoryMb` ended their process. Exits with 1 where one
 * ends otherwise than by a typed error of its own, or takes longer than it may.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hostile: { type: 'string', default: '0' },
    seed: { type: 'string', default: '0' },
    size: { type: 'string', default: '8000000' },
    endings: { type: 'string' },
  },
});

/** What a file may cost beside its time: its process is started, and ended. */
const SPARE_MS = 35_000;
const { pdfTimeoutMs } = DEFAULT_PIPELINE_LIMITS;
const pipeline = createDocumentPipeline({
  ...DEFAULT_PIPELINE_LIMITS,
  identity: deriveIdentity(new Uint8Array(32).fill(7), 7),
  limits: { ...DEFAULT_EXTRACT_LIMITS, documentBytesMax: 64 * 2 ** 20 },
  memoryMb: 1024,
});
const counts = new Map<string, number>();
let faults = 0;
let slowest = { name: '', ms: 0 };

async function read(name: string, bytes: Uint8Array): Promise<void> {
  const input: DocumentInput = { bytes, contentType: null, select: null, remove: null, modulusMax: 4, keepText: false };
  const startedAt = performance.now();
  const [outcome, isFault] = await pipeline.process(input, { caller: '' }).then(
    ({ mediaType }) => [`read as ${mediaType}`, false] as const,
    (error: unknown) => {
      if (!(error instanceof ShingledError) || error.code === 'internal')
        return [`FAULT ${String(error)}`, true] as const;
      return [`${error.code}${error.limit === undefined ? '' : ` by ${error.limit.name}`}`, false] as const;
    },
  );
  const ms = performance.now() - startedAt;
  if (ms > slowest.ms) slowest = { name, ms };
  const isSlow = ms > pdfTimeoutMs + SPARE_MS;
  if (isFault || isSlow) {
    faults++;
    console.log(`${name}: ${outcome}, ${Math.round(ms)} ms`);
  }
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
}

const endings = values.endings?.split(',').map((ending) => `.${ending}`);
const isWanted = (path: string) =>
  endings === undefined || endings.some((ending) => path.toLowerCase().endsWith(ending));
const filesOf = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
    : [path];
for (const path of positionals.flatMap(filesOf).filter(isWanted)) await read(path, readFileSync(path));
for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.hostile); seed++) {
  const { name, bytes } = hostileFile(seed, Number(values.size));
  await read(`${name} (seed ${seed})`, bytes);
}
await pipeline.close();
console.table(Object.fromEntries([...counts].sort()));
console.log(`slowest: ${slowest.name}, ${Math.round(slowest.ms)} ms; ${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
