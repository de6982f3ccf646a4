import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dedupeInputs } from '../../../src/commands/dedupe/dedupe-commands.ts';
import type { DedupeReport, DedupeRequest, DedupeRun, RemovedLine } from '../../../src/commands/dedupe/port.ts';
import { createIngestSources } from '../../../src/commands/ingest-sources.ts';
import type { InputFields } from '../../../src/ingest/sources.ts';
import { configOf } from '../store/made-index.ts';

export const FIELDS: InputFields = {
  ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: null, format: null },
  ...{ include: [], exclude: [], gitignore: false },
};

export interface Deduped {
  readonly report: DedupeReport;
  readonly removed: readonly RemovedLine[];
  /** What went to standard output. */
  readonly stdout: Buffer;
}

/** Removes copies of inputs, in a folder with `removed.ndjson`; what is not told is as the command line has it. */
export async function dedupe(
  folder: string,
  inputs: readonly string[],
  { env = {}, run = {}, ...more }: Partial<DedupeRequest> & { env?: Record<string, string>; run?: Partial<DedupeRun> },
): Promise<Deduped> {
  const config = configOf(join(folder, 'unused'), env);
  const sources = createIngestSources(config, (async function* () {})());
  const pieces: Buffer[] = [];
  const request: DedupeRequest = {
    ...{ inputs, fields: FIELDS, threshold: 0.8, by: 'resemblance', floor: null, keep: 'oldest' },
    ...{ kept: join(folder, 'kept'), removed: join(folder, 'removed.ndjson'), against: null, work: null },
    ...more,
  };
  const stdout = async (bytes: Uint8Array) => {
    pieces.push(Buffer.from(bytes));
  };
  const nothing = () => undefined;
  const given = { sources, signal: new AbortController().signal, stdout, progress: nothing, ...run };
  try {
    const report = await dedupeInputs(config, process.pid, request, given);
    return { report, removed: linesIn(request.removed), stdout: Buffer.concat(pieces) };
  } finally {
    await sources.close();
  }
}

function linesIn(path: string): RemovedLine[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as RemovedLine);
}
