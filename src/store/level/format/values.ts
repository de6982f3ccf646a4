import type { IndexDescription, Meta, SourceState, Version, VersionChange } from '../../port.ts';
import { urlOfSourceKey } from '../../source-key.ts';
import { unreadable, ValueReader, ValueWriter } from './value-bytes.ts';

/*
 * What the rows of an index say (their keys: keys.ts; how fields become bytes: value-bytes.ts), field by field in the order
 * in which they are written. A format version in the description covers all of them.
 */

export const FORMAT_VERSION = 5;
/**
 * The oldest format whose rows are read: one of format 4 is one of format 5 that knows of no change between versions. It is
 * written only once it says itself that it has the present one (migrate.ts): a build of its own time may open it until then.
 */
export const FORMAT_READ_LEAST = 4;

export function sealDescription(key: string, description: IndexDescription): Buffer {
  return new ValueWriter().text(JSON.stringify(description)).seal(key);
}

export function openDescription(key: string, value: Buffer): IndexDescription {
  const text = opened(key, value, (reader) => reader.text());
  // the checksum says that we wrote it; a later format may have other fields, which opening compares
  return JSON.parse(text ?? 'null') as IndexDescription;
}

/** What holds for the whole index after a batch. */
export interface Totals {
  /** The number of the next new content; numbers are never given twice. */
  readonly nextContent: number;
  readonly sources: number;
  readonly contents: number;
  readonly postings: number;
}

export function sealTotals(key: string, totals: Totals): Buffer {
  const { nextContent, sources, contents, postings } = totals;
  return new ValueWriter(40).varint(nextContent).varint(sources).varint(contents).varint(postings).seal(key);
}

export function openTotals(key: string, value: Buffer): Totals {
  return opened(key, value, (reader) => ({
    nextContent: reader.varint(),
    sources: reader.varint(),
    contents: reader.varint(),
    postings: reader.varint(),
  }));
}

/** A content that a source has or had, and when it was seen with it. */
export interface Hold {
  readonly content: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly bytesDigest: string;
  readonly title: string | null;
  readonly language: string | null;
}

export interface PastHold extends Hold {
  /** When it became a past one here, ms: the time in its row of table x. */
  readonly pastSince: number;
}

/** All that is known of a source but its older versions. The other rows about it follow from this one. */
export interface SourceRow {
  readonly spelling: string;
  readonly state: SourceState;
  readonly httpStatus: number | null;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly observedAt: number;
  readonly finalUrl: string | null;
  readonly meta: Meta | null;
  readonly contentId: string;
  readonly present: Hold;
  /** By lastSeen, latest first, as far as they were in that order when the last one came. */
  readonly past: readonly PastHold[];
  /** The present version: when it began, and the status that it began with. The rest of it is what the source is now. */
  readonly since: number;
  readonly sinceHttpStatus: number | null;
  readonly sinceChange: VersionChange | null;
  /** With the present one. */
  readonly versionCount: number;
}

const STATES: readonly SourceState[] = ['live', 'gone'];

export function sealSource(key: string, row: SourceRow): Buffer {
  const { observedAt } = row;
  // most are spelled as they are named, and were seen once
  const writer = new ValueWriter()
    .varint(observedAt)
    .text(row.spelling === urlOfSourceKey(key) ? null : row.spelling)
    .byte(STATES.indexOf(row.state))
    .varint(row.httpStatus ?? 0)
    .time(row.firstSeen, observedAt)
    .time(row.lastSeen, observedAt)
    .text(row.finalUrl)
    .text(row.meta === null ? null : JSON.stringify(row.meta))
    .digest(row.contentId)
    .time(row.since, observedAt)
    .varint(row.sinceHttpStatus ?? 0)
    .varint(row.versionCount);
  writeHold(writer, row.present, observedAt).varint(row.past.length);
  for (const hold of row.past) writeHold(writer, hold, observedAt).varint(hold.pastSince);
  return writeChange(writer, row.sinceChange).seal(key);
}

export function openSource(key: string, value: Buffer): SourceRow {
  const reader = new ValueReader(key, value);
  const observedAt = reader.varint();
  const row = {
    observedAt,
    spelling: reader.text() ?? urlOfSourceKey(key),
    state: stateOf(key, reader.byte()),
    httpStatus: reader.varint() || null,
    firstSeen: reader.time(observedAt),
    lastSeen: reader.time(observedAt),
    finalUrl: reader.text(),
    meta: metaOf(reader.text()),
    contentId: reader.digest(),
    since: reader.time(observedAt),
    sinceHttpStatus: reader.varint() || null,
    versionCount: reader.varint(),
    present: readHold(reader, observedAt),
    past: [] as PastHold[],
  };
  const pastCount = reader.varint();
  for (let i = 0; i < pastCount; i++) row.past.push({ ...readHold(reader, observedAt), pastSince: reader.varint() });
  const sinceChange = readChange(reader);
  reader.end();
  return { ...row, sinceChange };
}

function writeHold(writer: ValueWriter, hold: Hold, observedAt: number): ValueWriter {
  return writer
    .varint(hold.content)
    .time(hold.firstSeen, observedAt)
    .time(hold.lastSeen, observedAt)
    .digest(hold.bytesDigest)
    .text(hold.title)
    .text(hold.language);
}

function readHold(reader: ValueReader, observedAt: number): Hold {
  return {
    content: reader.varint(),
    firstSeen: reader.time(observedAt),
    lastSeen: reader.time(observedAt),
    bytesDigest: reader.digest(),
    title: reader.text(),
    language: reader.text(),
  };
}

/** A version without what its key says (observedAt) and what other rows say (contentKept). */
export type VersionRow = Omit<Version, 'observedAt' | 'contentKept'>;

/** Instead of a digest: nothing is known of what was there. */
const NO_DIGEST = '0'.repeat(32);
const digestOrNull = (digest: string) => (digest === NO_DIGEST ? null : digest);

export function sealVersion(key: string, row: VersionRow): Buffer {
  const writer = new ValueWriter(80)
    .byte(STATES.indexOf(row.state))
    .varint(row.httpStatus ?? 0)
    .digest(row.contentId ?? NO_DIGEST)
    .digest(row.bytesDigest ?? NO_DIGEST);
  return writeChange(writer, row.change).seal(key);
}

export function openVersion(key: string, value: Buffer): VersionRow {
  return opened(key, value, (reader) => ({
    state: stateOf(key, reader.byte()),
    httpStatus: reader.varint() || null,
    contentId: digestOrNull(reader.digest()),
    bytesDigest: digestOrNull(reader.digest()),
    change: readChange(reader),
  }));
}

/**
 * The last field of a row: none where nothing is known, as in every row of format 4. The chance of a false match is written
 * as the bits that were compared (core/compare/sample-comparer.ts): m · sampled A / 2^bits.
 */
function writeChange(writer: ValueWriter, change: VersionChange | null): ValueWriter {
  if (change === null) return writer;
  const { shinglesA, shinglesB, sampledA, sampledB, shared, falseChance, modulus, equalSets } = change.evidence;
  return writer
    .varint(change.since)
    .digest(change.from)
    .byte(2 * Math.log2(modulus) + Number(equalSets))
    .byte(sampledA === 0 ? 0 : Math.log2((sampledA * modulus) / falseChance))
    .varint(shinglesA)
    .varint(shinglesB)
    .varint(sampledA)
    .varint(sampledB)
    .varint(shared);
}

function readChange(reader: ValueReader): VersionChange | null {
  if (reader.done) return null;
  const since = reader.varint();
  const from = reader.digest();
  const code = reader.byte();
  const bits = reader.byte();
  const modulus = 2 ** (code >> 1);
  const counts = {
    shinglesA: reader.varint(),
    shinglesB: reader.varint(),
    sampledA: reader.varint(),
    sampledB: reader.varint(),
    shared: reader.varint(),
  };
  const falseChance = (counts.sampledA * modulus) / 2 ** bits;
  return { since, from, evidence: { ...counts, falseChance, modulus, equalSets: code % 2 === 1 } };
}

export function sealNumber(key: string, content: number): Buffer {
  return new ValueWriter(16).varint(content).seal(key);
}

export function openNumber(key: string, value: Buffer): number {
  return opened(key, value, (reader) => reader.varint());
}

/** A row that is nothing but what is read of it. */
function opened<Row>(key: string, value: Buffer, read: (reader: ValueReader) => Row): Row {
  const reader = new ValueReader(key, value);
  const row = read(reader);
  reader.end();
  return row;
}

function stateOf(key: string, code: number): SourceState {
  const state = STATES[code];
  if (state === undefined) throw unreadable(key);
  return state;
}

const metaOf = (text: string | null): Meta | null => (text === null ? null : (JSON.parse(text) as Meta));
