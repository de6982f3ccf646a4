import { roundShare } from '../core/shares.ts';
import { canonicalTextOf } from '../core/tokens.ts';
import type { Thresholds, WhyNot } from './api.ts';
import { meets, type Pair } from './pair.ts';
import type { Query } from './query.ts';

/*
 * Why two documents are not the same: the first step at which they part, from the loosest sameness to the strictest.
 *
 *   threshold ─ they share too little ─ shingles ─ other shingles ─ tokens ─ the same shingles in another sequence
 *             ─ text ─ the same words, written otherwise ─ bytes ─ the same text in other bytes
 *
 * Words are quoted only where the caller gave both documents: nobody learns from an answer what is in the index.
 */

/** Words quoted before the difference, and from it on. */
const WORDS_BEFORE = 3;
const WORDS_FROM = 6;
const QUOTE_CHARACTERS_MAX = 160;
const SPACE = 0x20;
/** Bytes compared at once. */
const BLOCK = 64 * 1024;

/** @param textBytesMax how far into the texts words are compared, for they are canonicalised on the event loop */
export function whyNot(a: Query, b: Query, pair: Pair, thresholds: Thresholds, textBytesMax: number): WhyNot | null {
  if (a.bytesDigest === b.bytesDigest) return null;
  if (a.lexicalDigest === b.lexicalDigest) return whyNotIdentical(a, b);
  const parting = partingWords(a, b, textBytesMax);
  if (a.shingleDigest === b.shingleDigest) {
    return { step: 'tokens', detail: `They have the same shingles in another sequence.${parting}` };
  }
  const missed = missedThresholds(pair, thresholds);
  if (missed.length > 0 && !meets(pair, thresholds)) {
    return { step: 'threshold', detail: `${missed.join('; ')}.${parting}` };
  }
  return { step: 'shingles', detail: `They do not have the same shingles.${parting}` };
}

/** Two documents with the same words. */
function whyNotIdentical(a: Query, b: Query): WhyNot {
  const textA = a.document?.text ?? null;
  const textB = b.document?.text ?? null;
  if (a.document === null || b.document === null || textA === null || textB === null) {
    return {
      step: 'bytes',
      detail: 'Their words are the same, their bytes are not; the index keeps no text to compare.',
    };
  }
  const at = firstDifference(textA, textB);
  if (at !== -1) {
    const quotes = given(a, b) ? ` ${quoteBoth(textA, textB, at)}` : '';
    return { step: 'text', detail: `The words are the same, but not how they are written.${quotes}` };
  }
  const [typeA, typeB] = [a.document, b.document].map(({ mediaType, charset }) => `${mediaType} in ${charset}`);
  const kinds = typeA === typeB ? `Both are ${typeA}` : `a is ${typeA}, b is ${typeB}`;
  return { step: 'bytes', detail: `Their text is the same, their bytes or how they were read are not. ${kinds}.` };
}

/**
 * A sentence with the words around the first difference, with a space before it; empty where it must not be told, or lies
 * beyond what is compared.
 */
function partingWords(a: Query, b: Query, textBytesMax: number): string {
  const [textA, textB] = [a.document?.text, b.document?.text];
  if (!textA || !textB || !given(a, b)) return '';
  const wordsA = canonicalTextOf(textA.subarray(0, textBytesMax));
  const wordsB = canonicalTextOf(textB.subarray(0, textBytesMax));
  const at = firstDifference(wordsA, wordsB);
  // the last word of a text that was cut is not what it seems
  const isCut = (text: Uint8Array, words: Uint8Array) => text.length > textBytesMax && at >= words.lastIndexOf(SPACE);
  if (at === -1 || isCut(textA, wordsA) || isCut(textB, wordsB)) return '';
  let word = 1;
  for (let i = 0; i < at; i++) if (wordsA[i] === SPACE) word++;
  return ` They part at word ${word}: ${quoteBoth(wordsA, wordsB, at)}`;
}

function given(a: Query, b: Query): boolean {
  return a.from === 'body' && b.from === 'body';
}

function missedThresholds({ resemblance, aInB, bInA }: Pair, thresholds: Thresholds): string[] {
  const missed: string[] = [];
  const check = (name: string, share: number, threshold: number | null) => {
    if (threshold !== null && share < threshold) missed.push(`${name} ${roundShare(share)} is below ${threshold}`);
  };
  check('resemblance', resemblance, thresholds.resemblance);
  check('containment of a in b', aInB, thresholds.queryInMatch);
  check('containment of b in a', bInA, thresholds.matchInQuery);
  return missed;
}

/** Position of the first byte in which two texts differ, or where one ends; -1 where they are the same. */
function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let from = 0;
  // blocks that are the same are passed over by memcmp: texts may have megabytes
  while (from < length && Buffer.compare(a.subarray(from, from + BLOCK), b.subarray(from, from + BLOCK)) === 0)
    from += BLOCK;
  for (let i = from; i < length; i++) if (a[i] !== b[i]) return i;
  return a.length === b.length ? -1 : length;
}

function quoteBoth(a: Uint8Array, b: Uint8Array, at: number): string {
  return `a has ${quote(a, at)}, b has ${quote(b, at)}.`;
}

/** A few words around byte `at`, in quotes; the words before are the same in both documents. */
function quote(text: Uint8Array, at: number): string {
  let start = at;
  for (let words = 0; start > 0 && words <= WORDS_BEFORE; start--)
    if (text[start - 1]! <= SPACE && ++words > WORDS_BEFORE) break;
  let end = Math.min(at, text.length);
  for (let words = 0; end < text.length && words < WORDS_FROM; end++) if (text[end]! <= SPACE) words++;
  // a word may be megabytes long: quotes stay short all the same
  const from = Math.max(start, at - 2 * QUOTE_CHARACTERS_MAX);
  const to = Math.min(end, at + 2 * QUOTE_CHARACTERS_MAX);
  const before = new TextDecoder().decode(text.subarray(from, at));
  const after = new TextDecoder().decode(text.subarray(at, to)).trimEnd();
  const shown = `${before.slice(-QUOTE_CHARACTERS_MAX / 2)}${after.slice(0, QUOTE_CHARACTERS_MAX / 2)}`.replaceAll(
    '\ufffd',
    '',
  );
  return `${JSON.stringify(shown)}${to >= text.length ? ' and its end' : ''}`;
}
