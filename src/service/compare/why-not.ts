import { likeliestOverlap } from '../../core/compare/estimate.ts';
import { roundShare } from '../../core/compare/shares.ts';
import { findSpellings, type Parting, partingSteps, type Stretch } from '../../core/passages/partings.ts';
import { isSameWord, wordsOf } from '../../core/text/tokens.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { CompareRequest, PairShare, WhyNot } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import { isFeatureSet, unitsOf } from '../document/feature-sets.ts';
import type { Pair } from '../document/pair.ts';
import { hasSameWords, type Query } from '../document/query.ts';
import { type SequencedText, sequenceText } from '../similar/match-passages.ts';

/*
 * Why two documents are not the same: the first step at which they part, from the loosest sameness to the strictest.
 *
 *   threshold ─ they share too little ─ shingles ─ other shingles ─ tokens ─ the same shingles in another sequence
 *             ─ text ─ the same words, written otherwise ─ bytes ─ the same text in other bytes
 *
 * Words are quoted only where the caller gave both documents: nobody learns from an answer what is in the index.
 */

const SHARES: readonly PairShare[] = ['resemblance', 'aInB', 'bInA'];
/** Points at which two documents part that are shown. */
const EXAMPLES_MAX = 3;
/** Words quoted before the difference, and from it on. */
const WORDS_BEFORE = 3;
const WORDS_FROM = 6;
const QUOTE_CHARACTERS_MAX = 160;
/** Bytes compared at once. */
const BLOCK = 64 * 1024;

/** @param isExact whether the pair's figures are */
export async function whyNot(
  context: ServiceContext,
  a: Query,
  b: Query,
  pair: Pair,
  thresholds: CompareRequest['thresholds'],
  isExact: boolean,
): Promise<WhyNot | null> {
  if (a.bytesDigest === b.bytesDigest) return null;
  const texts = await givenTexts(context, a, b);
  if (hasSameWords(a, b)) return { ...whyNotIdentical(a, b, texts), shingles: allOf(a) };
  const partings = texts === null ? [] : await partingsOf(context, ...texts);
  const examples = texts === null ? [] : partings.map((parting) => quoteBoth(texts, parting));
  const parting = partings[0] === undefined ? '' : ` They part at word ${partings[0].a.from + 1}.`;
  if (a.shingleDigest === b.shingleDigest) {
    const detail = `They have the same shingles in another sequence: a has ${words(a.tokenCount)}, b has ${words(b.tokenCount)}.${parting}`;
    return { step: 'tokens', detail, shingles: allOf(a), examples };
  }
  const inBoth = likeliestOverlap(pair.evidence);
  const shingles = {
    inBoth,
    onlyInA: a.shingleCount - inBoth,
    onlyInB: b.shingleCount - inBoth,
    exact: isExact,
  };
  const counted = `${isExact ? '' : 'about '}${shingles.onlyInA} only in a, ${shingles.onlyInB} only in b, ${inBoth} in both`;
  const units = unitsOf(a, b);
  const kinds = isFeatureSet(a) === isFeatureSet(b) ? '' : ' One is a text, the other a set of features.';
  const asked = SHARES.filter((share) => thresholds[share] !== null);
  const missed = asked.filter((share) => pair[share] < thresholds[share]!);
  if (missed.length > 0 && missed.length === asked.length) {
    const below = missed.map((share) => `${share} ${roundShare(pair[share])} is below ${thresholds[share]}`);
    return {
      step: 'threshold',
      detail: `${below.join('; ')}. Of ${units} ${counted}.${kinds}${parting}`,
      shingles,
      examples,
    };
  }
  const detail = `They do not have the same ${units}: ${counted}.${kinds}${parting}`;
  return { step: 'shingles', detail, shingles, examples };
}

/**
 * The first points at which the words of two documents part, where both texts are at hand.
 *
 * @returns `word`: the number of the first word of a that is not in b there, from 1; null where none was found
 */
export async function wordPartings(
  context: ServiceContext,
  a: Query,
  b: Query,
): Promise<{ readonly word: number | null; readonly examples: WhyNot['examples'] }> {
  const texts = await textsAtHand(context, a, b);
  if (texts === null) return { word: null, examples: [] };
  const partings = await partingsOf(context, ...texts);
  const word = partings[0] === undefined ? null : partings[0].a.from + 1;
  return { word, examples: partings.map((parting) => quoteBoth(texts, parting)) };
}

export const words = (count: number) => (count === 1 ? '1 word' : `${count} words`);

function allOf({ shingleCount }: Query): WhyNot['shingles'] {
  return { inBoth: shingleCount, onlyInA: 0, onlyInB: 0, exact: true };
}

/** Two documents with the same words. */
function whyNotIdentical(
  a: Query,
  b: Query,
  texts: readonly [SequencedText, SequencedText] | null,
): Omit<WhyNot, 'shingles'> {
  const textA = a.document?.text ?? null;
  const textB = b.document?.text ?? null;
  if (a.document === null || b.document === null || textA === null || textB === null) {
    const detail = 'Their words are the same, their bytes are not; the index keeps no text to compare.';
    return { step: 'bytes', detail, examples: [] };
  }
  if (isSameText(textA, textB)) {
    const [typeA, typeB] = [a.document, b.document].map(({ mediaType, charset }) => `${mediaType} in ${charset}`);
    const kinds = typeA === typeB ? `Both are ${typeA}` : `a is ${typeA}, b is ${typeB}`;
    const detail = `Their text is the same, their bytes or how they were read are not. ${kinds}.`;
    return { step: 'bytes', detail, examples: [] };
  }
  const detail = 'The words are the same, but not how they are written';
  if (texts === null) return { step: 'text', detail: `${detail}.`, examples: [] };
  const found = findSpellings(...texts, EXAMPLES_MAX);
  const of = texts[0].sequence.tokenStarts.length;
  const part = texts.some(isCut) ? ` of the first ${of}` : ` of ${of}`;
  return {
    step: 'text',
    detail: `${detail}: ${words(found.words)}${part}.`,
    examples: found.partings.map((parting) => quoteBoth(texts, parting)),
  };
}

/** The texts of two documents that the caller gave; else null. */
async function givenTexts(context: ServiceContext, a: Query, b: Query): Promise<[SequencedText, SequencedText] | null> {
  return a.from === 'body' && b.from === 'body' ? textsAtHand(context, a, b) : null;
}

async function textsAtHand(
  context: ServiceContext,
  a: Query,
  b: Query,
): Promise<[SequencedText, SequencedText] | null> {
  const [textA, textB] = [a.document?.text, b.document?.text];
  if (!textA || !textB) return null;
  return [await sequenceText(context, textA), await sequenceText(context, textB)];
}

const isCut = ({ text, of }: SequencedText) => text.length < of;

/** Where two texts with other words part. */
async function partingsOf({ turns }: ServiceContext, a: SequencedText, b: SequencedText): Promise<readonly Parting[]> {
  const wordsA = wordsOf(a.text);
  if (turns.spent()) await turns.next();
  const wordsB = wordsOf(b.text);
  if (turns.spent()) await turns.next();
  const isSame = (i: number, j: number) => isSameWord(wordsA, i, wordsB, j);
  const partings = await inTurns(partingSteps(a.sequence, b.sequence, isSame, EXAMPLES_MAX), turns);
  // the last word of a text that was cut is not what it seems
  const isLost = (text: SequencedText, { from }: Stretch) =>
    isCut(text) && from >= text.sequence.tokenStarts.length - 1;
  return partings.filter((parting) => !isLost(a, parting.a) && !isLost(b, parting.b));
}

function isSameText(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && firstDifference(a, b) === null;
}

/** The first byte at which two texts differ, or one ends; null where they are the same. */
export function firstDifference(a: Uint8Array, b: Uint8Array): number | null {
  const length = Math.min(a.length, b.length);
  // blocks, for memcmp: texts may have megabytes
  for (let from = 0; from < length; from += BLOCK) {
    const to = Math.min(length, from + BLOCK);
    if (Buffer.compare(a.subarray(from, to), b.subarray(from, to)) === 0) continue;
    for (let at = from; at < to; at++) if (a[at] !== b[at]) return at;
  }
  return a.length === b.length ? null : length;
}

function quoteBoth([a, b]: readonly [SequencedText, SequencedText], parting: Parting) {
  return { a: quote(a, parting.a), b: quote(b, parting.b) };
}

/** A few words around a stretch, as the text spells them; the words before it are the same in both documents. */
function quote({ text, sequence: { tokenStarts } }: SequencedText, { from }: Stretch): string {
  const start = from <= WORDS_BEFORE ? 0 : tokenStarts[from - WORDS_BEFORE]!;
  const at = tokenStarts[from] ?? text.length;
  const end = tokenStarts[from + WORDS_FROM] ?? text.length;
  // a word may be megabytes long: quotes stay short all the same
  const decode = (begin: number, stop: number) => new TextDecoder().decode(text.subarray(begin, stop));
  const before = decode(Math.max(start, at - 2 * QUOTE_CHARACTERS_MAX), at);
  const after = decode(at, Math.min(end, at + 2 * QUOTE_CHARACTERS_MAX));
  const half = QUOTE_CHARACTERS_MAX / 2;
  return `${before.slice(-half)}${after.trimEnd().slice(0, half)}`.replaceAll('\ufffd', '').toWellFormed().trim();
}
