import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { ShingledError } from '../../errors.ts';
import type { SpillLayout } from '../../spill/spilled-chunks.ts';
import { writeWhole } from '../durable-files.ts';
import type { CorpusReading } from '../port.ts';
import { type FileSeal, isSealed, readColumns, sharedMemory } from '../result/columns-file.ts';
import { NODE_COLUMNS } from '../result/result-folder.ts';
import type { NodeTable, ThinPostings } from './node-table.ts';
import type { SketchedCorpus } from './sketched-corpus.ts';

/*
 * A corpus that was read, on the disk until a result is made of it. A run that was ended goes on from there. What is held of it
 * is read back, so that its columns are no larger than they must be.
 *
 *   sketched.json              what was asked for, and what the other files were written with
 *   nodes, documents, urls     as in the result                                               (result/result-folder.ts)
 *   places                     of each node the modulus of its postings, and where its record is
 *   postings, records          of the nodes: records only of those of which not all is posted
 */

const STATE_VERSION = 6;
export const STATE_FILE = 'sketched.json';
const PLACE_COLUMNS = { postedLogs: 'u8', recordStarts: 'place' } as const;

/** A corpus on the disk, and what is held of it. */
export interface SketchedState {
  readonly nodes: NodeTable;
  readonly postings: SpillLayout;
  readonly counts: SketchedCounts;
  readonly reading: CorpusReading;
  /** Whether the date of any document is known. */
  readonly hasDates: boolean;
  /** Of the result. */
  readonly files: Readonly<Record<SketchedFile, FileSeal>>;
  /** Of all its files. */
  readonly bytes: number;
}

export interface SketchedCounts {
  readonly documents: number;
  /** Different texts. */
  readonly texts: number;
  readonly postings: number;
}

/** Files that the result has as they are here. */
export const SKETCHED_FILES = ['nodes', 'documents', 'urls'] as const;
type SketchedFile = (typeof SKETCHED_FILES)[number];

/** What was asked for. */
export interface SketchedSubject {
  readonly fingerprint: string;
  readonly by: Likeness;
}

interface StateJson {
  readonly shingledSketches: number;
  readonly subject: SketchedSubject;
  readonly reading: CorpusReading;
  readonly counts: SketchedCounts;
  readonly hasDates: boolean;
  readonly thin: ThinPostings | null;
  readonly files: SketchedState['files'];
  readonly places: FileSeal;
  readonly postings: Omit<SpillLayout, 'path'>;
  readonly recordsBytes: number;
  readonly postingsBytes: number;
}

/** @param folder with the files of the corpus @throws ShingledError `storage-full` */
export function writeSketched(
  folder: string,
  subject: SketchedSubject,
  { nodes, documents }: SketchedCorpus,
  reading: CorpusReading,
): void {
  const { path: _, ...layout } = nodes.postings;
  const json: StateJson = {
    ...{ shingledSketches: STATE_VERSION, subject, reading, postings: layout },
    counts: { documents: documents.count, texts: documents.contentCount, postings: nodes.postingCount },
    ...{ hasDates: documents.hasDates, thin: nodes.thin },
    files: { nodes: nodes.files.nodes, ...documents.files },
    places: nodes.files.places,
    ...{ recordsBytes: nodes.bytes.records, postingsBytes: nodes.bytes.postings },
  };
  writeWhole(join(folder, STATE_FILE), [Buffer.from(JSON.stringify(json))]);
}

/**
 * What a run has left; null where it has left nothing that is whole.
 *
 * @param isOwn this run has written it just now: files of which nothing is held are not read again
 * @throws ShingledError `invalid-request` where it is of something else
 */
export function readSketched(folder: string, subject: SketchedSubject, isOwn = false): SketchedState | null {
  const json = stateIn(folder);
  if (json === null) return null;
  if (JSON.stringify(json.subject) !== JSON.stringify(subject)) {
    throw new ShingledError(
      'invalid-request',
      `${folder} is left of a run on other inputs, or with other settings: remove it, or name another folder.`,
    );
  }
  const { reading, counts, hasDates, thin, files, places, postings, recordsBytes, postingsBytes } = json;
  if (sizeOf(join(folder, 'records')) !== recordsBytes || sizeOf(join(folder, 'postings')) !== postingsBytes)
    return null;
  if (!isOwn && !(['documents', 'urls'] as const).every((name) => isSealed(join(folder, name), files[name])))
    return null;
  try {
    const nodes = readColumns(join(folder, 'nodes'), NODE_COLUMNS, files.nodes, sharedMemory);
    const placed = readColumns(join(folder, 'places'), PLACE_COLUMNS, places, sharedMemory);
    return {
      ...{ reading, counts, hasDates, files },
      nodes: { ...nodes, ...placed, count: nodes.shingleCounts.length, recordsPath: join(folder, 'records'), thin },
      postings: { ...postings, path: join(folder, 'postings') },
      bytes: [...Object.values(files), places].reduce((sum, { bytes }) => sum + bytes, recordsBytes + postingsBytes),
    };
  } catch (error) {
    if (error instanceof ShingledError && error.code === 'result-damaged') return null;
    throw error;
  }
}

function stateIn(folder: string): StateJson | null {
  try {
    const json = JSON.parse(readFileSync(join(folder, STATE_FILE), 'utf8')) as StateJson;
    return json.shingledSketches === STATE_VERSION ? json : null;
  } catch {
    return null;
  }
}

function sizeOf(path: string): number | null {
  try {
    return statSync(path).size;
  } catch {
    return null;
  }
}
