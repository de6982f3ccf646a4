import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { NewContent } from '../../src/store/port.ts';
import type { Sketches } from '../support/store/store-sketches.ts';

/*
 * Ready sketches in a file, so that nobody has to make them while they are loaded:
 *
 *   tokenCount  shingleCount  createdAt  modulus  count | id:16 shingleDigest:16 | fingerprints …      doubles, 8 bytes each
 */

const NUMBERS = 5;
const DIGESTS = 4;
const DOUBLE_BYTES = 8;
const HEAD_BYTES = (NUMBERS + DIGESTS) * DOUBLE_BYTES;
const CHUNK_BYTES = 2 ** 20;
const fileIn = (folder: string) => join(folder, 'sketches.bin');

/** Writes the first `count` sketches of a collection. */
export async function writeSketches(folder: string, sketches: Sketches, count: number): Promise<void> {
  const file = createWriteStream(fileIn(folder), { highWaterMark: CHUNK_BYTES });
  for (let i = 0; i < count; i++) {
    if (!file.write(bytesOf(sketches.content(i)))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

function bytesOf({ id, shingleDigest, tokenCount, shingleCount, createdAt, sample }: NewContent): Buffer {
  const { modulus, fingerprints } = sample;
  const doubles = new Float64Array(NUMBERS + DIGESTS + fingerprints.length);
  doubles.set([tokenCount, shingleCount, createdAt, modulus, fingerprints.length]);
  doubles.set(fingerprints, NUMBERS + DIGESTS);
  const bytes = Buffer.from(doubles.buffer);
  bytes.write(id + shingleDigest, NUMBERS * DOUBLE_BYTES, 'hex');
  return bytes;
}

/** The first `count` of them, in batches of `batch`. */
export async function* readSketches(
  folder: string,
  count: number,
  batch: number,
): AsyncGenerator<NewContent[], void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let left = count;
  let contents: NewContent[] = [];
  for await (const chunk of createReadStream(fileIn(folder), { highWaterMark: CHUNK_BYTES })) {
    // memory of its own, in which doubles lie where they may
    const bytes: Buffer = Buffer.from(new ArrayBuffer(rest.length + (chunk as Buffer).length));
    rest.copy(bytes);
    (chunk as Buffer).copy(bytes, rest.length);
    let at = 0;
    for (let end = endOf(bytes, at); end <= bytes.length; end = endOf(bytes, at)) {
      contents.push(contentOf(bytes, at));
      at = end;
      if (--left > 0 && contents.length < batch) continue;
      yield contents;
      if (left === 0) return;
      contents = [];
    }
    rest = bytes.subarray(at);
  }
}

const doublesOf = (bytes: Buffer, at: number, count: number) => new Float64Array(bytes.buffer, at, count);

/** Where the sketch that begins there ends; beyond all bytes where that cannot be told yet. */
function endOf(bytes: Buffer, at: number): number {
  if (at + HEAD_BYTES > bytes.length) return Number.POSITIVE_INFINITY;
  return at + HEAD_BYTES + doublesOf(bytes, at, NUMBERS)[NUMBERS - 1]! * DOUBLE_BYTES;
}

function contentOf(bytes: Buffer, at: number): NewContent {
  const [tokenCount, shingleCount, createdAt, modulus, length] = doublesOf(bytes, at, NUMBERS) as unknown as number[];
  const idAt = at + NUMBERS * DOUBLE_BYTES;
  return {
    id: bytes.toString('hex', idAt, idAt + 16),
    shingleDigest: bytes.toString('hex', idAt + 16, idAt + 32),
    tokenCount: tokenCount!,
    shingleCount: shingleCount!,
    main: null,
    createdAt: createdAt!,
    sample: { modulus: modulus!, fingerprints: doublesOf(bytes, at + HEAD_BYTES, length!) },
  };
}
