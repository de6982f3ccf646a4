import type { IndexDescription, Meta, SourceState, VersionChange } from '../../port.ts';
import { urlOfSourceKey } from '../../source-key.ts';
import { ValueReader, ValueWriter } from './value-bytes.ts';
import {
  type Again,
  codeOfState,
  isBeforeMain,
  isBeforeSketches,
  readAgain,
  readChange,
  stateOf,
  writeAgain,
  writeChange,
} from './version-values.ts';

/*
 * What the rows of an index say (their keys: keys.ts; how fields become bytes: value-bytes.ts), field by field in the order
 * in which they are written. A format version in the description covers all of them.
 */

export const FORMAT_VERSION = 9;
/**
 * The oldest format whose rows are read. Of formats 4 and 5 the states say it: their versions have no sketches and are seen
 * once. Before format 7 there are no rows of how many hold a content. Before format 8 it is not known what of a content is its
 * main text. Before format 9 postings are others (core/query/record-sample.ts). An index of an older format is not written
 * before it says that it has the present one (migrate.ts). A build of its own time may open it until then.
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
  /** It was last seen before format 8: it may be unknown what of its present content is main. */
  readonly isUnread: boolean;
  readonly present: Hold;
  /** By lastSeen, latest first, as far as they were in that order when the last one came. */
  readonly past: readonly PastHold[];
  /** The present version: when it began, and the status that it began with. The rest of it is what the source is now. */
  readonly since: number;
  readonly sinceHttpStatus: number | null;
  readonly again: readonly Again[];
  /** null where the one before it is not known, or had the same words. */
  readonly sinceChange: VersionChange | null;
  /** With the present one. */
  readonly versionCount: number;
  /** Of what was before, nothing is known any more, nor wanted: its versions were too many. */
  readonly forgottenBefore: number;
}

export function sealSource(key: string, row: SourceRow): Buffer {
  const { observedAt } = row;
  // most are spelled as they are named, and were seen once
  const writer = new ValueWriter()
    .varint(observedAt)
    .text(row.spelling === urlOfSourceKey(key) ? null : row.spelling)
    .byte(codeOfState(row.state, row.isUnread))
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
  writeAgain(writer, row.since, row.again).varint(row.forgottenBefore);
  return writeChange(writer, row.sinceChange).seal(key);
}

export function openSource(key: string, value: Buffer): SourceRow {
  const reader = new ValueReader(key, value);
  const observedAt = reader.varint();
  const spelling = reader.text() ?? urlOfSourceKey(key);
  const code = reader.byte();
  const row = {
    observedAt,
    spelling,
    state: stateOf(key, code),
    httpStatus: reader.varint() || null,
    firstSeen: reader.time(observedAt),
    lastSeen: reader.time(observedAt),
    finalUrl: reader.text(),
    meta: metaOf(reader.text()),
    contentId: reader.digest(),
    isUnread: isBeforeMain(code),
    since: reader.time(observedAt),
    sinceHttpStatus: reader.varint() || null,
    versionCount: reader.varint(),
    present: readHold(reader, observedAt),
    past: [] as PastHold[],
  };
  const pastCount = reader.varint();
  for (let i = 0; i < pastCount; i++) row.past.push({ ...readHold(reader, observedAt), pastSince: reader.varint() });
  if (isBeforeSketches(code)) {
    const again = row.since === observedAt ? [] : [{ at: observedAt, httpStatus: row.httpStatus }];
    return { ...row, again, forgottenBefore: 0, sinceChange: readChange(reader) };
  }
  const again = readAgain(reader, row.since);
  const forgottenBefore = reader.varint();
  const sinceChange = readChange(reader);
  reader.end();
  return { ...row, again, forgottenBefore, sinceChange };
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

const metaOf = (text: string | null): Meta | null => (text === null ? null : (JSON.parse(text) as Meta));
