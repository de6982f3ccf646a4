import type { ContentChoice, ReadMarks } from '../core/content/told-content.ts';
import type { KeptSample } from '../core/sketch/narrow.ts';

/** What comparing takes of a text. */
export interface CorpusContent {
  /** 32 hex digits: equal for equal texts, whatever of them is main. */
  readonly lexicalDigest: string;
  /** 32 hex digits: equal for equal sets of shingles. */
  readonly shingleDigest: string;
  /** n, 1 or more. */
  readonly shingleCount: number;
  readonly sample: KeptSample;
  /** What of the whole text is main; absent if nobody asked for it. */
  readonly marks?: TextMarks;
  /** Where it is a part of a text: whether n was counted, or is an estimate by the sample. */
  readonly part?: 'counted' | 'estimated';
}

/** What tells the main part of a text from the rest of it. */
export interface TextMarks {
  /** 32 hex digits: equal for equal texts of which the same is main. */
  readonly id: string;
  readonly main: ReadMarks;
  /** Whether it has words: a set of features has none, and nothing in common with pages. */
  readonly hasWords: boolean;
}

/** A document of a corpus. */
export interface CorpusDocument {
  /** The number of its text. */
  readonly content: number;
  /** Its name; several documents may have one. */
  readonly url: string;
  /** When it was there, ms since 1970; null where nobody says. */
  readonly date: number | null;
  /** Which record of the input it is, from 0. */
  readonly record: number;
}

/** Takes a corpus in. */
export interface CorpusSink {
  /**
   * @param contents some hundred at a time, since looking up many together takes less; all is copied
   * @returns the number of each text: the one that it has, where it was met before
   */
  contents(contents: readonly CorpusContent[]): number[];
  document(document: CorpusDocument): void;
  /**
   * To be awaited after each group of texts, and every few thousand documents.
   *
   * @param heldBytes how much memory the caller holds for what it has brought so far
   * @throws ShingledError `storage-full`, `memory-short`
   */
  room(heldBytes?: number): Promise<void>;
}

/**
 * Called now and then while a corpus is read.
 *
 * @param records that were read
 * @param share of all that is to be read, 0 to 1, null where it is not known; asked by those alone who show it
 */
export type RecordsTold = (records: number, share?: () => number | null) => void;

/** What is clustered. */
export interface Corpus {
  /** What it is, as a person named it. */
  readonly names: readonly string[];
  /** Equal where nothing of it has changed. */
  readonly fingerprint: string;
  /** Bytes of the input, as they lie there; null where nobody knows. */
  readonly inputBytes: number | null;
  /** Memory that reading takes, beside what is kept: of threads, and of what is on its way. */
  readonly readingBytes: number;
  /** Reads all of it. */
  readInto(sink: CorpusSink, told: RecordsTold, signal: AbortSignal | undefined): Promise<CorpusReading>;
}

export interface CorpusReading {
  /** Records of the input; of an index, URLs. */
  readonly records: number;
  /** Those of which there is no document, by why. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Of the fingerprints: only texts whose shingles have the same can be compared. Absent where nobody compares them. */
  readonly fingerprintId?: string;
  /** Absent where documents are compared by their pages. */
  readonly contents?: ContentsTold;
}

/** By which contents the documents of a corpus are compared. */
export interface ContentsTold {
  readonly by: Exclude<ContentChoice, 'page'>;
  /** Hosts with a template. */
  readonly templates: number;
  /** Different texts: those of which a part is main, and those that are main as a whole. */
  readonly read: number;
  readonly whole: number;
  /** Those without a content of their own, by why. */
  readonly tooLittle: number;
  readonly notRead: number;
  /** Those of whose content the size is estimated by a sample. */
  readonly estimated: number;
}

export type ClusterPhase = 'documents' | 'lists' | 'pairs' | 'records' | 'forest';

/** How far it is. */
export interface ClusterProgress {
  readonly phase: ClusterPhase;
  readonly done: number;
  /** null: not known. */
  readonly of: number | null;
  /** Where counts do not say it: as {@link RecordsTold} has it. */
  readonly share?: (() => number | null) | undefined;
}

/** What a run takes. */
export interface ClusterNeeds {
  /** What it is told before. */
  readonly phase: 'documents' | 'lists';
  /** What it may take; null: no bound. */
  readonly memoryBytesMax: number | null;
  /** What it will take, as most corpora do; null: not known before documents are read. */
  readonly memoryBytes: number | null;
  /** Of files beside the result, at the most; null: not known. */
  readonly temporaryBytes: number | null;
  /** Of the disk that has them. */
  readonly freeBytes: number;
}
