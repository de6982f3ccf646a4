import { RANK_COUNT } from '../../core/rank.ts';
import { sourceKey, urlOfSourceKey } from '../source-key.ts';

/*
 * The keys of an index in LevelDB, which sorts them by their bytes: a letter for the table, numbers of fixed width, names.
 *
 *   m                                          -> description                 what the index was made with
 *   n seq:8                                    -> totals after batch seq      the last row is the present state; the rows
 *                                                                             before it are contiguous, or a batch was lost
 *   s source                                   -> source, with its present and past contents
 *   h source NUL (TIME_MAX - observedAt):8     -> version                     newest first
 *   c content:5                                -> content record              IMMUTABLE
 *   r content:5 source                         -> (nothing)                   who holds, or held, a content
 *   l lexicalDigest                            -> content number
 *   g shingleDigest content:5                  -> lexical digest
 *   p fingerprint:6 (rank, content):7          -> 01                          the sorted shingle -> document index
 *   x expiresAt:8 content:5 source             -> (nothing)                   when a past content may go
 *
 *   name:d    an unsigned number as d digits of base 128, most significant first (big-endian), one byte a digit
 *   source    reversed host NUL url (source-key.ts), printable ASCII but for the NUL
 *   digest    32 lowercase hex digits
 *
 * Example: content 300 has fingerprint 5 with rank 2, so its posting is, in hex,
 *   70 | 00 00 00 00 00 05 | 00 00 20 00 00 02 2c          'p', 5, and 2 * 2^32 + 300 = 2 * 128^4 * 16 + 2 * 128 + 44
 *
 * Seven bits a byte make every key an ASCII string: JavaScript compares such strings as LevelDB compares their bytes, and
 * long posting lists come out of LevelDB as strings in half the time of buffers (0.8 against 1.6 µs a key). The price is
 * two bytes a posting. Rank and content are one number so that postings of a list sort by rank, then age.
 */

export const Table = {
  description: 'm',
  totals: 'n',
  source: 's',
  version: 'h',
  content: 'c',
  holder: 'r',
  lexicalDigest: 'l',
  shingleDigest: 'g',
  posting: 'p',
  expiry: 'x',
} as const;

/** Times and sequence numbers are below this. */
export const TIME_MAX = Number.MAX_SAFE_INTEGER;
/** Contents are numbered 0..CONTENT_NUMBER_MAX. */
export const CONTENT_NUMBER_MAX = 0xffff_ffff;

const CONTENTS = 2 ** 32;
const HALF = 2 ** 28;
const FINGERPRINT_DIGITS = 6;
const POSTING_DIGITS = 7;
const CONTENT_DIGITS = 5;
const TIME_DIGITS = 8;

/** Every key that begins so, in order: at most `limit`, from the end where `reverse`. */
export interface KeyRange {
  readonly gte: string;
  readonly lt: string;
  readonly limit: number;
  readonly reverse?: boolean;
}

/** U+0080 is the first character above all of ours, in UTF-8 too. */
const ABOVE = '\u0080';

export const under = (prefix: string, limit: number, reverse = false): KeyRange => ({
  gte: prefix,
  lt: prefix + ABOVE,
  limit,
  reverse,
});

export const descriptionKey: string = Table.description;
export const totalsKey = (seq: number) => Table.totals + digits(seq, TIME_DIGITS);
export const seqOfTotalsKey = (key: string) => numberAt(key, 1, TIME_DIGITS);

export const sourceRowKey = (url: string) => Table.source + sourceKey(url);

export const versionsPrefix = (url: string) => `${Table.version}${sourceKey(url)}\0`;
export const versionKey = (url: string, observedAt: number) =>
  versionsPrefix(url) + digits(TIME_MAX - observedAt, TIME_DIGITS);
export const timeOfVersionKey = (key: string) => TIME_MAX - numberAt(key, key.length - TIME_DIGITS, TIME_DIGITS);
/** The row key of the source that a version key belongs to. */
export const sourceRowOfVersionKey = (key: string) => Table.source + key.slice(1, -(TIME_DIGITS + 1));

export const contentKey = (content: number) => Table.content + digits(content, CONTENT_DIGITS);
export const numberOfContentKey = (key: string) => numberAt(key, 1, CONTENT_DIGITS);

export const holdersPrefix = (content: number) => Table.holder + digits(content, CONTENT_DIGITS);
export const holderKey = (content: number, url: string) => holdersPrefix(content) + sourceKey(url);
export const urlOfHolderKey = (key: string) => urlOfSourceKey(key.slice(1 + CONTENT_DIGITS));
export const contentOfHolderKey = (key: string) => numberAt(key, 1, CONTENT_DIGITS);

export const lexicalKey = (id: string) => Table.lexicalDigest + id;

export const shinglePrefix = (shingleDigest: string) => Table.shingleDigest + shingleDigest;
export const shingleKey = (shingleDigest: string, content: number) =>
  shinglePrefix(shingleDigest) + digits(content, CONTENT_DIGITS);
export const contentOfShingleKey = (key: string) => numberAt(key, key.length - CONTENT_DIGITS, CONTENT_DIGITS);

export const expiryKey = (expiresAt: number, content: number, url: string) =>
  Table.expiry + digits(expiresAt, TIME_DIGITS) + digits(content, CONTENT_DIGITS) + sourceKey(url);
/** Everything that expires at `now` or before. */
export const expiredBy = (now: number, limit: number): KeyRange => ({
  gte: Table.expiry,
  lt: Table.expiry + digits(now + 1, TIME_DIGITS),
  limit,
});
export const readExpiryKey = (key: string) => ({
  expiresAt: numberAt(key, 1, TIME_DIGITS),
  content: numberAt(key, 1 + TIME_DIGITS, CONTENT_DIGITS),
  url: urlOfSourceKey(key.slice(1 + TIME_DIGITS + CONTENT_DIGITS)),
});

export const postingsPrefix = (fingerprint: number) => Table.posting + digits(fingerprint, FINGERPRINT_DIGITS);
/** @param rank 0..65535 */
export const postingKey = (fingerprint: number, rank: number, content: number) =>
  postingsPrefix(fingerprint) + digits(rank * CONTENTS + content, POSTING_DIGITS);

/**
 * The value of every posting: one byte, since classic-level 3.0.0 never frees the copy that it makes of an empty one (its
 * DisposeSliceBuffer skips empty slices): 3.4 KB a document were lost to that.
 */
export const POSTING_VALUE = Buffer.of(1);

/** One posting as read from its key. */
export interface Posting {
  readonly fingerprint: number;
  readonly rank: number;
  readonly content: number;
}

export function readPostingKey(key: string): Posting {
  const place = placeInList(key);
  return {
    fingerprint: numberAt(key, 1, FINGERPRINT_DIGITS),
    rank: Math.floor(place / CONTENTS),
    content: place % CONTENTS,
  };
}

/** rank · 2^32 + content of a posting key, without making an object: lists are long. */
export const placeInList = (key: string) => numberAt(key, 1 + FINGERPRINT_DIGITS, POSTING_DIGITS);

/** Whether a key has the form of a posting: damaged ones may not. */
export const isPostingKey = (key: string) =>
  key.length === 1 + FINGERPRINT_DIGITS + POSTING_DIGITS && placeInList(key) < RANK_COUNT * CONTENTS;

/** @param width 5..8 digits; value below 128^width and 2^53 */
function digits(value: number, width: number): string {
  const low = value % HALF;
  const high = (value - low) / HALF;
  const c = (low >>> 14) & 127;
  const b = (low >>> 7) & 127;
  const a = low & 127;
  const tail = String.fromCharCode(high & 127, low >>> 21, c, b, a);
  if (width === CONTENT_DIGITS) return tail;
  if (width === FINGERPRINT_DIGITS) return String.fromCharCode((high >>> 7) & 127) + tail;
  const head = String.fromCharCode((high >>> 14) & 127, (high >>> 7) & 127);
  return width === POSTING_DIGITS ? head + tail : String.fromCharCode(high >>> 21) + head + tail;
}

function numberAt(key: string, at: number, width: number): number {
  let value = 0;
  for (let i = at; i < at + width; i++) value = value * 128 + key.charCodeAt(i);
  return value;
}
