import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { clusterCorpus } from '../cluster/cluster-corpus.ts';
import { defaultMemoryBytes } from '../cluster/machine-memory.ts';
import type { ClusterNeeds, ClusterProgress, Corpus } from '../cluster/port.ts';
import { ClusterAnswers } from '../cluster/result/cluster-answers.ts';
import { hasResult, type ResultSummary } from '../cluster/result/result-folder.ts';
import { withSketches } from '../cluster/result/sketch-file.ts';
import type { Config } from '../config.ts';
import type { Likeness } from '../core/cluster/pair-floor.ts';
import type { ContentChoice } from '../core/content/told-content.ts';
import { ShingledError } from '../errors.ts';
import { createIndexKeyFile, deriveIdentity, readIndexKeyFile } from '../identity/index-key.ts';
import type { TableOptions } from '../ingest/records/tables/dialect.ts';
import type { IngestSources, InputFields } from '../ingest/sources.ts';
import { systemFault } from '../plain-words/system-faults.ts';
import { makeFolder } from '../store/level/files/file-system.ts';
import { isIndex } from '../store/level/folder/folder-parts.ts';
import { takeLock } from '../store/level/folder/lock.ts';
import { NEW_INDEX } from '../store/settings.ts';
import { byOwnContents } from './contents/own-contents.ts';
import { corpusOfFiles } from './corpus-of-files.ts';
import { corpusOfIndex } from './corpus-of-index.ts';

/* What the command line does with a whole corpus. */

export interface ClusterRequest {
  /** Files, folders, globs, `-`; or one data folder, or one backup. */
  readonly inputs: readonly string[];
  readonly fields: InputFields;
  /** Of the result. */
  readonly folder: string;
  readonly by: Likeness;
  /** By what documents are compared; their pages unless told. */
  readonly content?: ContentChoice;
  readonly floor: number;
  /** Whether sketches stay beside the result, so that another corpus can be held against it. */
  readonly hasSketches: boolean;
  /** What the process may take; half of the machine's unless told. */
  readonly memoryBytes?: number;
}

export interface ClusterRun {
  readonly sources: IngestSources;
  readonly signal: AbortSignal;
  progress(told: ClusterProgress): void;
  needs?(needs: ClusterNeeds): void;
}

/** Of a corpus of files: their documents are told apart by it, and a run that was ended goes on with it. */
export const KEY_FILE = 'corpus-key';
/** That of an index, in its folder. */
export const INDEX_KEY = 'index.key';

/**
 * Clusters a corpus.
 *
 * @throws ShingledError `invalid-request` where a result is there already or would lie in an input, or the inputs are none.
 *   `index-locked` where another run writes there, or a service uses the index. `index-unreadable`, `storage-full`,
 *   `memory-short`, `invalid-config`, and the reason of the signal
 */
export async function clusterInputs(
  config: Config,
  pid: number,
  {
    inputs,
    fields,
    folder,
    by,
    content = 'page',
    floor,
    hasSketches,
    memoryBytes = defaultMemoryBytes(),
  }: ClusterRequest,
  { sources, signal, ...told }: ClusterRun,
): Promise<ResultSummary> {
  if (hasResult(folder)) {
    throw new ShingledError('invalid-request', `There is a result in ${folder} already: name another folder.`);
  }
  const made = inputs.find(hasResult);
  if (made !== undefined) {
    throw new ShingledError('invalid-request', `${made} is a result, and no corpus: it is asked without --out.`);
  }
  refuseInside(folder, inputs);
  return inFolder(folder, pid, async () => {
    const { corpus, secret } = await corpusOf(config, pid, { inputs, fields, folder, content, sources });
    const kept = hasSketches ? withSketches(corpus, folder) : corpus;
    const read = content === 'page' ? kept : byOwnContents(kept, { by: content, folder, rankKey: rankKeyOf(secret!) });
    return clusterCorpus(read, { folder, by, floor, memoryBytes, now: Date.now, signal, ...told });
  });
}

/** What is written must not lie in what is read. @throws ShingledError `invalid-request` */
export function refuseInside(folder: string, inputs: readonly string[]): void {
  const holding = inputs.find((input) => isInside(folder, input));
  if (holding === undefined) return;
  throw new ShingledError('invalid-request', `${folder} lies in ${holding}: what is written there would be read.`);
}

/** Does what writes to a folder, which is made where it is absent. @throws ShingledError `index-locked`, `invalid-request` */
export async function inFolder<T>(folder: string, pid: number, work: () => Promise<T>): Promise<T> {
  await makeFolder(folder).catch((cause: unknown) => {
    throw new ShingledError('invalid-request', `The folder ${folder} cannot be made: ${systemFault(cause)}.`, {
      cause,
    });
  });
  const lock = await takeLock(realpathSync(folder), pid).catch((cause: unknown) => {
    throw new ShingledError('index-locked', `Another run writes to ${folder}.`, { cause });
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** What a finished result says; null where there is none. @throws ShingledError `result-damaged` */
export function openClusters(folder: string): ClusterAnswers | null {
  return hasResult(folder) ? ClusterAnswers.open(folder) : null;
}

async function corpusOf(
  config: Config,
  pid: number,
  {
    inputs,
    fields,
    folder,
    content,
    sources,
  }: Pick<ClusterRequest, 'inputs' | 'fields' | 'folder'> & {
    readonly content: ContentChoice;
    readonly sources: IngestSources;
  },
): Promise<{ readonly corpus: Corpus; readonly secret: Uint8Array | null }> {
  const hasMarks = content !== 'page';
  const indexes = inputs.filter(isIndex);
  if (indexes.length === 1 && inputs.length === 1) {
    refuseFields(fields, indexes[0]!);
    const [index] = indexes;
    if (!hasMarks) return { corpus: await corpusOfIndex(index!, pid), secret: null };
    const secret = secretOfIndex(config, index!);
    return { corpus: await corpusOfIndex(index!, pid, { keyId: keyIdOf(secret), hasMarks }), secret };
  }
  if (indexes.length > 0) {
    throw new ShingledError('invalid-request', `${indexes[0]} is an index: it is clustered by itself.`);
  }
  const found = await sources.find(inputs);
  const read: InputFields = { ...fields, areDatesSpare: true };
  const marks = await sources.marksOf(found, read);
  const secret = secretFor(config, folder);
  const files = { sources, inputs: found, fields: read, marks, hasMainText: hasMarks };
  return { corpus: corpusOfFiles(config, secret, files), secret };
}

/** Options by which files are read. */
const FIELD_OPTIONS: Readonly<
  Record<Exclude<keyof InputFields, 'areDatesSpare' | 'table'> | keyof TableOptions, string>
> = {
  ...{ url: 'url-field', text: 'text-field', html: 'html-field', features: 'features-field', date: 'date-field' },
  ...{ meta: 'meta-field', urlPrefix: 'url-prefix', format: 'format', include: 'include', exclude: 'exclude' },
  ...{ gitignore: 'gitignore', noDate: 'no-date', charset: 'charset' },
  ...{ delimiter: 'delimiter', quote: 'quote', escapedBy: 'escape', noHeader: 'no-header' },
};

/** An index has read its documents already. @throws ShingledError `invalid-request` */
function refuseFields(fields: InputFields, index: string): void {
  const isTold = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== null && value !== false);
  const { table = {}, ...others } = fields;
  const [told] = Object.entries({ ...others, ...table }).find(([, value]) => isTold(value)) ?? [];
  if (told === undefined) return;
  const option = FIELD_OPTIONS[told as keyof typeof FIELD_OPTIONS];
  throw new ShingledError(
    'invalid-request',
    `--${option} says how files are read, and ${index} is an index, which has read its documents already.`,
    { field: option },
  );
}

/** That of an index, where it is set, so that documents are told apart as there. */
export function secretFor(config: Config, folder: string): Uint8Array {
  if (config.INDEX_KEY_FILE !== null) return readIndexKeyFile(config.INDEX_KEY_FILE, 'INDEX_KEY_FILE');
  const file = join(folder, KEY_FILE);
  return existsSync(file) ? readIndexKeyFile(file) : createIndexKeyFile(file);
}

/** The key of an index, in its folder or where the setting says. @throws ShingledError `invalid-request` */
function secretOfIndex(config: Config, folder: string): Uint8Array {
  if (config.INDEX_KEY_FILE !== null) return readIndexKeyFile(config.INDEX_KEY_FILE, 'INDEX_KEY_FILE');
  const file = join(folder, INDEX_KEY);
  if (existsSync(file)) return readIndexKeyFile(file);
  const detail = `${folder} has no ${INDEX_KEY}, by which pages are chosen that stand for their hosts: set INDEX_KEY_FILE to it.`;
  throw new ShingledError('invalid-request', detail, { field: 'content' });
}

const keyIdOf = (secret: Uint8Array): string => deriveIdentity(secret, NEW_INDEX.shingleSize).keyId;

/** What URLs of hosts are hashed with. */
export const rankKeyOf = (secret: Uint8Array): readonly [number, number] =>
  deriveIdentity(secret, NEW_INDEX.shingleSize).rankKey;

/** Whether a folder lies in another one, or is it. */
function isInside(folder: string, input: string): boolean {
  const way = relative(resolve(input), resolve(folder));
  return existsSync(input) && statSync(input).isDirectory() && !way.startsWith('..') && !isAbsolute(way);
}
