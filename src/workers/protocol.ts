import { errorOf, type PlainError, plainError, ShingledError } from '../errors.ts';
import type { ExtractLimits } from '../extract/limits.ts';
import type { Identity } from '../identity/identity.ts';
import type { KernelName } from '../kernel/choose.ts';
import { packSketches, roomFor, unpackSketches } from './packed-sketches.ts';
import type { DocumentInput, Outcome, ProcessedDocument } from './port.ts';

/*
 * What passes between the event loop and a worker: a batch of documents, and an answer to each in their order.
 *
 *   task     buffer   | bytes of document 0 | of document 1 | …                          handed over
 *            columns  how each is read: all lengths, all content types, …
 *   answer   buffer   | sketch and record of document 0 | of 1 | …  (packed-sketches.ts)  the same one, handed back
 *            columns  what else is known of each, and errors as plain data: the clone of an Error loses its code
 *
 * Columns, since an object a document costs both threads as much as the sketch of 300 words: its names are written, read and
 * looked up for each. One buffer there and back, since fresh memory is cleared by the kernel first, page by page, and given
 * back by the collector. The documents that failed are in none of the answer's columns but `errors`.
 */

export interface WorkerSetup {
  readonly identity: Identity;
  readonly limits: ExtractLimits;
  /** The kernel that the event loop runs. */
  readonly kernel: KernelName;
}

export interface Task {
  /** At least the bytes of the documents; what lies behind them is of an earlier task. */
  readonly buffer: ArrayBuffer;
  /** One shared word: 0 until the worker has begun. */
  readonly started: Int32Array;
  readonly lengths: readonly number[];
  readonly contentTypes: readonly DocumentInput['contentType'][];
  readonly modulusMaxes: readonly number[];
  readonly wholeMaxes: readonly number[];
  readonly recordsFor: readonly number[];
  readonly keepTexts: readonly boolean[];
  readonly areBytesDigestsLeftOut: readonly boolean[];
}

export interface Answer {
  /** The task's, or a larger one where the samples need more than the documents did. */
  readonly buffer: ArrayBuffer;
  /** One a document: null where it has none. */
  readonly errors: readonly (PlainError | null)[];
  /** DIGESTS a document: of its bytes, lexical, of its content, of its shingles. */
  readonly digests: readonly string[];
  readonly mediaTypes: readonly ProcessedDocument['mediaType'][];
  readonly charsets: readonly string[];
  readonly titles: readonly (string | null)[];
  readonly languages: readonly (string | null)[];
  readonly texts: readonly (Uint8Array | null)[];
}

const DIGESTS = 4;

/**
 * The task of some documents without selectors; their bytes are copied, since they may be parts of larger buffers and
 * stay the caller's.
 *
 * @param spare memory to use where it is large enough
 */
export function packTask(inputs: readonly DocumentInput[], started: Int32Array, spare: ArrayBuffer): Task {
  const lengths = column(inputs, ({ bytes }) => bytes.length);
  const buffer = roomFor(
    lengths.reduce((sum, length) => sum + length, 0),
    spare,
  );
  const packed = new Uint8Array(buffer);
  let at = 0;
  for (const { bytes } of inputs) {
    packed.set(bytes, at);
    at += bytes.length;
  }
  return {
    buffer,
    started,
    lengths,
    contentTypes: column(inputs, ({ contentType }) => contentType),
    modulusMaxes: column(inputs, ({ modulusMax }) => modulusMax),
    wholeMaxes: column(inputs, ({ wholeMax }) => wholeMax ?? 0),
    recordsFor: column(inputs, ({ recordFor }) => recordFor ?? 0),
    keepTexts: column(inputs, ({ keepText }) => keepText),
    areBytesDigestsLeftOut: column(inputs, ({ isBytesDigestLeftOut }) => isBytesDigestLeftOut === true),
  };
}

/** The documents of a task: views of its buffer. */
export function unpackTask(task: Task): DocumentInput[] {
  const { buffer, lengths, contentTypes, modulusMaxes, wholeMaxes, recordsFor, keepTexts, areBytesDigestsLeftOut } =
    task;
  let at = 0;
  return lengths.map((length, index) => {
    const bytes = new Uint8Array(buffer, at, length);
    at += length;
    return {
      bytes,
      contentType: contentTypes[index]!,
      select: null,
      remove: null,
      modulusMax: modulusMaxes[index]!,
      wholeMax: wholeMaxes[index]!,
      recordFor: recordsFor[index]!,
      keepText: keepTexts[index]!,
      isBytesDigestLeftOut: areBytesDigestsLeftOut[index]!,
    };
  });
}

/**
 * Writes over the task's documents: they are done with.
 *
 * @param spare the task's buffer
 * @returns the answer, and which buffers are handed over with it
 */
export function packAnswer(
  outcomes: readonly Outcome[],
  spare: ArrayBuffer,
): { answer: Answer; transfer: ArrayBuffer[] } {
  const documents = outcomes.filter((outcome): outcome is ProcessedDocument => !(outcome instanceof ShingledError));
  const digests: string[] = [];
  const transfer: ArrayBuffer[] = [];
  for (const { bytesDigest, lexicalDigest, contentDigest, shingleDigest, text } of documents) {
    digests.push(bytesDigest, lexicalDigest, contentDigest, shingleDigest);
    if (text !== null) transfer.push(text.buffer as ArrayBuffer);
  }
  const answer = {
    buffer: packSketches(documents, spare),
    errors: column(outcomes, (outcome) => (outcome instanceof ShingledError ? plainError(outcome) : null)),
    digests,
    mediaTypes: column(documents, ({ mediaType }) => mediaType),
    charsets: column(documents, ({ charset }) => charset),
    titles: column(documents, ({ title }) => title),
    languages: column(documents, ({ language }) => language),
    texts: column(documents, ({ text }) => text),
  };
  transfer.push(answer.buffer);
  return { answer, transfer };
}

/** What became of each document. @param isOurs whether nobody else uses the buffer: then samples are views of it */
export function unpackAnswer(answer: Answer, isOurs: boolean): Outcome[] {
  const { buffer, errors, digests, mediaTypes, charsets, titles, languages, texts } = answer;
  const sketches = unpackSketches(buffer, isOurs);
  let index = -1;
  return errors.map((error) => {
    if (error !== null) return errorOf(error);
    index++;
    const { sketch, record } = sketches.next();
    return {
      bytesDigest: digests[DIGESTS * index]!,
      lexicalDigest: digests[DIGESTS * index + 1]!,
      contentDigest: digests[DIGESTS * index + 2]!,
      shingleDigest: digests[DIGESTS * index + 3]!,
      mediaType: mediaTypes[index]!,
      charset: charsets[index]!,
      title: titles[index]!,
      language: languages[index]!,
      text: texts[index]!,
      sketch,
      record,
    };
  });
}

/** Not `map`, which once compiled makes arrays that may have holes: those are cloned value by value, each with its index. */
function column<T, U>(rows: readonly T[], of: (row: T) => U): U[] {
  const values: U[] = [];
  for (const row of rows) values.push(of(row));
  return values;
}
