import { type ErrorCode, ShingledError } from '../errors.ts';
import type { ExtractLimits } from '../extract/limits.ts';
import type { Identity } from '../identity/identity.ts';
import type { KernelName } from '../kernel/choose.ts';
import type { DocumentInput, ProcessedDocument } from './port.ts';

/*
 * What passes between the event loop and a worker: a batch of documents, and an answer to each in their order.
 *
 *   task     bytes         | document 0 | document 1 | …          one buffer, handed over
 *            documents     how each is read, and its length
 *   answer   fingerprints  | sample 0 | sample 1 | …              one buffer, handed over
 *            sums          | 4 Uint32 | 4 Uint32 | …              the same; nothing of a document that failed
 *            outcomes      what else is known of each, or its error as plain data: the clone of an Error loses its code
 */

export interface WorkerSetup {
  readonly identity: Identity;
  readonly limits: ExtractLimits;
  /** The kernel that the event loop runs. */
  readonly kernel: KernelName;
}

export interface Task {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly documents: readonly PackedInput[];
  /** One shared word: 0 until the worker has begun. */
  readonly started: Int32Array;
}

type PackedInput = Omit<DocumentInput, 'bytes'> & { readonly length: number };

export interface Answer {
  readonly fingerprints: Float64Array<ArrayBuffer>;
  readonly sums: Uint32Array<ArrayBuffer>;
  readonly outcomes: readonly (PackedDocument | PlainError)[];
}

interface PackedDocument {
  readonly about: Omit<ProcessedDocument, 'sketch'>;
  readonly tokenCount: number;
  readonly shingleCount: number;
  readonly modulus: number;
  /** Fingerprints in the sample. */
  readonly kept: number;
}

interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field: string | undefined;
  readonly limit: { readonly name: string; readonly value: number } | undefined;
}

/** What becomes of a document. */
export type Outcome = ProcessedDocument | ShingledError;

/** The task of some documents; their bytes are copied, since they may be parts of larger buffers and stay the caller's. */
export function packTask(inputs: readonly DocumentInput[], started: Int32Array): Task {
  let total = 0;
  for (const { bytes } of inputs) total += bytes.length;
  const packed = new Uint8Array(total);
  let at = 0;
  const documents = inputs.map(({ bytes, contentType, select, remove, modulusMax, keepText }) => {
    packed.set(bytes, at);
    at += bytes.length;
    return { length: bytes.length, contentType, select, remove, modulusMax, keepText };
  });
  return { bytes: packed, documents, started };
}

export function unpackTask({ bytes, documents }: Task): DocumentInput[] {
  let at = 0;
  return documents.map(({ length, ...how }) => {
    const from = at;
    at += length;
    return { ...how, bytes: bytes.subarray(from, at) };
  });
}

/** @returns the answer, and which buffers are handed over with it */
export function packAnswer(outcomes: readonly Outcome[]): { answer: Answer; transfer: ArrayBuffer[] } {
  const documents = outcomes.filter((outcome): outcome is ProcessedDocument => !(outcome instanceof ShingledError));
  const samples = documents.map(({ sketch }) => sketch.sample.fingerprints);
  const fingerprints = new Float64Array(samples.reduce((total, sample) => total + sample.length, 0));
  const sums = new Uint32Array(4 * documents.length);
  let at = 0;
  for (const [index, { sketch }] of documents.entries()) {
    fingerprints.set(sketch.sample.fingerprints, at);
    sums.set(sketch.shingleSum, 4 * index);
    at += sketch.sample.fingerprints.length;
  }
  const texts = documents.flatMap(({ text }) => (text === null ? [] : [text.buffer as ArrayBuffer]));
  return {
    answer: { fingerprints, sums, outcomes: outcomes.map(packOutcome) },
    transfer: [fingerprints.buffer, sums.buffer, ...texts],
  };
}

export function unpackAnswer({ fingerprints, sums, outcomes }: Answer): Outcome[] {
  let kept = 0;
  let summed = 0;
  return outcomes.map((outcome) => {
    if ('code' in outcome) return errorOf(outcome);
    const { about, tokenCount, shingleCount, modulus } = outcome;
    const sample = { modulus, fingerprints: part(fingerprints, kept, kept + outcome.kept) };
    const shingleSum = part(sums, summed, summed + 4);
    kept += outcome.kept;
    summed += 4;
    return { ...about, sketch: { tokenCount, shingleCount, sample, shingleSum } };
  });
}

function packOutcome(outcome: Outcome): PackedDocument | PlainError {
  if (outcome instanceof ShingledError) {
    const { code, message, field, limit } = outcome;
    return { code, message, field, limit };
  }
  const { sketch, ...about } = outcome;
  const { tokenCount, shingleCount, sample } = sketch;
  return { about, tokenCount, shingleCount, modulus: sample.modulus, kept: sample.fingerprints.length };
}

function errorOf({ code, message, field, limit }: PlainError): ShingledError {
  return new ShingledError(code, message, {
    ...(field === undefined ? {} : { field }),
    ...(limit === undefined ? {} : { limit }),
  });
}

/** A part of an array that owns its memory: a copy, but for the whole. */
function part<T extends Float64Array | Uint32Array>(whole: T, from: number, to: number): T {
  return (from === 0 && to === whole.length ? whole : whole.slice(from, to)) as T;
}
