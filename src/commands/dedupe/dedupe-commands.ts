import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { clusterCorpus, hasSketched } from '../../cluster/cluster-corpus.ts';
import { defaultMemoryBytes } from '../../cluster/machine-memory.ts';
import { ClusterAnswers } from '../../cluster/result/cluster-answers.ts';
import { hasResult } from '../../cluster/result/result-folder.ts';
import type { Config } from '../../config.ts';
import { type Likeness, recallAt } from '../../core/cluster/pair-floor.ts';
import { ShingledError } from '../../errors.ts';
import { refuseExisting, unwritable } from '../../ingest/rewrite/outputs/partial.ts';
import type { InputFields } from '../../ingest/sources.ts';
import { isIndex } from '../../store/level/folder/folder-parts.ts';
import { inFolder, rankKeyOf, refuseInside } from '../cluster-commands.ts';
import { byOwnContents } from '../contents/own-contents.ts';
import type { FilesWatch } from '../corpus-lines.ts';
import { corpusOfFiles } from '../corpus-of-files.ts';
import { corpusAgainst, secretBeside } from './against.ts';
import { JudgedCorpus, judgedIn } from './judged-corpus.ts';
import type { DedupeReport, DedupeRequest, DedupeRun } from './port.ts';
import { beginIn } from './work-folder.ts';
import { type DedupeParts, type Found, writeOutputs } from './write-outputs.ts';

/*
 * A corpus without its copies, in the format in which it came.
 *
 *   inputs ─ looked at: can they be copied, is there room for the outputs? ─ clustered, with the corpus that stays ─
 *     removals by leader cover ─► REMOVED, a line each ─ inputs read again, copied without these ─► KEPT
 */

/** Pairs at the threshold are found so surely. */
const RECALL_LEAST = 0.999;
const FLOOR_STEP = 0.05;

/**
 * Removes the copies from a corpus.
 *
 * @throws ShingledError `invalid-request` for what cannot be copied, and a folder of other inputs; `output-exists`,
 *   `output-unwritable`, `input-changed`, `input-unreadable`; what clustering throws; the reason of the signal. Then nothing is
 *   at the places of the outputs
 */
export async function dedupeInputs(
  config: Config,
  pid: number,
  request: DedupeRequest,
  run: DedupeRun,
): Promise<DedupeReport> {
  const { sources } = run;
  const fields = fieldsFor(request);
  refuseOwn(request.inputs);
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
      return await writeOutputs(config, { request, run, inputs, folder, plan, ...found });
    } finally {
      found.answers.close();
    }
  });
  if (isOurs) rmSync(folder, { recursive: true, force: true });
  return report;
}

/** A field by which documents stay is read as what is kept beside them. A date only decides between equals. */
const fieldsFor = ({ fields, keep }: DedupeRequest): InputFields => ({
  ...{ ...fields, areDatesSpare: true },
  meta: typeof keep === 'string' ? fields.meta : [...fields.meta, keep.field],
});

const nameOf = (path: string) => resolve(path).split('/').at(-1)!;

/** Folders of ours are no folders of documents. @throws ShingledError `invalid-request` */
function refuseOwn(inputs: readonly string[]): void {
  const own = inputs.find((input) => isIndex(input) || hasResult(input));
  if (own === undefined) return;
  const detail = `${own} is an index, or a result: name the files that it was made of. What they have of it goes by --against.`;
  throw new ShingledError('invalid-request', detail, { field: own });
}

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

/** Clusters the inputs with the corpus that stays, unless that was done already. */
async function find(
  config: Config,
  pid: number,
  parts: DedupeParts & { readonly fields: InputFields },
): Promise<Found> {
  const { request, run, fields, inputs, folder } = parts;
  const { sources, signal, ...told } = run;
  const { against, by, content = 'page', keep } = request;
  const hasMarks = content !== 'page';
  const secret = secretBeside(config, against?.path ?? null, folder);
  const fixedOf =
    against === null ? null : await corpusAgainst(against.path, { config, pid, secret, sources, fields, hasMarks });
  const field = typeof keep === 'string' ? null : keep.field;
  const marks = await sources.marksOf(inputs, fields);
  const filesOf = (watch: FilesWatch) =>
    corpusOfFiles(config, secret, { sources, inputs, fields, marks, hasMainText: hasMarks, watch });
  const corpus = new JudgedCorpus(folder, fixedOf, filesOf, field);
  const floor = request.floor ?? floorFor(request.threshold, by);
  beginIn(folder, { fingerprint: corpus.fingerprint, by, content }, request.work === null);
  if (!hasResult(folder)) {
    const { memoryBytes = defaultMemoryBytes() } = request;
    const read =
      content === 'page' ? corpus : byOwnContents(corpus, { by: content, folder, rankKey: rankKeyOf(secret) });
    await clusterCorpus(read, { folder, by, floor, memoryBytes, now: Date.now, signal, ...told });
  }
  const judged = judgedIn(folder, corpus.fingerprint);
  if (judged === null) throw new ShingledError('result-damaged', `What ${folder} says of its records cannot be read.`);
  const answers = ClusterAnswers.open(folder);
  const { floor: madeWith } = answers.result.summary;
  if (request.floor === null || request.floor >= madeWith) return { answers, judged };
  answers.close();
  const detail = `--floor ${request.floor} is below that with which ${folder} was made, ${madeWith}: name another folder with --work.`;
  throw new ShingledError('invalid-request', detail, { field: 'floor' });
}

/** The highest floor at which pairs at the threshold are found: the higher, the fewer pairs are compared. */
function floorFor(threshold: number, by: Likeness): number {
  for (let share = 1; share > FLOOR_STEP; share -= FLOOR_STEP) {
    const floor = share * threshold;
    if (recallAt(threshold, by, floor) >= RECALL_LEAST) return floor;
  }
  return FLOOR_STEP * threshold;
}
