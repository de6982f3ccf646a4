import { STEP_VALUES } from '../../core/compare/fingerprint-index.ts';
import { overlapSteps, sampleComparerSteps } from '../../core/compare/sample-comparer.ts';
import { inTurns, type Turns } from '../../sharing/turns.ts';
import type { Content } from '../../store/port.ts';
import type { Direction, MatchOptions } from '../api.ts';
import type { Deadline } from '../deadline.ts';
import { meets, type Pair, pairOf, reaches } from '../document/pair.ts';
import type { Query } from '../document/query.ts';
import type { CursorScope } from './cursor.ts';

/*
 * Candidates -> matches in order. The order of an answer is total, so that a page can begin after the last match of the
 * one before it:
 *
 *   first, second: largest first     sort = resemblance: resemblance, then the larger containment
 *                                    sort = a containment: that one, then resemblance
 *   lexical digest: the query's own first (the words themselves before the same shingles in another sequence), then the
 *                   smallest
 *
 * A position on the wire: first and second as doubles, the digest's 16 bytes.
 */

export interface RankedMatch {
  readonly record: Content;
  readonly pair: Pair;
  readonly position: Position;
}

/** Where a match stands in the order. */
export interface Position {
  readonly first: number;
  readonly second: number;
  readonly lexicalDigest: string;
}

export interface Ranking {
  readonly ranked: readonly RankedMatch[];
  /** Candidates that the deadline left unjudged. */
  readonly unjudged: number;
}

const POSITION_BYTES = 32;

/** @throws the deadline's error where it passed before the first candidate was judged */
export async function rankCandidates(
  query: Query,
  records: readonly Content[],
  { thresholds, undecided, sort }: MatchOptions,
  turns: Turns,
  deadline: Deadline,
): Promise<Ranking> {
  if (records.length === 0) return { ranked: [], unjudged: 0 };
  if (turns.spent()) await turns.next();
  const compare = await inTurns(sampleComparerSteps(query.sample), turns);
  const ranked: RankedMatch[] = [];
  let judged = 0;
  for (const record of records) {
    if (turns.spent()) {
      await turns.next();
      deadline.throwIfGivenUp();
    }
    if (deadline.passed) break;
    const { sample } = record;
    const isLong = sample.values.length > STEP_VALUES;
    const pair = pairOf({
      ...(isLong ? await inTurns(overlapSteps(compare, sample), turns) : compare(sample)),
      shinglesA: query.shingleCount,
      shinglesB: record.shingleCount,
      equalSets: query.shingleDigest === record.shingleDigest,
    });
    if (meets(pair, thresholds) || (undecided === 'include' && reaches(pair, thresholds))) {
      ranked.push({ record, pair, position: positionOf(pair, sort, record.id) });
    }
    judged++;
  }
  if (judged === 0 && records.length > 0) throw deadline.error;
  ranked.sort((a, b) => inOrder(a.position, b.position, query.id));
  return { ranked, unjudged: records.length - judged };
}

/** Negative where `a` comes before `b` in the answer to a query with this lexical digest. */
export function inOrder(a: Position, b: Position, lexicalDigest: string): number {
  if (a.first !== b.first) return b.first - a.first;
  if (a.second !== b.second) return b.second - a.second;
  if (a.lexicalDigest === b.lexicalDigest) return 0;
  if (a.lexicalDigest === lexicalDigest) return -1;
  if (b.lexicalDigest === lexicalDigest) return 1;
  return a.lexicalDigest < b.lexicalDigest ? -1 : 1;
}

/** What must stay the same while a list of matches is paged through: the query, and whatever decides matches and order. */
export function similarCursorScope(query: Query, options: MatchOptions): CursorScope {
  const { thresholds, sort, groupBy, exclude, only, undecided } = options;
  const { resemblance, queryInMatch, matchInQuery } = thresholds;
  const include = [...options.include].sort();
  const binding = JSON.stringify([
    [query.id, query.url, query.sample.modulus],
    [resemblance, queryInMatch, matchInQuery],
    [sort, groupBy, include, exclude.hosts, exclude.urls, undecided],
    [only.hosts, only.urlPrefix, only.meta, only.seenAfter],
  ]);
  return { purpose: 'similar', binding };
}

export function encodePosition({ first, second, lexicalDigest }: Position): Uint8Array {
  const bytes = Buffer.alloc(POSITION_BYTES);
  bytes.writeDoubleBE(first, 0);
  bytes.writeDoubleBE(second, 8);
  bytes.write(lexicalDigest, 16, 'hex');
  return bytes;
}

export function decodePosition(position: Uint8Array): Position {
  const bytes = Buffer.from(position);
  return { first: bytes.readDoubleBE(0), second: bytes.readDoubleBE(8), lexicalDigest: bytes.toString('hex', 16) };
}

function positionOf(pair: Pair, sort: Direction, lexicalDigest: string): Position {
  const { resemblance, aInB, bInA } = pair;
  if (sort === 'resemblance') return { first: resemblance, second: Math.max(aInB, bInA), lexicalDigest };
  return { first: sort === 'queryInMatch' ? aInB : bInA, second: resemblance, lexicalDigest };
}
