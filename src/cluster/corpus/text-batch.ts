import { DIGEST_WORDS, digestWords } from '../../core/memory/digest-numbers.ts';
import type { KeptSample } from '../../core/sketch/narrow.ts';
import type { CorpusContent } from '../port.ts';
import { bitsOfRecord, PART, PART_ESTIMATED } from './node-table.ts';

/*
 * Texts on their way from one thread to another, in memory that both use in turns:
 *
 *   batch   text | text | …        as many as there is room for; one that is longer has a batch of its own
 *   text    digest : 4   n   m   b, marked   e   count of values   count of exact ones, or SAME   values   exact
 *
 * Each is a double. Cost: a nanosecond a value to copy.
 */

export const BATCH_DOUBLES = 32 * 1024;
const HEAD = DIGEST_WORDS + 6;
/** In place of a count: all of its values are known to 40 bits, so they are the exact ones. */
const SAME = -1;

export type TextDoubles = Float64Array<ArrayBuffer>;
type BatchedContent = Omit<CorpusContent, 'lexicalDigest'>;

/** How many doubles a text takes. */
export function textDoubles({ sample: { values, exact } }: BatchedContent): number {
  return HEAD + values.length + (exact === values ? 0 : exact.length);
}

/** @param at where it goes; there is room @returns where it ends */
export function putText(
  batch: TextDoubles,
  at: number,
  { shingleDigest, shingleCount, sample, part }: BatchedContent,
): number {
  const { modulus, bits, values, exactModulus, exact } = sample;
  digestWords(shingleDigest, batch, at);
  let to = at + DIGEST_WORDS;
  batch[to++] = shingleCount;
  batch[to++] = modulus;
  batch[to++] = part === undefined ? bits : bits | PART | (part === 'estimated' ? PART_ESTIMATED : 0);
  batch[to++] = exactModulus;
  batch[to++] = values.length;
  batch[to++] = exact === values ? SAME : exact.length;
  to = putValues(batch, to, values);
  return exact === values ? to : putValues(batch, to, exact);
}

/** @returns where the next text begins */
export function textEnd(batch: TextDoubles, at: number): number {
  const exact = batch[at + HEAD - 1]!;
  return at + HEAD + batch[at + HEAD - 2]! + (exact === SAME ? 0 : exact);
}

/** n of a text. */
export const textShingles = (batch: TextDoubles, at: number): number => batch[at + DIGEST_WORDS]!;

/** Bits of the values of a text, as a node has them: with marks. */
export const textBits = (batch: TextDoubles, at: number): number => batch[at + DIGEST_WORDS + 2]!;

/** The sample of a text; it shares the memory of the batch. */
export function textSample(batch: TextDoubles, at: number): KeptSample {
  const from = at + HEAD;
  const to = from + batch[from - 2]!;
  const values = batch.subarray(from, to);
  const exact = batch[from - 1] === SAME ? values : batch.subarray(to, to + batch[from - 1]!);
  const head = at + DIGEST_WORDS;
  const bits = bitsOfRecord(batch[head + 2]!);
  return { modulus: batch[head + 1]!, bits, values, exactModulus: batch[head + 3]!, exact };
}

/** A view takes longer to make than few values to copy. */
function putValues(batch: TextDoubles, at: number, values: Float64Array): number {
  let to = at;
  for (let i = 0; i < values.length; i++) batch[to++] = values[i]!;
  return to;
}
