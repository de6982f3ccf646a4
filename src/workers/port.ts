import type { MadeRecord } from '../core/coding/made-record.ts';
import type { Sketch } from '../core/sketch/sketch.ts';
import type { ShingledError } from '../errors.ts';
import type { FEATURES_TYPE } from '../features/feature-list.ts';
import type { FILE_TYPES } from '../features/file-types.ts';
import type { Kernel } from '../kernel/choose.ts';

/** bytes -> text -> sketch, on this thread for small documents, in a worker for large ones, in a process for the rest. */
export interface DocumentPipeline {
  /**
   * Throws `empty-document`, `unsupported-media-type`, `unsupported-charset`, `unreadable-document`, `document-too-complex`,
   * `invalid-selector`, `body-too-large` or `overloaded`.
   */
  process(input: DocumentInput, asking: Asking): Promise<ProcessedDocument>;
  /**
   * The same result for one document of many, whose caller waits for all of them. Small ones go to workers several at a
   * time, so that the event loop reads the next ones meanwhile. Throws the same errors but for `overloaded`: it is for
   * the caller to bound how many there are.
   */
  processInBulk(input: DocumentInput, caller: string): Promise<ProcessedDocument>;
  /**
   * What becomes of each of many, in their order: a promise for all of them, as one a document takes as long as a sketch of
   * 100 words. It never rejects. The array is the caller's own.
   */
  processAll(inputs: readonly DocumentInput[], caller: string): Promise<Outcome[]>;
  /** Whether `process` reads such a document on the thread that asks, unless its charset must be guessed. */
  isSmall(input: Pick<DocumentInput, 'bytes' | 'contentType' | 'select' | 'remove'>): boolean;
  /** Whether something reads it that may have to be started first: a process of its own, the first of the threads. */
  isReadApart(input: Pick<DocumentInput, 'bytes' | 'contentType' | 'select' | 'remove'>): boolean;
  /** Resolves when all that {@link isReadApart} speaks of for these documents has begun, or cannot; it never rejects. */
  begunApart(inputs: readonly Pick<DocumentInput, 'bytes' | 'contentType' | 'select' | 'remove'>[]): Promise<void>;
  /** Which kernel makes the sketches, and why that one. */
  readonly kernel: Pick<Kernel, 'name' | 'why'>;
  /** Documents that wait for a worker. */
  readonly queued: number;
  close(): Promise<void>;
}

/** Who asks: workers are shared among callers. */
export interface Asking {
  readonly caller: string;
  /** Where it aborts, its reason is told at once, if it is one of ours. */
  readonly signal?: AbortSignal | undefined;
}

export interface DocumentInput {
  readonly bytes: Uint8Array;
  /** The Content-Type as sent, or null: then the bytes say what they are. Those of PDF files and office documents always do. */
  readonly contentType: string | null;
  /** CSS selectors: only what matches `select` counts, and nothing that matches `remove`. HTML only. */
  readonly select: string | null;
  readonly remove: string | null;
  /** Cap of the sample's modulus: 1 for a query in hand, RECORD_MODULUS for what is stored. */
  readonly modulusMax: number;
  /**
   * So many distinct fingerprints at the most are wanted back whole (sketch.whole), for comparing two documents: 0
   * unless given.
   */
  readonly wholeMax?: number;
  /**
   * INDEX_MODULUS of the index for which `record` is wanted back; `modulusMax` is its RECORD_MODULUS then. 0, none is wanted,
   * unless given.
   */
  readonly recordFor?: number;
  /** Whether `text` is wanted back, for passages and `whyNot`. */
  readonly keepText: boolean;
  /** Whether nobody asks for the digest of its bytes, which is empty then: it takes as long as that of its words. */
  readonly isBytesDigestLeftOut?: boolean;
}

/** What becomes of a document. */
export type Outcome = ProcessedDocument | ShingledError;

export interface ProcessedDocument {
  /** Keyed digest of the bytes and how they were read: media type, charset, select, remove. 32 hex digits. */
  readonly bytesDigest: string;
  /** Of the words alone, or of the features. */
  readonly lexicalDigest: string;
  /** Of the words and of which of its shingles are main: identity/digests.ts. */
  readonly contentDigest: string;
  readonly shingleDigest: string;
  readonly mediaType: 'text/html' | 'text/plain' | (typeof FILE_TYPES)[keyof typeof FILE_TYPES] | typeof FEATURES_TYPE;
  readonly charset: string;
  readonly title: string | null;
  readonly language: string | null;
  /** UTF-8 of the extracted text where it was asked for; null of features, which have none. */
  readonly text: Uint8Array | null;
  readonly sketch: Sketch;
  /** What an index writes of it where that was asked for. */
  readonly record: MadeRecord | null;
}
