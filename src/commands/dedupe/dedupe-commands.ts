import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { clusterCorpus, hasSketched } from '../../cluster/cluster-corpus.ts';
import type { ClusterProgress } from '../../cluster/port.ts';
import { ClusterAnswers } from '../../cluster/result/cluster-answers.ts';
import { writeWhole } from '../../cluster/result/columns-file.ts';
import type { Preference } from '../../cluster/result/removals.ts';
import { hasResult } from '../../cluster/result/result-folder.ts';
import type { Config } from '../../config.ts';
import { type Likeness, recallAt } from '../../core/cluster/pair-floor.ts';
import { ShingledError } from '../../errors.ts';
import type { Input } from '../../ingest/inputs/inputs.ts';
import { NewFile, partialOf, refuseExisting, unwritable } from '../../ingest/rewrite/outputs/partial.ts';
import type { RewriteTo, Rewritten, WriteBytes } from '../../ingest/rewrite/port.ts';
import type { RewritePlan } from '../../ingest/rewrite/rewrite-inputs.ts';
import type { IngestSources, InputFields } from '../../ingest/sources.ts';
import { LOCK_FILE } from '../../store/level/folder/lock.ts';
import { inFolder, KEY_FILE, refuseInside } from '../cluster-commands.ts';
import { corpusOfFiles } from '../corpus-of-files.ts';
import { corpusAgainst, secretBeside } from './against.ts';
import { type Judged, judgedIn, LedgerCorpus, ranksIn, revisitsPath } from './ledger.ts';
import { RemovedRecords } from './removed-records.ts';

/*
 * A corpus without its copies, in the format in which it came.
 *
 *   inputs ─ looked at: can they be copied, is there room for the outputs? ─ clustered, with the corpus that stays ─
 *     removals by leader cover ─► REMOVED, a line each ─ inputs read again, copied without these ─► KEPT
 */

export interface DedupeRequest {
  readonly inputs: readonly string[];
  readonly fields: InputFields;
  readonly threshold: number;
  readonly by: Likeness;
  /** Pairs below are not told apart; null: so low that pairs at the threshold are found. */
  readonly floor: number | null;
  /** Which document stays, or the field whose greatest value does. */
  readonly keep: Preference | { readonly field: string };
  /** Where the corpus goes: a file, a folder, `-`. */
  readonly kept: string;
  /** Where the lines of what goes are written. */
  readonly removed: string;
  /** Another corpus, whose documents stay; what is like them goes. */
  readonly against: { readonly path: string; readonly isAlone: boolean } | null;
  /** What is found stays there; null: beside the file of what goes, until all is done. */
  readonly work: string | null;
}

export type DedupeProgress =
  | ClusterProgress
  | { readonly phase: 'copying'; readonly done: number; readonly of: number };

export interface DedupeRun {
  readonly sources: IngestSources;
  readonly signal: AbortSignal;
  readonly stdout: WriteBytes;
  progress(told: DedupeProgress): void;
}

/** What it came to. */
export interface DedupeReport {
  readonly threshold: number;
  readonly by: Likeness;
  /** Of pairs with just this likeness, so many at the least were compared. */
  readonly recallAtLeast: number;
  /** Records of the inputs, and those that are documents. */
  readonly records: number;
  readonly documents: number;
  /** Documents of the other corpus; null: there is none. */
  readonly against: number | null;
  /** Records that were copied. */
  readonly kept: number;
  readonly removed: RemovedRecords['counts'];
  /** Records without a document, by why. They are kept. */
  readonly notJudged: Readonly<Record<string, number>>;
  /** Records to be kept that cannot be copied, since they are damaged. */
  readonly lost: number;
  /** Records of archives that went with the document that they belong to. */
  readonly companions: number;
  /** Of the kept corpus. */
  readonly bytes: number;
  readonly phasesMs: Readonly<Record<string, number>>;
}

/** Pairs at the threshold are found so surely. */
const RECALL_LEAST = 0.999;
const FLOOR_STEP = 0.05;
/** Which inputs and settings a folder is of. */
const SUBJECT_FILE = 'dedupe.json';

/**
 * Removes the copies from a corpus.
 *
 * @throws ShingledError `invalid-request` for what cannot be copied, and a folder of other inputs; `output-exists`,
 *   `output-unwritable`, `input-changed`, `input-unreadable`; what clustering throws; the reason of the signal. Nothing is at the
 *   places of the outputs then
 */
export async function dedupeInputs(
  config: Config,
  pid: number,
  request: DedupeRequest,
  run: DedupeRun,
): Promise<DedupeReport> {
  const { sources } = run;
  const fields = fieldsFor(request);
  const inputs = await sources.find(request.inputs);
  const plan = await sources.planRewrite(inputs, fields, request.kept);
  await checkRemoved(request);
  const folder = request.work ?? join(dirname(resolve(request.removed)), `.${nameOf(request.removed)}.work`);
  refuseInside(folder, [...request.inputs, ...(request.against === null ? [] : [request.against.path])]);
  const isOurs = request.work === null;
  const report = await inFolder(folder, pid, async () => {
    const found = await find(config, pid, { request, run, fields, inputs, folder }).catch((error: unknown) => {
      // nothing that another run could go on with
      if (isOurs && !hasSketched(folder)) rmSync(folder, { recursive: true, force: true });
      throw error;
    });
    try {
      return await write(config, { request, run, inputs, folder, plan, ...found });
    } finally {
      found.answers.close();
    }
  });
  if (isOurs) rmSync(folder, { recursive: true, force: true });
  return report;
}

/** A field by which documents stay is read as what is kept beside them. */
const fieldsFor = ({ fields, keep }: DedupeRequest): InputFields =>
  typeof keep === 'string' ? fields : { ...fields, meta: [...fields.meta, keep.field] };

const nameOf = (path: string) => resolve(path).split('/').at(-1)!;

/** @throws ShingledError `output-exists`, `output-unwritable`, `invalid-request` */
async function checkRemoved({ removed, kept, inputs }: DedupeRequest): Promise<void> {
  await refuseExisting(removed);
  if (existsSync(removed) || !isFolder(dirname(resolve(removed)))) {
    throw unwritable(removed, existsSync(removed) ? 'it is a folder' : 'there is no folder for it');
  }
  const way = relative(resolve(kept), resolve(removed));
  if (kept !== '-' && !way.startsWith('..') && !isAbsolute(way)) {
    throw new ShingledError('invalid-request', `${removed} is, or lies in, ${kept}: name another place.`, {
      field: 'removed',
    });
  }
  refuseInside(removed, inputs);
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

interface Parts {
  readonly request: DedupeRequest;
  readonly run: DedupeRun;
  readonly inputs: readonly Input[];
  readonly folder: string;
}

interface Found {
  readonly answers: ClusterAnswers;
  readonly judged: Judged;
}

/** Clusters the inputs with the corpus that stays, unless that was done already. */
async function find(config: Config, pid: number, parts: Parts & { readonly fields: InputFields }): Promise<Found> {
  const { request, run, fields, inputs, folder } = parts;
  const { sources, signal, progress } = run;
  const { against, by, keep } = request;
  const secret = secretBeside(config, against?.path ?? null, folder);
  const fixedOf = against === null ? null : await corpusAgainst(against.path, { config, pid, secret, sources, fields });
  const field = typeof keep === 'string' ? null : keep.field;
  const filesOf = (watch: Parameters<NonNullable<typeof fixedOf>>[0]) =>
    corpusOfFiles(config, secret, { sources, inputs, fields, watch });
  const corpus = new LedgerCorpus(folder, fixedOf, filesOf, field);
  const floor = request.floor ?? floorFor(request.threshold, by);
  beginIn(folder, { fingerprint: corpus.fingerprint, by }, request.work === null);
  if (!hasResult(folder)) await clusterCorpus(corpus, { folder, by, floor, now: Date.now, signal, progress });
  const judged = judgedIn(folder, corpus.fingerprint);
  if (judged === null) throw new ShingledError('result-damaged', `What ${folder} says of its records cannot be read.`);
  return { answers: ClusterAnswers.open(folder), judged };
}

/** The highest floor at which pairs at the threshold are found: the higher, the fewer pairs are compared. */
function floorFor(threshold: number, by: Likeness): number {
  for (let share = 1; share > FLOOR_STEP; share -= FLOOR_STEP) {
    const floor = share * threshold;
    if (recallAt(threshold, by, floor) >= RECALL_LEAST) return floor;
  }
  return FLOOR_STEP * threshold;
}

/**
 * A folder that has been used is of the same inputs and settings. One that nobody named is emptied where it is not.
 *
 * @throws ShingledError `invalid-request`
 */
function beginIn(
  folder: string,
  subject: { readonly fingerprint: string; readonly by: Likeness },
  isOurs: boolean,
): void {
  const path = join(folder, SUBJECT_FILE);
  const text = `${JSON.stringify(subject)}\n`;
  const names = readdirSync(folder).filter((name) => !name.startsWith(LOCK_FILE) && name !== KEY_FILE);
  if (names.length > 0 && (!existsSync(path) || readFileSync(path, 'utf8') !== text)) {
    if (!isOurs) {
      throw new ShingledError(
        'invalid-request',
        `${folder} is left of a run on other inputs, or with other settings: remove it, or name another folder.`,
        { field: 'work' },
      );
    }
    for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
  }
  writeWhole(path, [Buffer.from(text)]);
}

/** Writes what goes, then what stays, and brings both to their places. */
async function write(config: Config, parts: Parts & Found & { readonly plan: RewritePlan }): Promise<DedupeReport> {
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
    await writeLines(partial.path, removed, run.signal);
    const copyingAt = performance.now();
    const rewritten = await plan.write(removed.selection(), copyTo(run, inputs, folder));
    await partial.commit();
    const phasesMs = { removals: copyingAt - startedAt, copying: performance.now() - copyingAt };
    return reportOf(request, { answers, judged }, removed, rewritten, phasesMs);
  } finally {
    await partial.discard();
  }
}

async function writeLines(path: string, removed: RemovedRecords, signal: AbortSignal): Promise<void> {
  const file = await NewFile.make(path);
  try {
    let text = '';
    for await (const line of removed.lines()) {
      text += `${JSON.stringify(line)}\n`;
      if (text.length < TEXT_CHARACTERS) continue;
      signal.throwIfAborted();
      await file.write(Buffer.from(text));
      text = '';
    }
    await file.write(Buffer.from(text));
    await file.sync();
  } finally {
    await file.close();
  }
}

const TEXT_CHARACTERS = 2 ** 18;

function copyTo({ stdout, signal, progress }: DedupeRun, inputs: readonly Input[], folder: string): RewriteTo {
  const sizes = inputs.map(({ size }) => size ?? 0);
  const of = sizes.reduce((sum, size) => sum + size, 0);
  const before = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0));
  const passed = (input: number, byte: number) => progress({ phase: 'copying', done: before[input]! + byte, of });
  return { stdout, temporaryFolder: folder, signal, passed };
}

function reportOf(
  { threshold, by }: DedupeRequest,
  { answers, judged }: Found,
  { counts }: RemovedRecords,
  rewritten: Rewritten,
  phasesMs: Readonly<Record<string, number>>,
): DedupeReport {
  const { summary } = answers.result;
  const gone = Object.values(counts).reduce((sum, number) => sum + number, 0);
  const whole = Object.entries({ ...summary.phasesMs, ...phasesMs }).map(([phase, ms]) => [phase, Math.round(ms)]);
  return {
    ...{ threshold, by, recallAtLeast: recallAt(threshold, by, summary.floor) },
    ...{ records: judged.reading.records, documents: judged.documents, against: judged.fixed?.documents ?? null },
    ...{ kept: rewritten.copied, removed: counts, notJudged: judged.reading.leftOut, lost: rewritten.lost },
    ...{ companions: rewritten.leftOut - gone, bytes: rewritten.bytes },
    phasesMs: Object.fromEntries(whole) as Record<string, number>,
  };
}
