import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LeftOutPairs } from '../../core/cluster/common/left-out.ts';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import type { ContentChoice } from '../../core/content/told-content.ts';
import { ShingledError } from '../../errors.ts';
import type { ThinPostings } from '../corpus/node-table.ts';
import { writeWhole } from '../durable-files.ts';
import type { NodeEvidence } from '../pairs/evidence-of.ts';
import type { EdgeCounts } from '../pairs/find-edges.ts';
import type { ContentsTold, CorpusReading } from '../port.ts';
import { type FileSeal, readColumns } from './columns-file.ts';

/*
 * What is kept of a corpus that was clustered: all that any threshold from the floor up is answered from.
 *
 *   clusters.json   what it is, counts, and what the other files were written with
 *   nodes           n and sampled values of each
 *   documents       node, content, record, date of each, and where its URL is
 *   urls            their bytes
 *   edges           a, b, shared values, weight: in the order of falling weight
 *   forest          which of the edges are of the maximum spanning forest, in the same order
 */

export const RESULT_VERSION = 1;
/** By contents: earlier versions of shingled would take them for pages. */
export const CONTENTS_VERSION = 2;
const SUMMARY_FILE = 'clusters.json';
export const RESULT_FILES = ['nodes', 'documents', 'urls', 'edges', 'forest'] as const;
export type ResultFile = (typeof RESULT_FILES)[number];

export const NODE_COLUMNS = { shingleCounts: 'count', recordLogs: 'u8', recordBits: 'u8', sampled: 'count' } as const;
const DOCUMENT_COLUMNS = {
  nodes: 'u32',
  contents: 'u32',
  records: 'u32',
  dates: 'date',
  urlStarts: 'place',
} as const;
const EDGE_COLUMNS = { a: 'u32', b: 'u32', shared: 'u32', weight: 'f64' } as const;
const FOREST_COLUMNS = { edges: 'u32' } as const;

export interface ResultSummary {
  readonly shingledClusters: number;
  readonly createdAt: string;
  /** The inputs, as they were named. */
  readonly inputs: readonly string[];
  readonly by: Likeness;
  /** By what documents were compared; absent in results of before: by their pages. */
  readonly content?: ContentChoice;
  readonly contents?: ContentsTold;
  readonly floor: number;
  readonly counts: EdgeCounts &
    Pick<CorpusReading, 'records'> & {
      readonly documents: number;
      /** Different texts, and different sets of shingles. */
      readonly texts: number;
      readonly nodes: number;
      readonly postings: number;
      readonly forestEdges: number;
    };
  readonly leftOut: CorpusReading['leftOut'];
  /** Where common lists are too long to count all of their pairs: what that has left out. */
  readonly leftOutPairs?: LeftOutPairs;
  /** Share of the pairs with just this likeness that were compared: a lower bound, or an estimate if pairs were left out. */
  readonly recall: readonly { readonly threshold: number; readonly atLeast: number }[];
  /** Where contents have fewer postings than their sizes ask for, which the recall takes into account. */
  readonly thinPostings?: ThinPostings;
  readonly limits: { readonly listNodesMax: number; readonly pivots: number };
  /** What it took of the memory and the disk, at the most, as it was told before; ranges: in how many rows were counted. */
  readonly resources: {
    readonly memoryBytesMax: number | null;
    readonly memoryBytes: number | null;
    readonly temporaryBytes: number;
    readonly ranges: number;
  };
  readonly phasesMs: Readonly<Record<string, number>>;
  readonly files: Readonly<Record<ResultFile, FileSeal>>;
}

/** A result in memory. */
export interface Result {
  readonly folder: string;
  readonly summary: ResultSummary;
  readonly nodes: NodeEvidence & { readonly count: number };
  readonly documents: ReturnType<typeof readColumns<typeof DOCUMENT_COLUMNS>> & { readonly count: number };
  readonly edges: ReturnType<typeof readColumns<typeof EDGE_COLUMNS>> & { readonly count: number };
  /** Indexes of edges. */
  readonly forest: Uint32Array;
}

export function writeSummary(folder: string, summary: ResultSummary): void {
  writeWhole(join(folder, SUMMARY_FILE), [Buffer.from(`${JSON.stringify(summary, null, 2)}\n`)]);
}

/** Whether a folder has the files of a result, whatever they hold. */
export const isResultFolder = (folder: string): boolean =>
  [SUMMARY_FILE, ...RESULT_FILES].every((file) => existsSync(join(folder, file)));

/** Whether there is a finished result. */
export function hasResult(folder: string): boolean {
  return summaryText(folder) !== null;
}

/** @throws ShingledError `result-missing`, `result-damaged` */
export function readResult(folder: string): Result {
  const text = summaryText(folder);
  if (text === null) {
    const detail = `There is no result in ${folder}: it has no ${SUMMARY_FILE}. A run that did not end goes on by its command.`;
    throw new ShingledError('result-missing', detail);
  }
  const summary = summaryOf(folder, text);
  const { files } = summary;
  const nodes = readColumns(join(folder, 'nodes'), NODE_COLUMNS, files.nodes);
  const documents = readColumns(join(folder, 'documents'), DOCUMENT_COLUMNS, files.documents);
  const edges = readColumns(join(folder, 'edges'), EDGE_COLUMNS, files.edges);
  const forest = readColumns(join(folder, 'forest'), FOREST_COLUMNS, files.forest);
  return {
    ...{ folder, summary },
    nodes: { ...nodes, count: nodes.shingleCounts.length },
    documents: { ...documents, count: documents.nodes.length },
    edges: { ...edges, count: edges.a.length },
    forest: forest.edges,
  };
}

function summaryText(folder: string): string | null {
  try {
    return readFileSync(join(folder, SUMMARY_FILE), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT' || (cause as NodeJS.ErrnoException).code === 'ENOTDIR')
      return null;
    throw new ShingledError('result-damaged', `${join(folder, SUMMARY_FILE)} cannot be read.`, { cause });
  }
}

function summaryOf(folder: string, text: string): ResultSummary {
  let summary: ResultSummary;
  try {
    summary = JSON.parse(text) as ResultSummary;
  } catch (cause) {
    throw new ShingledError('result-damaged', `${join(folder, SUMMARY_FILE)} is no JSON.`, { cause });
  }
  if (summary.shingledClusters === RESULT_VERSION || summary.shingledClusters === CONTENTS_VERSION) return summary;
  throw new ShingledError('result-damaged', `${join(folder, SUMMARY_FILE)} is of another version of shingled.`);
}
