import {
  createFingerprintIndex,
  type FingerprintIndex,
  fingerprintIndexSteps,
} from '../../core/compare/fingerprint-index.ts';
import { textFragment, titleBytes } from '../../core/passages/passage-link.ts';
import { findPassages, passageText } from '../../core/passages/passages.ts';
import type { ComparedSample } from '../../core/sketch/narrow.ts';
import type { ShingleSequence } from '../../core/sketch/sketch.ts';
import { type CodeUnits, codeUnitSteps } from '../../core/text/code-units.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { LimitReached, Passage } from '../api.ts';
import type { QueryContext, ServiceContext } from '../context.ts';
import type { KnownDocument, Query } from '../document/query.ts';
import type { ShownMatch } from './page.ts';

/*
 * The passages that a query shares with each match shown: the query's own words, so that no text need be stored. They need
 * the query's text, which is at hand where it was given or fetched, not where it is known from the index only.
 */

/** Passages shown of one match: of more the longest are, and a person reads a few. */
const PASSAGES_MAX = 20;
/** A passage that is longer is quoted by its beginning and its end; characters bound words of any length. */
const QUOTED_WORDS_MAX = 100;
export const QUOTED_CHARACTERS_MAX = 2000;
/** Browsers and servers part ways beyond it. */
export const LINK_CHARACTERS_MAX = 2048;

/** A text, or as much of it as is looked at, with its words in order. */
export interface SequencedText {
  readonly text: Uint8Array;
  /** The bytes of the whole. */
  readonly of: number;
  readonly sequence: ShingleSequence;
}

/** The same, whose passages can be told by their places. */
interface PlacedText extends SequencedText {
  readonly units: CodeUnits;
}

/**
 * @returns `found`: passages of the i-th match, null where the deadline came first to so many (`unreached`). Those for which
 *   the answer has no more room are null too, and in `limits`
 */
export async function passagesOf(context: QueryContext, query: Query, shown: readonly ShownMatch[]) {
  const { turns, deadline } = context;
  const whole = query.document?.text ?? null;
  if (whole === null) {
    const { length } = shown;
    const limits = length === 0 ? [] : [{ code: 'passages-need-text', affected: length, of: length } as const];
    return { found: [], unreached: 0, limits };
  }
  const found: (readonly Passage[] | null)[] = [];
  let placed: PlacedText | null = null;
  let [unreached, leftOut, characters] = [0, 0, 0];
  for (const { ranked, list } of shown) {
    if (turns.spent()) await turns.next();
    deadline.throwIfGivenUp();
    if (deadline.passed || characters > context.limits.answerBytesMax) {
      if (characters > context.limits.answerBytesMax) leftOut++;
      else unreached++;
      found.push(null);
      continue;
    }
    placed ??= await placeText(context, whole);
    const passages = sharedPassages(query, placed, ranked.record, linkable(list.sources));
    for (const { text, link } of passages) characters += text.length + (link?.length ?? 0);
    found.push(passages);
  }
  const limits = placed === null ? [] : cutOf(placed);
  if (leftOut > 0) limits.push({ code: 'passages', affected: leftOut, of: shown.length });
  return { found, unreached, limits };
}

export function cutOf({ text, of }: SequencedText): LimitReached[] {
  const affected = of - text.length;
  return affected === 0 ? [] : [{ code: 'passages-text', affected, of }];
}

/** The passages of `a` that are in `b`; null where the text of `a` is not at hand. */
export async function passagesBetween(
  context: ServiceContext,
  a: Query,
  b: Query,
): Promise<{ passages: readonly Passage[] | null; limits: readonly LimitReached[] }> {
  const text = a.document?.text ?? null;
  if (text === null) return { passages: null, limits: [{ code: 'passages-need-text', affected: 1, of: 1 }] };
  const { match } = comparedWith(a, b);
  const index = await inTurns(fingerprintIndexSteps(match), context.turns);
  if (context.turns.spent()) await context.turns.next();
  const placed = await placeText(context, text);
  const passages = sharedPassages(a, placed, b, b.url !== null && isWeb(b.url) ? b.url : null, index);
  return { passages, limits: cutOf(placed) };
}

/** Read on the event loop, so only to a limit: a word that it cuts in two matches nothing. */
export async function sequenceText(
  { limits, sketcher, turns }: Pick<QueryContext, 'limits' | 'sketcher' | 'turns'>,
  whole: Uint8Array,
): Promise<SequencedText> {
  const text = whole.subarray(0, limits.passagesTextBytesMax);
  const sequence = sketcher.sequence(text);
  if (turns.spent()) await turns.next();
  return { text, of: whole.length, sequence };
}

async function placeText(context: Pick<QueryContext, 'limits' | 'sketcher' | 'turns'>, whole: Uint8Array) {
  const sequenced = await sequenceText(context, whole);
  return { ...sequenced, units: await inTurns(codeUnitSteps(sequenced.text), context.turns) };
}

function sharedPassages(
  query: Query,
  { text, sequence, units }: PlacedText,
  other: KnownDocument,
  url: string | null,
  index?: FingerprintIndex,
): Passage[] {
  const { match, modulus } = comparedWith(query, other);
  const passages = findPassages(sequence, index ?? createFingerprintIndex(match), modulus, PASSAGES_MAX);
  const seenFrom = titleBytes(text, query.document?.title ?? null);
  return passages.map((passage) => {
    const quoted = passageText(text, sequence, passage, QUOTED_WORDS_MAX);
    const fragment = url === null ? null : textFragment(text, sequence, passage, seenFrom);
    const link = fragment === null ? null : url + fragment;
    return {
      from: units.before(sequence.tokenStarts[passage.firstToken]!),
      to: units.before(sequence.tokenEnds[passage.lastToken]!),
      tokens: passage.words,
      exact: passage.exact,
      text:
        quoted.length <= QUOTED_CHARACTERS_MAX ? quoted : `${quoted.slice(0, QUOTED_CHARACTERS_MAX).toWellFormed()} …`,
      link: link !== null && link.length <= LINK_CHARACTERS_MAX ? link : null,
    };
  });
}

/** What is known of the other document; of equal sets everything, however little of it was kept. */
export function comparedWith(query: Query, other: KnownDocument): { match: ComparedSample; modulus: number } {
  if (query.shingleDigest === other.shingleDigest) return { match: query.sample, modulus: query.sample.modulus };
  return { match: other.sample, modulus: Math.max(query.sample.modulus, other.sample.modulus) };
}

/** Where a link can lead: the first live page, else the first page. */
export function linkable(sources: ShownMatch['list']['sources']): string | null {
  const pages = sources.filter(({ url }) => isWeb(url));
  return (pages.find(({ state }) => state === 'live') ?? pages[0])?.url ?? null;
}

function isWeb(url: string): boolean {
  return /^https?:/.test(url);
}
