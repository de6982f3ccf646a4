import { createHmac, timingSafeEqual } from 'node:crypto';
import { ShingledError } from '../../errors.ts';
import type { Direction, MatchOptions } from '../api.ts';
import type { Shares } from '../document/pair.ts';
import { hasSameWords, type KnownDocument, type Query } from '../document/query.ts';

/*
 * Where a page ended, carried by the client. Nothing is kept here, so any replica with the index key continues any list.
 * The order of matches is total, so that a page can begin after the last match of the one before it:
 *
 *   first, second: largest first     sort = resemblance: resemblance, then the larger containment
 *                                    sort = a containment: that one, then resemblance
 *   those with the words of the query, before the same shingles in another sequence
 *   id of the content: smallest first
 *
 * A position of it on the wire: first and second as doubles, the 16 bytes of the id. Another content with the words of
 * the query has a 1 behind that. A cursor:
 *
 *   base64url( position ‖ first 16 bytes of HMAC-SHA-256(cursor key, purpose 00 binding 00 position) )
 *
 * `purpose` keeps the cursors of one call from another's; `binding` is what must be the same when the list goes on (the
 * query's digest and its options). A cursor that was changed, or belongs to another list, is `invalid-cursor`.
 */

const TAG_BYTES = 16;
const POSITION_BYTES = 32;

export interface CursorScope {
  readonly purpose: 'similar' | 'sources' | 'versions' | 'list' | 'hosts' | 'changes' | 'forget';
  readonly binding: string;
}

export function sealCursor(key: Uint8Array, scope: CursorScope, position: Uint8Array): string {
  return Buffer.concat([position, tagOf(key, scope, position)]).toString('base64url');
}

/**
 * @returns the position that was sealed
 * @throws ShingledError `invalid-cursor`
 */
export function openCursor(key: Uint8Array, scope: CursorScope, cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(0, Math.max(0, bytes.length - TAG_BYTES));
  const tag = bytes.subarray(position.length);
  const ours =
    tag.length === TAG_BYTES &&
    timingSafeEqual(tag, tagOf(key, scope, position)) &&
    // the decoder skips what is not base64url: only the one spelling that we gave out counts
    bytes.toString('base64url') === cursor;
  if (!ours) {
    throw new ShingledError('invalid-cursor', 'The cursor was changed, or belongs to another query or other options.', {
      field: 'cursor',
    });
  }
  return position;
}

function tagOf(key: Uint8Array, scope: CursorScope, position: Uint8Array): Buffer {
  const hmac = createHmac('sha256', key).update(`${scope.purpose}\0${scope.binding}\0`).update(position);
  return hmac.digest().subarray(0, TAG_BYTES);
}

/** Where a match stands in the order. */
export interface Position {
  readonly first: number;
  readonly second: number;
  readonly hasWordsOfQuery: boolean;
  readonly id: string;
}

export function positionOf(shares: Shares<number>, sort: Direction, query: Wording, { id, main }: Wording): Position {
  const { resemblance, aInB, bInA } = shares;
  const hasWordsOfQuery = hasSameWords(query, { id, main });
  if (sort === 'resemblance') return { first: resemblance, second: Math.max(aInB, bInA), hasWordsOfQuery, id };
  return { first: sort === 'queryInMatch' ? aInB : bInA, second: resemblance, hasWordsOfQuery, id };
}

type Wording = Pick<KnownDocument, 'id' | 'main'>;

/** Negative where `a` comes before `b` in the answer to a query. */
export function inOrder(a: Position, b: Position): number {
  if (a.first !== b.first) return b.first - a.first;
  if (a.second !== b.second) return b.second - a.second;
  if (a.hasWordsOfQuery !== b.hasWordsOfQuery) return a.hasWordsOfQuery ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** What must stay the same while a list of matches is paged through: the query, and whatever decides matches and order. */
export function similarCursorScope(query: Query, options: MatchOptions): CursorScope {
  const { thresholds, content, sort, groupBy, exclude, only, undecided, thorough } = options;
  const { resemblance, queryInMatch, matchInQuery } = thresholds;
  const include = [...options.include].sort();
  const binding = JSON.stringify([
    [query.id, query.url, query.sample.modulus],
    [resemblance, queryInMatch, matchInQuery],
    [sort, groupBy, include, exclude.hosts, exclude.urls, undecided],
    [only.hosts, only.urlPrefix, only.meta, only.seenAfter],
    // not there at all where it is not asked for: cursors from before there was such a thing go on
    ...(thorough ? ['thorough'] : []),
    ...(content === 'page' ? [] : [content]),
  ]);
  return { purpose: 'similar', binding };
}

/** @param queryId of the content of the query */
export function encodePosition({ first, second, hasWordsOfQuery, id }: Position, queryId: string): Buffer {
  const bytes = Buffer.alloc(POSITION_BYTES + Number(hasWordsOfQuery && id !== queryId), 1);
  bytes.writeDoubleBE(first, 0);
  bytes.writeDoubleBE(second, 8);
  bytes.write(id, 16, 'hex');
  return bytes;
}

export function decodePosition(bytes: Buffer, queryId: string): Position {
  const [first, second] = [bytes.readDoubleBE(0), bytes.readDoubleBE(8)];
  const id = bytes.toString('hex', 16, POSITION_BYTES);
  return { first, second, hasWordsOfQuery: bytes.length > POSITION_BYTES || id === queryId, id };
}
