import type { SourceRange } from '../../port.ts';
import { reversed, sourceKey, urlOfSourceKey } from '../../source-key.ts';

/*
 * The keys of an index in LevelDB, which sorts them by their bytes: a letter for the table, numbers of fixed width, names.
 *
 *   m                                          -> description                 what the index was made with
 *   n seq:8                                    -> totals after batch seq      the last row is the present state; the rows
 *                                                                             before it are contiguous, or a batch was lost
 *   s source                                   -> source, with its present version, its present and past contents
 *   h source NUL (TIME_MAX - observedAt):8     -> past version                newest first
 *   c content:5                                -> owner, content record       a source that holds it, and what is known of it
 *   r content:5 source                         -> (nothing)                   who holds, or held, it beside its owner
 *   u content:5                                -> how many hold it            where it is not one, whose page shows it
 *   t host NUL hash:6 url                      -> content number              of a live source by which its host is sampled
 *   l lexicalDigest                            -> content number
 *   x pastSince:8 content:5 source             -> (nothing)                   since when a content is past here
 *   d content:5                                -> (nothing)                   forgotten since its row z was written
 *   g                                          -> the list of segments
 *   p segment:4 bucket:4                       -> bucket of postings          bucket = the top bits of a 40-bit fingerprint
 *   q segment:4 fingerprint:6 part:1           -> postings beyond the first K of a list, in order, in parts
 *   z page:5                                   -> shingle counts of contents 4,096 · page …
 *
 *   name:d    an unsigned number as d digits of base 128, most significant first (big-endian), one byte a digit
 *   host      its labels reversed (source-key.ts)
 *   source    reversed host NUL url (source-key.ts), printable ASCII but for the NUL
 *   digest    32 lowercase hex digits
 *
 * Example: content 300 is held by urn:x beside its owner, in hex,
 *   72 | 00 00 00 02 2c | 00 75 72 6e 3a 78            'r', 300 = 2 * 128 + 44, no host, NUL, urn:x
 *
 * Seven bits a byte make every key an ASCII string: JavaScript compares such strings as LevelDB compares their bytes.
 */

export const Table = {
  description: 'm',
  totals: 'n',
  source: 's',
  version: 'h',
  content: 'c',
  holder: 'r',
  holderCounts: 'u',
  hostSample: 't',
  lexicalDigest: 'l',
  past: 'x',
  tombstone: 'd',
  segments: 'g',
  shingleCounts: 'z',
  bucket: 'p',
  overflow: 'q',
} as const;

/** Times and sequence numbers are below this. */
export const TIME_MAX = Number.MAX_SAFE_INTEGER;
/** Contents are numbered 0..CONTENT_NUMBER_MAX. */
export const CONTENT_NUMBER_MAX = 0xffff_ffff;

const HALF = 2 ** 28;
const CONTENT_DIGITS = 5;
const TIME_DIGITS = 8;
const HASH_DIGITS = 6;

/** Every key that begins so, in order: at most `limit`, from the end where `reverse`. */
export interface KeyRange {
  readonly gte: string;
  readonly lt: string;
  readonly limit: number;
  readonly reverse?: boolean;
}

/** U+0080 is the first character above all of ours, in UTF-8 too. */
export const ABOVE = '\u0080';

export const under = (prefix: string, limit: number, reverse = false): KeyRange => ({
  gte: prefix,
  lt: prefix + ABOVE,
  limit,
  reverse,
});

export const descriptionKey: string = Table.description;
export const segmentsKey: string = Table.segments;
export const totalsKey = (seq: number) => Table.totals + digits(seq, TIME_DIGITS);
export const seqOfTotalsKey = (key: string) => numberAt(key, 1, TIME_DIGITS);

export const sourceRowKey = (url: string) => Table.source + sourceKey(url);

/** The keys from one up to another, that one not among them. */
export interface Span {
  readonly gte: string;
  readonly lt: string;
}

/**
 * Where the rows of sources lie that are to be listed, in order. Hosts below one lie apart from its own pages: between them
 * are hosts that go on with what sorts before a dot.
 *
 *   com.example NUL https://example.com/         of example.com
 *   com.example-shop NUL https://…               of none of both
 *   com.example.www NUL https://…                below example.com
 */
export function sourceSpans({ host, subdomains = false, prefix, after }: Omit<SourceRange, 'limit'>): Span[] {
  let spans = [beginningWith(Table.source)];
  if (host !== undefined) {
    const own = Table.source + reversed(host);
    spans = [beginningWith(`${own}\0`), ...(subdomains ? [beginningWith(`${own}.`)] : [])];
  }
  if (prefix !== undefined) spans = within(spans, beginningWith(sourceRowKey(prefix)));
  if (after !== undefined) spans = within(spans, { gte: `${sourceRowKey(after)}\0`, lt: Table.source + ABOVE });
  return spans;
}

const beginningWith = (prefix: string): Span => ({ gte: prefix, lt: prefix + ABOVE });

/** What of each span lies in another one. */
function within(spans: readonly Span[], other: Span): Span[] {
  const parts = spans.map(({ gte, lt }) => ({
    gte: gte > other.gte ? gte : other.gte,
    lt: lt < other.lt ? lt : other.lt,
  }));
  return parts.filter(({ gte, lt }) => gte < lt);
}

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

export const countsKey = (content: number) => Table.holderCounts + digits(content, CONTENT_DIGITS);
export const contentOfCountsKey = (key: string) => numberAt(key, 1, CONTENT_DIGITS);

/** Every row by which a host is sampled begins so. */
export const hostSamplePrefix = (host: string) => `${Table.hostSample}${reversed(host)}\0`;
/** The row by which the host of a source is sampled. @param sourceRow the key of the source's row, which has a host */
export function hostSampleKey(sourceRow: string, hash: number): string {
  const urlAt = sourceRow.indexOf('\0') + 1;
  const host = Table.hostSample + sourceRow.slice(1, urlAt);
  return host + digits(hash, TIME_DIGITS).slice(TIME_DIGITS - HASH_DIGITS) + sourceRow.slice(urlAt);
}
/** Whether a source has a host. @param sourceRow the key of its row */
export const hasHost = (sourceRow: string) => sourceRow.charCodeAt(1) !== 0;

export const lexicalKey = (id: string) => Table.lexicalDigest + id;

export const pastKey = (pastSince: number, content: number, url: string) =>
  Table.past + digits(pastSince, TIME_DIGITS) + digits(content, CONTENT_DIGITS) + sourceKey(url);
/** Everything that is past since `time` or longer. @param time -1 or more */
export const pastSinceBefore = (time: number, limit: number): KeyRange => ({
  gte: Table.past,
  lt: Table.past + digits(time + 1, TIME_DIGITS),
  limit,
});
export const readPastKey = (key: string) => ({
  pastSince: numberAt(key, 1, TIME_DIGITS),
  content: numberAt(key, 1 + TIME_DIGITS, CONTENT_DIGITS),
  url: urlOfSourceKey(key.slice(1 + TIME_DIGITS + CONTENT_DIGITS)),
});

/** Segments and buckets are numbered below 2^28: at a segment a second, for eight years. */
export const BUCKET_BITS_MAX = 28;

/** Every bucket of a segment begins so; made once for many keys. */
export const bucketsPrefix = (segment: number) => digits4(Table.bucket, segment);
export const bucketKey = (prefix: string, bucket: number) => digits4(prefix, bucket);
export const bucketOfKey = (key: string) => numberAt(key, 5, 4);

export const overflowsPrefix = (segment: number) => digits4(Table.overflow, segment);
/** @param part 0..127 */
export function overflowKey(prefix: string, fingerprint: number, part: number): string {
  const low = fingerprint % HALF;
  const high = (fingerprint - low) / HALF;
  return digits4(prefix + String.fromCharCode(high >>> 7, high & 127), low) + String.fromCharCode(part);
}
/** The segment of a key of table p or q. */
export const segmentOfKey = (key: string) => numberAt(key, 1, 4);

export const pageKey = (page: number) => Table.shingleCounts + digits(page, CONTENT_DIGITS);
export const pageOfKey = (key: string) => numberAt(key, 1, CONTENT_DIGITS);

export const deathKey = (content: number) => Table.tombstone + digits(content, CONTENT_DIGITS);
export const contentOfDeathKey = (key: string) => numberAt(key, 1, CONTENT_DIGITS);

const digits4 = (prefix: string, n: number) =>
  prefix + String.fromCharCode(n >>> 21, (n >>> 14) & 127, (n >>> 7) & 127, n & 127);

/** @param width 5 or 8 digits; value below 128^width and 2^53 */
function digits(value: number, width: number): string {
  const low = value % HALF;
  const high = (value - low) / HALF;
  const c = (low >>> 14) & 127;
  const b = (low >>> 7) & 127;
  const a = low & 127;
  const tail = String.fromCharCode(high & 127, low >>> 21, c, b, a);
  if (width === CONTENT_DIGITS) return tail;
  return String.fromCharCode(high >>> 21, (high >>> 14) & 127, (high >>> 7) & 127) + tail;
}

function numberAt(key: string, at: number, width: number): number {
  let value = 0;
  for (let i = at; i < at + width; i++) value = value * 128 + key.charCodeAt(i);
  return value;
}
