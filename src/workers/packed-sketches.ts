import type { MadeRecord } from '../core/coding/made-record.ts';
import { copyBytes, createCopier, createRoom } from '../core/memory/copies.ts';
import type { ProcessedDocument } from './port.ts';

/*
 * Sketches of many documents, and their records, in one buffer:
 *
 *   | 13 doubles | sample | whole set | bits of the main part | posted | encoded of document 0 | 13 doubles | … of 1 | …
 *
 * A fingerprint takes a double, and what is encoded whole ones.
 */

type Sketched = Pick<ProcessedDocument, 'sketch' | 'record'>;

/**
 * Doubles before a sample: its counts of tokens and shingles, its modulus, its size, the four words of the sum in two.
 * Then the size of the whole set behind the sample, -1 where there is none: a fingerprint of it takes a double. Then, of its
 * record, how many fingerprints are posted, and how many bytes are encoded, -1 where there is no record. At last, of its main
 * part, how many shingles it has, -1 where there is none, the bytes of its bits, and the four words of its sum in two.
 */
const NUMBERS = 13;

/** @param spare memory to use where it is large enough */
export function packSketches(documents: readonly Sketched[], spare: ArrayBuffer): ArrayBuffer {
  let count = 0;
  for (const { sketch, record } of documents) {
    count += NUMBERS + sketch.sample.fingerprints.length + wholeSize(sketch) + markedSize(sketch) + recordSize(record);
  }
  const buffer = roomFor(count * DOUBLE_BYTES, spare);
  const { doubles, words, bytes } = viewsOf(buffer);
  let at = 0;
  for (const { sketch, record } of documents) {
    const { tokenCount, shingleCount, sample, shingleSum } = sketch;
    doubles[at] = tokenCount;
    doubles[at + 1] = shingleCount;
    doubles[at + 2] = sample.modulus;
    doubles[at + 3] = sample.fingerprints.length;
    words.set(shingleSum, 2 * (at + 4));
    doubles[at + 6] = sketch.whole === null ? -1 : wholeSize(sketch);
    doubles[at + 7] = record === null ? 0 : record.posted.length;
    doubles[at + 8] = record === null ? -1 : record.encoded.length;
    doubles[at + 9] = sketch.main === null ? -1 : sketch.main.shingleCount;
    doubles[at + 10] = sketch.main === null ? 0 : sketch.main.bits.length;
    if (sketch.main !== null) words.set(sketch.main.shingleSum, 2 * (at + 11));
    at += NUMBERS;
    doubles.set(sample.fingerprints, at);
    at += sample.fingerprints.length;
    if (sketch.whole !== null) words.set(sketch.whole, 2 * at);
    at += wholeSize(sketch);
    if (sketch.main !== null) bytes.set(sketch.main.bits, DOUBLE_BYTES * at);
    at += markedSize(sketch);
    if (record !== null) {
      doubles.set(record.posted, at);
      bytes.set(record.encoded, DOUBLE_BYTES * (at + record.posted.length));
    }
    at += recordSize(record);
  }
  return buffer;
}

const wholeSize = ({ whole }: Sketched['sketch']) => (whole === null ? 0 : whole.length / 2);

const markedSize = ({ main }: Sketched['sketch']) => (main === null ? 0 : Math.ceil(main.bits.length / DOUBLE_BYTES));

const recordSize = (record: MadeRecord | null) =>
  record === null ? 0 : record.posted.length + Math.ceil(record.encoded.length / DOUBLE_BYTES);

const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT;

interface Views {
  readonly doubles: Float64Array;
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
}

function viewsOf(buffer: ArrayBuffer): Views {
  const count = Math.floor(buffer.byteLength / DOUBLE_BYTES);
  return {
    doubles: new Float64Array(buffer, 0, count),
    words: new Uint32Array(buffer, 0, 2 * count),
    bytes: new Uint8Array(buffer),
  };
}

/** Gives one after the other. @param isOurs whether nobody else uses the buffer: then samples are views of it */
export function unpackSketches(buffer: ArrayBuffer, isOurs: boolean): { next(): Sketched } {
  const views = viewsOf(buffer);
  const { doubles, words } = views;
  let at = 0;
  function next(): Sketched {
    const start = at;
    const sample = start + NUMBERS;
    const whole = sample + doubles[start + 3]!;
    const wholeCount = doubles[start + 6]!;
    const marked = whole + Math.max(0, wholeCount);
    const markedBytes = doubles[start + 10]!;
    const record = marked + Math.ceil(markedBytes / DOUBLE_BYTES);
    const mainCount = doubles[start + 9]!;
    const posted = doubles[start + 7]!;
    const encodedBytes = doubles[start + 8]!;
    at = record + posted + Math.ceil(Math.max(0, encodedBytes) / DOUBLE_BYTES);
    return {
      sketch: {
        tokenCount: doubles[start]!,
        shingleCount: doubles[start + 1]!,
        sample: {
          modulus: doubles[start + 2]!,
          fingerprints: isOurs ? doubles.subarray(sample, whole) : doubles.slice(sample, whole),
        },
        shingleSum: words.slice(2 * (start + 4), 2 * (start + 6)),
        whole: wholeCount < 0 ? null : words.slice(2 * whole, 2 * marked),
        main:
          mainCount < 0
            ? null
            : {
                shingleCount: mainCount,
                shingleSum: words.slice(2 * (start + 11), 2 * (start + 13)),
                bits: views.bytes.slice(DOUBLE_BYTES * marked, DOUBLE_BYTES * marked + markedBytes),
              },
      },
      record: encodedBytes < 0 ? null : unpackRecord(views, record, posted, encodedBytes),
    };
  }
  return { next };
}

/** Of records, which are many and soon done with: short ones share memory. */
const copy = createCopier();
const room = createRoom();

function unpackRecord({ doubles, bytes }: Views, at: number, posted: number, encodedBytes: number): MadeRecord {
  const from = DOUBLE_BYTES * (at + posted);
  const encoded = copyBytes(bytes.subarray(from, from + encodedBytes), room);
  return { encoded, posted: copy(doubles, at, at + posted) };
}

/** Memory for so many bytes: the spare one where they fit, else a new one with room for a little more. */
export function roomFor(bytes: number, spare: ArrayBuffer): ArrayBuffer {
  if (bytes <= spare.byteLength) return spare;
  return new ArrayBuffer(Math.max(ROOM_BYTES_LEAST, 2 ** Math.ceil(Math.log2(bytes))));
}

const ROOM_BYTES_LEAST = 4096;
