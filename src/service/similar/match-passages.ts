import { type FingerprintIndex, fingerprintIndexSteps } from '../../core/compare/fingerprint-index.ts';
import { textFragment, titleBytes } from '../../core/passages/passage-link.ts';
import { passageText } from '../../core/passages/passage-text.ts';
import { findPassages } from '../../core/passages/passages.ts';
import type { ComparedSample } from '../../core/sketch/narrow.ts';
import type { ShingleSequence } from '../../core/sketch/sketch.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { LimitReached, Passage } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import type { Deadline } from '../deadline.ts';
import type { KnownDocument, Query } from '../document/query.ts';
import type { ShownMatch } from './page.ts';

/*
 * The passages that a query shares with each match shown: the query's own words, so that no text need be stored. They need
 * the query's text, which is at hand where it was given or fetched, not where it is known from the index only.
 *
 * The order of the query's shingles is worked out once a query, on the event loop, so the text is cut at a limit.
 */

/** Passages shown of one match: of more the longest are, and a person reads a few. */
const PASSAGES_MAX = 20;
/** A passage that is longer is quoted by its beginning and its end; characters bound words of any length. */
const QUOTED_WORDS_MAX = 100;
const QUOTED_CHARACTERS_MAX = 2000;
/** Browsers and servers part ways beyond it. */
const LINK_CHARACTERS_MAX = 2048;

export interface PassagesOfMatches {
  /** Passages of the i-th match; null where the deadline came first. */
  readonly found: readonly (readonly Passage[] | null)[];
  readonly unreached: number;
  readonly limits: readonly LimitReached[];
}

/** The text of a query with its shingles in order. */
interface SequencedText {
  readonly text: Uint8Array;
  readonly sequence: ShingleSequence;
}

export async function passagesOf(
  context: ServiceContext,
  query: Query,
  shown: readonly ShownMatch[],
  deadline: Deadline,
): Promise<PassagesOfMatches> {
  const whole = query.document?.text ?? null;
  if (whole === null) {
    const { length } = shown;
    const limits = length === 0 ? [] : [{ code: 'passages-need-text', affected: length, of: length } as const];
    return { found: [], unreached: 0, limits };
  }
  const found: (readonly Passage[] | null)[] = [];
  let sequenced: SequencedText | null = null;
  for (const { ranked, list } of shown) {
    if (context.turns.spent()) await context.turns.next();
    deadline.throwIfGivenUp();
    if (deadline.passed) {
      found.push(null);
      continue;
    }
    if (sequenced === null) {
      sequenced = sequence(context, whole);
      if (context.turns.spent()) await context.turns.next();
    }
    found.push(sharedPassages(query, sequenced, ranked.record, linkable(list.sources)));
  }
  const limits = sequenced === null ? [] : cutOf(whole, sequenced);
  return { found, unreached: found.filter((passages) => passages === null).length, limits };
}

function cutOf(whole: Uint8Array, { text }: SequencedText): LimitReached[] {
  const affected = whole.length - text.length;
  return affected === 0 ? [] : [{ code: 'passages-text', affected, of: whole.length }];
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
  const sequenced = sequence(context, text);
  if (context.turns.spent()) await context.turns.next();
  const passages = sharedPassages(a, sequenced, b, b.url !== null && isWeb(b.url) ? b.url : null, index);
  return { passages, limits: cutOf(text, sequenced) };
}

function sequence(context: ServiceContext, whole: Uint8Array): SequencedText {
  // a word that the limit cuts in two matches nothing
  const text = whole.subarray(0, context.limits.passagesTextBytesMax);
  return { text, sequence: context.sketcher.sequence(text) };
}

function sharedPassages(
  query: Query,
  { text, sequence }: SequencedText,
  other: KnownDocument,
  url: string | null,
  index?: FingerprintIndex,
): Passage[] {
  const { match, modulus } = comparedWith(query, other);
  const passages = findPassages(sequence, match, modulus, {
    ...{ passagesMax: PASSAGES_MAX, ...(index === undefined ? {} : { index }) },
  });
  const seenFrom = titleBytes(text, query.document?.title ?? null);
  return passages.map((passage) => {
    const quoted = passageText(text, sequence, passage, QUOTED_WORDS_MAX);
    const fragment = url === null ? null : textFragment(text, sequence, passage, seenFrom);
    const link = fragment === null ? null : url + fragment;
    return {
      tokens: passage.words,
      exact: passage.exact,
      text:
        quoted.length <= QUOTED_CHARACTERS_MAX ? quoted : `${quoted.slice(0, QUOTED_CHARACTERS_MAX).toWellFormed()} …`,
      link: link !== null && link.length <= LINK_CHARACTERS_MAX ? link : null,
    };
  });
}

/** What is known of the other document; of equal sets everything, however little of it was kept. */
function comparedWith(query: Query, other: KnownDocument): { match: ComparedSample; modulus: number } {
  if (query.shingleDigest === other.shingleDigest) return { match: query.sample, modulus: query.sample.modulus };
  return { match: other.sample, modulus: Math.max(query.sample.modulus, other.sample.modulus) };
}

/** Where a link can lead: the first live page, else the first page. */
function linkable(sources: ShownMatch['list']['sources']): string | null {
  const pages = sources.filter(({ url }) => isWeb(url));
  return (pages.find(({ state }) => state === 'live') ?? pages[0])?.url ?? null;
}

function isWeb(url: string): boolean {
  return /^https?:/.test(url);
}
