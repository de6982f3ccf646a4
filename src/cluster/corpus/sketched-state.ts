import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { ShingledError } from '../../errors.ts';
import { writeWhole } from '../durable-files.ts';
import type { CorpusReading } from '../port.ts';
import { type FileSeal, readColumns, writeColumns } from '../result/columns-file.ts';
import { DOCUMENT_COLUMNS, NODE_COLUMNS } from '../result/result-folder.ts';
import { sharedBytes, sharedDoubles, sharedWords } from './shared-column.ts';
import type { SketchedCorpus } from './sketched-corpus.ts';

/*
 * A corpus that was read, kept beside its records and postings until a result is made of it: so that a run which was ended goes
 * on from there.
 */

const STATE_VERSION = 1;
const STATE_FILE = 'sketched.json';
const STATE_NODES = { ...NODE_COLUMNS, postedLogs: 'u8', recordStarts: 'f64' } as const;

export interface SketchedState {
  readonly sketched: SketchedCorpus;
  readonly reading: CorpusReading;
}

/** What was asked for. */
export interface SketchedSubject {
  readonly fingerprint: string;
  readonly by: Likeness;
}

interface StateJson {
  readonly shingledSketches: number;
  readonly subject: SketchedSubject;
  readonly reading: CorpusReading;
  readonly nodes: FileSeal;
  readonly documents: FileSeal;
  readonly postings: Omit<SketchedCorpus['postings'], 'path'>;
  readonly postingCount: number;
  readonly contentCount: number;
  readonly urlsSha256: string;
}

/** @param folder with the files of the corpus @throws ShingledError `storage-full` */
export function writeSketched(folder: string, subject: SketchedSubject, state: SketchedState): SketchedState {
  const { nodes, documents, postings, postingCount } = state.sketched;
  const { shingleCounts, recordLogs, recordBits, sampled, postedLogs, recordStarts } = nodes;
  const { path: _, ...layout } = postings;
  const json: StateJson = {
    ...{ shingledSketches: STATE_VERSION, subject, reading: state.reading, postings: layout, postingCount },
    ...{ contentCount: documents.contentCount, urlsSha256: documents.urlsSha256 },
    nodes: writeColumns(join(folder, 'nodes'), {
      ...{ shingleCounts, recordLogs, recordBits, sampled, postedLogs, recordStarts },
    }),
    documents: writeColumns(join(folder, 'documents'), {
      ...{ nodes: documents.nodes, contents: documents.contents, records: documents.records },
      ...{ dates: documents.dates, urlStarts: documents.urlStarts },
    }),
  };
  writeWhole(join(folder, STATE_FILE), [Buffer.from(JSON.stringify(json))]);
  return state;
}

/**
 * What an earlier run has left; null where it has left nothing that is whole.
 *
 * @throws ShingledError `invalid-request` where it is of something else
 */
export function readSketched(folder: string, subject: SketchedSubject): SketchedState | null {
  const json = stateIn(folder);
  if (json === null) return null;
  if (JSON.stringify(json.subject) !== JSON.stringify(subject)) {
    throw new ShingledError(
      'invalid-request',
      `${folder} is left of a run on other inputs, or with other settings: remove it, or name another folder.`,
    );
  }
  const nodes = readColumns(join(folder, 'nodes'), STATE_NODES, json.nodes);
  const documents = readColumns(join(folder, 'documents'), DOCUMENT_COLUMNS, json.documents);
  const { contentCount, urlsSha256, postingCount } = json;
  return {
    reading: json.reading,
    sketched: {
      nodes: {
        ...{ count: nodes.shingleCounts.length, recordsPath: join(folder, 'records') },
        shingleCounts: shared(nodes.shingleCounts, sharedWords),
        recordLogs: shared(nodes.recordLogs, sharedBytes),
        recordBits: shared(nodes.recordBits, sharedBytes),
        sampled: shared(nodes.sampled, sharedWords),
        postedLogs: shared(nodes.postedLogs, sharedBytes),
        recordStarts: shared(nodes.recordStarts, sharedDoubles),
      },
      ...{ postings: { ...json.postings, path: join(folder, 'postings') }, postingCount },
      documents: {
        ...documents,
        count: documents.nodes.length,
        contentCount,
        urlsSha256,
        urlsPath: join(folder, 'urls'),
      },
    },
  };
}

type Numbers = Uint8Array | Uint32Array | Float64Array;

function stateIn(folder: string): StateJson | null {
  try {
    const json = JSON.parse(readFileSync(join(folder, STATE_FILE), 'utf8')) as StateJson;
    return json.shingledSketches === STATE_VERSION ? json : null;
  } catch {
    return null;
  }
}

function shared<T extends Numbers>(column: Numbers, make: (size: number) => T): T {
  const copy = make(column.length);
  copy.set(column);
  return copy;
}
