import { likeliestOverlap } from '../../core/compare/estimate.ts';
import { roundShare } from '../../core/compare/shares.ts';
import { findSpellings, type Parting, partingSteps, type Stretch } from '../../core/passages/partings.ts';
import type { ShingleSequence } from '../../core/sketch/sketch.ts';
import { isSameWord, wordsOf } from '../../core/text/words.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { Difference, Thresholds, WhyNot } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import { meets, type Pair } from '../document/pair.ts';
import type { Query } from '../document/query.ts';

/*
 * Why two documents are not the same: the first step at which they part, from the loosest sameness to the strictest.
 *
 *   threshold ─ they share too little ─ shingles ─ other shingles ─ tokens ─ the same shingles in another sequence
 *             ─ text ─ the same words, written otherwise ─ bytes ─ the same text in other bytes
 *
 * Words are quoted only where the caller gave both documents: nobody learns from an answer what is in the index.
 */

/** Points at which two documents part that are shown. */
const EXAMPLES_MAX = 3;
/** Words quoted before the difference, and from it on. */
const WORDS_BEFORE = 3;
const WORDS_FROM = 6;
const QUOTE_CHARACTERS_MAX = 160;
/** Bytes compared at once. */
const BLOCK = 64 * 1024;

/** A text, or as much of it as is compared, with its words in order. */
interface SequencedText {
  readonly text: Uint8Array;
  readonly isCut: boolean;
  readonly sequence: ShingleSequence;
}

/** @param isExact whether the pair's figures are */
export async function whyNot(
  context: ServiceContext,
  a: Query,
  b: Query,
  pair: Pair,
  thresholds: Thresholds,
  isExact: boolean,
): Promise<WhyNot | null> {
  if (a.bytesDigest === b.bytesDigest) return null;
  const texts = await givenTexts(context, a, b);
  if (a.id === b.id) return { ...whyNotIdentical(a, b, texts), shingles: allOf(a) };
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
  const missed = missedThresholds(pair, thresholds);
  if (missed.length > 0 && !meets(pair, thresholds)) {
    return { step: 'threshold', detail: `${missed.join('; ')}. Of shingles ${counted}.${parting}`, shingles, examples };
  }
  return { step: 'shingles', detail: `They do not have the same shingles: ${counted}.${parting}`, shingles, examples };
}

const words = (count: number) => (count === 1 ? '1 word' : `${count} words`);

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
  const part = texts.some(({ isCut }) => isCut) ? ` of the first ${of}` : ` of ${of}`;
  return {
    step: 'text',
    detail: `${detail}: ${words(found.words)}${part}.`,
    examples: found.partings.map((parting) => quoteBoth(texts, parting)),
  };
}

/** The texts of two documents that the caller gave; else null. They are read on the event loop, so only to a limit. */
async function givenTexts(
  { limits, sketcher, turns }: ServiceContext,
  a: Query,
  b: Query,
): Promise<[SequencedText, SequencedText] | null> {
  const [wholeA, wholeB] = [a.document?.text, b.document?.text];
  if (!wholeA || !wholeB || a.from !== 'body' || b.from !== 'body') return null;
  const read = async (whole: Uint8Array): Promise<SequencedText> => {
    const text = whole.subarray(0, limits.passagesTextBytesMax);
    const sequence = sketcher.sequence(text);
    if (turns.spent()) await turns.next();
    return { text, isCut: text.length < whole.length, sequence };
  };
  return [await read(wholeA), await read(wholeB)];
}

/** Where two texts with other words part. */
async function partingsOf({ turns }: ServiceContext, a: SequencedText, b: SequencedText): Promise<readonly Parting[]> {
  const wordsA = wordsOf(a.text);
  if (turns.spent()) await turns.next();
  const wordsB = wordsOf(b.text);
  if (turns.spent()) await turns.next();
  const isSame = (i: number, j: number) => isSameWord(wordsA, i, wordsB, j);
  const partings = await inTurns(partingSteps(a.sequence, b.sequence, isSame, EXAMPLES_MAX), turns);
  // the last word of a text that was cut is not what it seems
  const isLost = ({ isCut, sequence }: SequencedText, { from }: Stretch) =>
    isCut && from >= sequence.tokenStarts.length - 1;
  return partings.filter((parting) => !isLost(a, parting.a) && !isLost(b, parting.b));
}

function missedThresholds({ resemblance, aInB, bInA }: Pair, thresholds: Thresholds): string[] {
  const missed: string[] = [];
  const check = (name: string, share: number, threshold: number | null) => {
    if (threshold !== null && share < threshold) missed.push(`${name} ${roundShare(share)} is below ${threshold}`);
  };
  check('resemblance', resemblance, thresholds.resemblance);
  check('aInB', aInB, thresholds.queryInMatch);
  check('bInA', bInA, thresholds.matchInQuery);
  return missed;
}

function isSameText(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  // blocks, for memcmp: texts may have megabytes
  for (let from = 0; from < a.length; from += BLOCK)
    if (Buffer.compare(a.subarray(from, from + BLOCK), b.subarray(from, from + BLOCK)) !== 0) return false;
  return true;
}

function quoteBoth([a, b]: readonly [SequencedText, SequencedText], parting: Parting): Difference {
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
