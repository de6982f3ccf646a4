import {
  decodeCompared,
  decodeComparedSteps,
  decodeSample,
  decodeSampleSteps,
  encodedValues,
  encodeSample,
} from '../../../core/coding/sample-codec.ts';
import { bitBytes } from '../../../core/sketch/main-marks.ts';
import type { Sample } from '../../../core/sketch/modulus.ts';
import type { ComparedSample, KeptSample } from '../../../core/sketch/narrow.ts';
import type { Content, ContentHead, ContentRef, MainPart } from '../../port.ts';
import { numberOfContentKey } from './keys.ts';
import { unreadable, ValueReader, ValueWriter } from './value-bytes.ts';

/*
 * The row of a content: the source that owns it, what is known of it, and its sample (core/coding/sample-codec.ts). Holders
 * beside the owner have rows of their own. Whoever reads a row has number and owner as the locator of the content, so that
 * nothing need be looked up again to name its holders.
 *
 *   locator    "4711 https://www.example.com/a"    the number of the content, and the URL of its owner
 *
 *   row        owner   id   digest of shingles   tokens   n   created at   main   sample   bits
 *   main       WHOLE                                        all of it is main: there are no bits
 *              PART   main shingles   digest of the words   there is a bit for each value of the sample, in its order
 *              nothing                                      it is not known, as before format 8: the sample begins with log2 m
 */

const WHOLE = 0x40;
const PART = 0x41;

export const locatorOf = (number: number, owner: string) => `${number} ${owner}`;

/** The number of the content; none where it has no locator. */
export function numberOfLocator({ locator = '' }: ContentRef): number {
  let number = 0;
  let at = 0;
  // in a fifth of the time that parseInt takes: a cluster asks it of all its members again and again
  for (let digit = locator.charCodeAt(0) - ZERO; digit >= 0 && digit <= 9; digit = locator.charCodeAt(++at) - ZERO) {
    number = 10 * number + digit;
  }
  return at === 0 ? Number.NaN : number;
}

const ZERO = 48;

/** @param content as it was read from its row, or is to be written */
export function ownerOf({ locator }: ContentRef): string {
  if (locator === undefined) throw new Error('A content without an owner is in no row.');
  return locator.slice(locator.indexOf(' ') + 1);
}

export function sealContent(key: string, content: Content<KeptSample>): Buffer {
  const { main } = content;
  const writer = headWriter(ownerOf(content), content).append(encodeSample(content.sample));
  return (main === null || main === 'not-read' ? writer : writer.append(main.bits)).seal(key);
}

/** @param encoded its sample and its bits, as makeRecord has them */
export function sealEncoded(key: string, owner: string, head: ContentHead, encoded: Uint8Array): Buffer {
  return headWriter(owner, head, encoded.length).append(encoded).seal(key);
}

function headWriter(owner: string, head: ContentHead, bytes = 1400): ValueWriter {
  const writer = new ValueWriter(104 + owner.length + bytes)
    .text(owner)
    .digest(head.id)
    .digest(head.shingleDigest)
    .varint(head.tokenCount)
    .varint(head.shingleCount)
    .varint(head.createdAt);
  const { main } = head;
  if (main === 'not-read') return writer;
  return main === null ? writer.byte(WHOLE) : writer.byte(PART).varint(main.shingleCount).digest(main.lexicalDigest);
}

export function openContent(key: string, value: Buffer): Content<KeptSample> {
  const row = readRow(key, value);
  return opened(row, decodeSample(row.encoded));
}

/** The same in steps of some 10 ms at the most. */
export function* openContentSteps(key: string, value: Buffer): Generator<undefined, Content<KeptSample>> {
  const row = readRow(key, value);
  return opened(row, yield* decodeSampleSteps(row.encoded));
}

/** As much of it as is compared. @param isKept it outlives the query @throws ShingledError `index-unreadable` */
export function openCompared(key: string, value: Buffer, isKept: boolean): Content {
  const row = readRow(key, value);
  return opened(row, decodeCompared(row.encoded, isKept));
}

/** {@link openCompared} in steps of some 10 ms at the most; what it gives is kept. */
export function* openComparedSteps(key: string, value: Buffer): Generator<undefined, Content> {
  const row = readRow(key, value);
  return opened(row, yield* decodeComparedSteps(row.encoded));
}

/** All but the sample. */
export function openHead(key: string, value: Buffer): ContentHead {
  const reader = new ValueReader(key, value);
  readOwner(reader);
  return readHead(reader);
}

/** The owner alone. */
export const openOwner = (key: string, value: Buffer): string => readOwner(new ValueReader(key, value));

const readOwner = (reader: ValueReader) => reader.text() ?? '';

function readHead(reader: ValueReader): ContentHead {
  return {
    id: reader.digest(),
    shingleDigest: reader.digest(),
    tokenCount: reader.varint(),
    shingleCount: reader.varint(),
    createdAt: reader.varint(),
    main: readMain(reader),
  };
}

function readMain(reader: ValueReader): MainPart | 'not-read' | null {
  const kind = reader.peek();
  if (kind < WHOLE) return 'not-read';
  reader.byte();
  return kind === WHOLE ? null : { shingleCount: reader.varint(), lexicalDigest: reader.digest() };
}

interface Row {
  readonly key: string;
  readonly owner: string;
  readonly head: ContentHead;
  readonly encoded: Buffer;
  readonly bits: Buffer | null;
}

/** @throws ShingledError `index-unreadable` */
function readRow(key: string, value: Buffer): Row {
  const reader = new ValueReader(key, value);
  const owner = readOwner(reader);
  const head = readHead(reader);
  const rest = reader.rest();
  if (head.main === null || head.main === 'not-read') return { key, owner, head, encoded: rest, bits: null };
  const at = rest.length - bitBytes(encodedValues(rest));
  if (at < 0) throw unreadable(key);
  return { key, owner, head, encoded: rest.subarray(0, at), bits: rest.subarray(at) };
}

function opened<Of extends Sample | ComparedSample>(
  { key, owner, head, bits }: Row,
  sample: Of | undefined,
): Content<Of> {
  if (sample === undefined) throw unreadable(key);
  const { id, shingleDigest, tokenCount, shingleCount, createdAt, main } = head;
  const marked = main === null || main === 'not-read' ? main : { ...main, bits: new Uint8Array(bits!) };
  const locator = locatorOf(numberOfContentKey(key), owner);
  return { id, shingleDigest, tokenCount, shingleCount, createdAt, main: marked, sample, locator };
}
