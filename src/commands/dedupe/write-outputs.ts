import type { ClusterAnswers } from '../../cluster/result/cluster-answers.ts';
import type { Config } from '../../config.ts';
import { foundShare } from '../../core/cluster/common/left-out.ts';
import { recallAt } from '../../core/cluster/pair-floor.ts';
import type { Input } from '../../ingest/inputs/inputs.ts';
import { NewFile, partialOf } from '../../ingest/rewrite/outputs/partial.ts';
import type { RewritePlan, RewriteTo, Rewritten } from '../../ingest/rewrite/port.ts';
import { type Judged, ranksIn, revisitsPath } from './judged-corpus.ts';
import type { DedupeReport, DedupeRequest, DedupeRun } from './port.ts';
import { RemovedRecords } from './removed-records.ts';

export interface DedupeParts {
  readonly request: DedupeRequest;
  readonly run: DedupeRun;
  readonly inputs: readonly Input[];
  /** Of what is found. */
  readonly folder: string;
}

export interface Found {
  readonly answers: ClusterAnswers;
  readonly judged: Judged;
}

/** Lines are written in texts of so many characters. */
const TEXT_CHARACTERS = 2 ** 18;

/** Writes what goes, then what stays, and brings both to their places. */
export async function writeOutputs(
  config: Config,
  parts: DedupeParts & Found & { readonly plan: RewritePlan },
): Promise<DedupeReport> {
  const { request, run, inputs, folder, plan, answers, judged } = parts;
  const { threshold, keep, against } = request;
  const startedAt = performance.now();
  const removed = new RemovedRecords({
    ...{ answers, judged, inputs, threshold, revisitsPath: revisitsPath(folder), urlBytesMax: config.URL_BYTES_MAX },
    keeping: {
      prefer: typeof keep === 'string' ? keep : (ranksIn(folder) ?? 'first'),
      fixedCount: judged.fixed?.documents ?? 0,
      isFixedAlone: against?.isAlone === true,
    },
  });
  const partial = await partialOf(request.removed, 'file');
  try {
    await writeLines(partial.path, removed, run);
    const copyingAt = performance.now();
    const rewritten = await plan.write(removed.selection(), copyTo(run, inputs, folder));
    await partial.commit();
    const phasesMs = { removals: copyingAt - startedAt, copying: performance.now() - copyingAt };
    return reportOf(request, { answers, judged }, removed, rewritten, phasesMs);
  } finally {
    await partial.discard();
  }
}

async function writeLines(path: string, removed: RemovedRecords, { signal, progress }: DedupeRun): Promise<void> {
  progress({ phase: 'removals', done: 0 });
  const file = await NewFile.make(path);
  try {
    let [text, lines] = ['', 0];
    for await (const line of removed.lines()) {
      lines++;
      text += `${JSON.stringify(line)}\n`;
      if (text.length < TEXT_CHARACTERS) continue;
      signal.throwIfAborted();
      progress({ phase: 'removals', done: lines });
      await file.write(Buffer.from(text));
      text = '';
    }
    await file.write(Buffer.from(text));
    await file.sync();
  } finally {
    await file.close();
  }
}

function copyTo({ stdout, signal, progress }: DedupeRun, inputs: readonly Input[], folder: string): RewriteTo {
  const sizes = inputs.map(({ size }) => size ?? 0);
  const of = sizes.reduce((sum, size) => sum + size, 0);
  const before = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0));
  const passed = (input: number, byte: number) => progress({ phase: 'copying', done: before[input]! + byte, of });
  return { stdout, temporaryFolder: folder, signal, passed };
}

function reportOf(
  { threshold, by, content = 'page' }: DedupeRequest,
  { answers, judged }: Found,
  { counts }: RemovedRecords,
  rewritten: Rewritten,
  phasesMs: Readonly<Record<string, number>>,
): DedupeReport {
  const { summary } = answers.result;
  const gone = Object.values(counts).reduce((sum, number) => sum + number, 0);
  const whole = Object.entries({ ...summary.phasesMs, ...phasesMs }).map(([phase, ms]) => [phase, Math.round(ms)]);
  return {
    ...{ threshold, by, content, ...(summary.contents === undefined ? {} : { contents: summary.contents }) },
    ...{ leftOut: summary.leftOutPairs?.nodes ?? null },
    recallAtLeast:
      recallAt(threshold, by, summary.floor, summary.thinPostings) * foundShare(summary.leftOutPairs, threshold),
    ...{ records: judged.reading.records, documents: judged.documents, against: judged.fixed?.documents ?? null },
    ...{ kept: rewritten.copied, removed: counts, notJudged: judged.reading.leftOut, lost: rewritten.lost },
    ...{ companions: rewritten.leftOut - gone, bytes: rewritten.bytes },
    phasesMs: Object.fromEntries(whole) as Record<string, number>,
  };
}
