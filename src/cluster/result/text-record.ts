import { decodeSample, encodeSample } from '../../core/coding/sample-codec.ts';
import type { ReadMarks } from '../../core/content/told-content.ts';
import { bitBytes } from '../../core/sketch/main-marks.ts';
import type { CorpusContent, TextMarks } from '../port.ts';

/*
 * A text of a corpus as bytes, little-endian:
 *
 *   lexical digest : 16   shingle digest : 16   n : 4   length of the record : 4   record
 *   with marks      id : 16   words : 1   main : 4, WHOLE or NOT_READ   a bit for each value, where main is a number
 */

const HEAD_BYTES = 40;
const MARKS_BYTES = 21;
const DIGEST_BYTES = 16;
const WHOLE = 2 ** 32 - 1;
const NOT_READ = 2 ** 32 - 2;

/** Puts a text somewhere, piece by piece; pieces stay as they are until the next one. @returns how many bytes it has */
export function putTextRecord(content: CorpusContent, write: (bytes: Uint8Array) => void): number {
  const record = encodeSample(content.sample);
  write(headOf(content, record.length));
  write(record);
  let size = HEAD_BYTES + record.length;
  const { marks } = content;
  if (marks === undefined) return size;
  write(marksHead(marks));
  size += MARKS_BYTES;
  if (marks.main === null || marks.main === 'not-read') return size;
  const { bits } = marks.main;
  const used = bits.subarray(0, bitBytes(content.sample.values.length));
  write(used);
  return size + used.length;
}

function headOf({ lexicalDigest, shingleDigest, shingleCount }: CorpusContent, length: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(lexicalDigest, 0, 'hex');
  head.write(shingleDigest, DIGEST_BYTES, 'hex');
  head.writeUInt32LE(shingleCount, 32);
  head.writeUInt32LE(length, 36);
  return head;
}

function marksHead({ id, main, hasWords }: TextMarks): Buffer {
  const head = Buffer.alloc(MARKS_BYTES);
  head.write(id, 0, 'hex');
  head[DIGEST_BYTES] = Number(hasWords);
  head.writeUInt32LE(main === null ? WHOLE : main === 'not-read' ? NOT_READ : main.shingleCount, DIGEST_BYTES + 1);
  return head;
}

/**
 * The next text.
 *
 * @param take gives the next `size` bytes, valid until its next call; null if fewer are left
 * @returns null where they are none
 */
export function takeTextRecord(take: (size: number) => Buffer | null, isMarked: boolean): CorpusContent | null {
  const head = take(HEAD_BYTES);
  if (head === null) return null;
  const [lexicalDigest, shingleDigest] = [
    head.toString('hex', 0, DIGEST_BYTES),
    head.toString('hex', DIGEST_BYTES, 32),
  ];
  const shingleCount = head.readUInt32LE(32);
  const record = take(head.readUInt32LE(36));
  const sample = record === null ? undefined : decodeSample(record);
  if (sample === undefined || shingleCount === 0) return null;
  const text = { lexicalDigest, shingleDigest, shingleCount, sample };
  if (!isMarked) return text;
  const marks = takeMarks(take, sample.values.length);
  return marks === null ? null : { ...text, marks };
}

function takeMarks(take: (size: number) => Buffer | null, values: number): TextMarks | null {
  const head = take(MARKS_BYTES);
  if (head === null) return null;
  const [id, hasWords] = [head.toString('hex', 0, DIGEST_BYTES), head[DIGEST_BYTES] === 1];
  const mainCount = head.readUInt32LE(DIGEST_BYTES + 1);
  const main = mainOf(mainCount, mainCount < NOT_READ ? take(bitBytes(values)) : null);
  return main === undefined ? null : { id, main, hasWords };
}

function mainOf(mainCount: number, bits: Buffer | null): ReadMarks | undefined {
  if (mainCount === WHOLE) return null;
  if (mainCount === NOT_READ) return 'not-read';
  return bits === null ? undefined : { shingleCount: mainCount, bits: Uint8Array.from(bits) };
}
