import { decodeValues, encodedCount, encodeValues } from '../../../core/coding/values-codec.ts';
import { bitBytes } from '../../../core/sketch/main-marks.ts';
import type { VersionSketch } from '../../../core/sketch/version-sketch.ts';
import { digestKey } from '../../contents.ts';
import type { SourceState, VersionChange } from '../../port.ts';
import { timeOfVersionKey } from './keys.ts';
import { unreadable, ValueReader, ValueWriter } from './value-bytes.ts';

/*
 * The row of a past version, and what the rows of sources (values.ts) have in common with it. The state says from which format
 * the row is. Of a version from before format 6 nothing is known but when it was first seen, and of what content it was. Of one
 * from before format 8 it is not known what of it is its main text.
 *
 *   sketch   n   key of the set   main   values   bits
 *   main     0   it is not known
 *            1   all of it is main: there are no bits
 *            1 + main shingles   key of the words     there is a bit for each value, in its order
 */

/** That a version was seen once more, after it was first. */
export interface Again {
  readonly at: number;
  readonly httpStatus: number | null;
}

const STATES: readonly SourceState[] = ['live', 'gone'];
/** What is added to the number of a state in formats 6 and 7, and from format 8 on. */
const SKETCHES_FROM = 2;
const MAIN_FROM = 4;

/** @param isUnread of a source: it is not known what of its content is main, as before format 8 */
export const codeOfState = (state: SourceState, isUnread = false): number =>
  (isUnread ? SKETCHES_FROM : MAIN_FROM) + STATES.indexOf(state);

/** Of a row from before format 8. */
export const isBeforeMain = (code: number): boolean => code < MAIN_FROM;

/** Of a row of format 4 or 5. */
export const isBeforeSketches = (code: number): boolean => code < SKETCHES_FROM;

export function stateOf(key: string, code: number): SourceState {
  const state = code < MAIN_FROM + STATES.length ? STATES[code % STATES.length] : undefined;
  if (state === undefined) throw unreadable(key);
  return state;
}

/** A version without what its key says (when it was first seen) and what other rows say (whether its content is kept). */
export interface VersionRow {
  readonly state: SourceState;
  readonly httpStatus: number | null;
  /** Of a gone one, this and what follows are those of the version before it. */
  readonly contentId: string | null;
  readonly bytesDigest: string | null;
  /** null where it is not known: of the present version, whose content is there, and of versions from before format 6. */
  readonly sketch: VersionSketch | null;
  /** Ascending. */
  readonly again: readonly Again[];
}

/** Instead of a digest: nothing is known of what was there. */
const NO_DIGEST = '0'.repeat(32);
const digestOrNull = (digest: string) => (digest === NO_DIGEST ? null : digest);

export function sealVersion(key: string, row: VersionRow): Buffer {
  const writer = new ValueWriter(400)
    .byte(codeOfState(row.state))
    .varint(row.httpStatus ?? 0)
    .digest(row.contentId ?? NO_DIGEST)
    .digest(row.bytesDigest ?? NO_DIGEST);
  writeAgain(writer, timeOfVersionKey(key), row.again);
  const { sketch } = row;
  if (sketch !== null) writeSketch(writer, sketch);
  return writer.seal(key);
}

function writeSketch(writer: ValueWriter, sketch: VersionSketch): void {
  const { shingleCount, setKey, wordsKey, main } = sketch;
  writer.varint(shingleCount).varint(setKey);
  const isPart = main !== null && main !== 'not-read';
  if (isPart) writer.varint(1 + main.shingleCount).varint(wordsKey);
  else writer.varint(main === null ? 1 : 0);
  writer.append(encodeValues(sketch));
  if (isPart) writer.append(main.bits);
}

export function openVersion(key: string, value: Buffer): VersionRow {
  const reader = new ValueReader(key, value);
  const code = reader.byte();
  const head = {
    state: stateOf(key, code),
    httpStatus: reader.varint() || null,
    contentId: digestOrNull(reader.digest()),
    bytesDigest: digestOrNull(reader.digest()),
  };
  // what format 5 has behind it is told of the version before, in whichever order they came
  if (isBeforeSketches(code)) return { ...head, again: [], sketch: null };
  const again = readAgain(reader, timeOfVersionKey(key));
  if (reader.done) return { ...head, again, sketch: null };
  // without a main part a content is named by its words
  const wordsKey = digestKey(head.contentId ?? NO_DIGEST);
  return { ...head, again, sketch: readSketch(key, reader, isBeforeMain(code), wordsKey) };
}

/** @param ofAll the key of the words where all of it is main, or nobody knows */
function readSketch(key: string, reader: ValueReader, isUnread: boolean, ofAll: number): VersionSketch {
  const [shingleCount, setKey] = [reader.varint(), reader.varint()];
  const code = isUnread ? 0 : reader.varint();
  const wordsKey = code > 1 ? reader.varint() : ofAll;
  const rest = reader.rest();
  const end = code > 1 ? rest.length - bitBytes(encodedCount(rest)) : rest.length;
  const sample = end < 0 ? undefined : decodeValues(rest.subarray(0, end));
  if (sample === undefined) throw unreadable(key);
  const whole = code === 1 ? null : 'not-read';
  const main = code > 1 ? { shingleCount: code - 1, bits: new Uint8Array(rest.subarray(end)) } : whole;
  return { shingleCount, setKey, wordsKey, main, ...sample };
}

/** Each as what lies between it and the one before, twice, and 1 more where the status is another one. */
export function writeAgain(writer: ValueWriter, since: number, again: readonly Again[]): ValueWriter {
  writer.varint(again.length);
  let [before, status] = [since, 0];
  for (const { at, httpStatus } of again) {
    const told = httpStatus ?? 0;
    writer.varint((at - before) * 2 + Number(told !== status));
    if (told !== status) writer.varint(told);
    [before, status] = [at, told];
  }
  return writer;
}

export function readAgain(reader: ValueReader, since: number): Again[] {
  const again: Again[] = [];
  let [at, status] = [since, 0];
  for (let left = reader.varint(); left > 0; left--) {
    const code = reader.varint();
    at += Math.floor(code / 2);
    if (code % 2 === 1) status = reader.varint();
    again.push({ at, httpStatus: status || null });
  }
  return again;
}

/**
 * The last field of a row: none where nothing is known, as in every row of format 4. The chance of a false match is written
 * as the bits that were compared (core/compare/sample-comparer.ts): m · sampled A / 2^bits.
 */
export function writeChange(writer: ValueWriter, change: VersionChange | null): ValueWriter {
  if (change === null) return writer;
  const { shinglesA, shinglesB, sampledA, sampledB, shared, falseDensity, modulus, equalSets } = change.evidence;
  return writer
    .varint(change.since)
    .digest(change.from)
    .byte(2 * Math.log2(modulus) + Number(equalSets))
    .byte(sampledA === 0 ? 0 : Math.log2((sampledA * modulus) / falseDensity))
    .varint(shinglesA)
    .varint(shinglesB)
    .varint(sampledA)
    .varint(sampledB)
    .varint(shared);
}

export function readChange(reader: ValueReader): VersionChange | null {
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
  const falseDensity = (counts.sampledA * modulus) / 2 ** bits;
  return { since, from, evidence: { ...counts, falseDensity, modulus, equalSets: code % 2 === 1 } };
}
