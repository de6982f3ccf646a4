import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ShingledError } from '../../../src/errors.ts';
import { CODINGS, type Coding, DecodedBody, WINDOW_BYTES_MAX } from '../../../src/http/bodies/decoded-body.ts';

const ENCODERS: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  zstd: zstdCompressSync,
};
const MIB = 2 ** 20;

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What comes out of pieces, or the code of the error. */
async function decode(pieces: Iterable<Buffer>, coding: Coding, codedBytesMax = 8 * MIB): Promise<Buffer | string> {
  const coded = Object.assign(Readable.from(pieces, { objectMode: false }), { headers: {} });
  const decoded: Buffer[] = [];
  try {
    for await (const piece of new DecodedBody(coded, coding, codedBytesMax, soon)) decoded.push(piece as Buffer);
  } catch (error) {
    return (error as ShingledError).code;
  }
  return Buffer.concat(decoded);
}

describe.each(CODINGS)('a body in %s', (coding) => {
  const encode = ENCODERS[coding];

  it('comes out as it went in, in whatever pieces and frames', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 2000 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        async (parts, cuts) => {
          const coded = Buffer.concat(parts.map((part) => encode(Buffer.from(part))));
          const at = [0, ...cuts.map((cut) => cut % (coded.length + 1)).sort((a, b) => a - b), coded.length];
          const pieces = at.slice(1).map((end, i) => coded.subarray(at[i], end));
          expect(await decode(pieces, coding)).toEqual(Buffer.concat(parts));
        },
      ),
      { numRuns: 150, seed: 1997 },
    );
  });

  it('comes out whole however much it is', async () => {
    const text = Buffer.from(Array.from({ length: 200_000 }, (_, i) => `line ${i * 7919}\n`).join(''));
    const coded = encode(text);
    const pieces = Array.from({ length: Math.ceil(coded.length / 5000) }, (_, i) =>
      coded.subarray(i * 5000, (i + 1) * 5000),
    );
    expect(text.equals((await decode(pieces, coding)) as Buffer)).toBe(true);
  });

  it('is refused where it ends too early, is something else, or something else follows', async () => {
    const coded = encode(Buffer.from('It was the best of times, it was the worst of times'));
    for (let length = 0; length < coded.length; length++) {
      expect(await decode([coded.subarray(0, length)], coding), `${length} bytes`).toBe('invalid-request');
    }
    expect(await decode([Buffer.from('It was the best of times')], coding)).toBe('invalid-request');
    expect(await decode([Buffer.concat([coded, Buffer.from('It was')])], coding)).toBe('invalid-request');
    expect(await decode([coded, Buffer.from('It was')], coding)).toBe('invalid-request');
  });

  it('is refused where it has too many frames, or nothing comes out of all that goes in', async () => {
    const empty = encode(Buffer.alloc(0));
    const frames = (count: number) => [Buffer.concat(Array<Buffer>(count).fill(empty))];
    expect(await decode(frames(300), coding)).toEqual(Buffer.alloc(0));
    expect(await decode(frames(300), coding, 299 * empty.length)).toBe('body-too-large');
    // those of gzip are joined by zlib itself, at no such cost
    expect(await decode(frames(1001), coding)).toEqual(coding === 'gzip' ? Buffer.alloc(0) : 'invalid-request');
  });

  it('is not read before somebody wants it, nor further than he does', async () => {
    const random = Buffer.from(Array.from({ length: 4 * MIB }, (_, i) => (i * i * 31) >> 7));
    const coded = Object.assign(Readable.from([encode(random)], { objectMode: false }), { headers: {} });
    const body = new DecodedBody(coded, coding, 8 * MIB, soon);
    await turn();
    expect(body.receivedBytes).toBe(0);
    body.once('readable', () => {});
    await wait(50);
    expect(body.readableLength).toBeLessThan(200_000);
    body.destroy();
  });
});

describe('a bomb', () => {
  it.each([
    // which cannot do better than 1,032
    ['deflate', 16 * MIB],
    ['zstd', 'body-too-large'],
  ] as const)('of zeros in %s comes to %s', async (coding, outcome) => {
    const decoded = await decode([ENCODERS[coding](Buffer.alloc(16 * MIB))], coding);
    expect(typeof decoded === 'string' ? decoded : decoded.length).toBe(outcome);
  });

  it('may not ask for more memory than the window of RFC 9659', async () => {
    const random = Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * i * 31) >> 3));
    const windowed = (log: number) => {
      const frame = Buffer.from(
        zstdCompressSync(random, {
          params: { [constants.ZSTD_c_contentSizeFlag]: 0, [constants.ZSTD_c_checksumFlag]: 0 },
        }),
      );
      // the frame's header descriptor says nothing but that a window descriptor follows: RFC 8878, 3.1.1.1
      expect(frame[4]! & 0xe3).toBe(0);
      frame[5] = (log - 10) << 3;
      return frame;
    };
    const log = Math.log2(WINDOW_BYTES_MAX);
    expect(await decode([windowed(log)], 'zstd')).toEqual(random);
    expect(await decode([windowed(log + 1)], 'zstd')).toBe('unsupported-media-type');
  });

  it('of bytes that mean nothing ends at the limit of what comes in', async () => {
    // empty stored blocks: RFC 1951, 3.2.4
    const pieces = [Buffer.from([0x78, 0x9c]), ...Array<Buffer>(300).fill(Buffer.from([0, 0, 0, 0xff, 0xff]))];
    expect(await decode(pieces, 'deflate', 10_000)).toBe('invalid-request');
    expect(await decode(pieces, 'deflate', 1000)).toBe('body-too-large');
  });
});

describe('a body that ends with its connection', () => {
  it('is incomplete, at whatever moment', async () => {
    for (const bytes of [0, 1, 20, 5000]) {
      const coded = Object.assign(new PassThrough(), { headers: {} });
      const body = new DecodedBody(coded, 'zstd', MIB, soon);
      const ended = new Promise<ShingledError>((resolve) => body.once('error', resolve as (error: Error) => void));
      body.resume();
      const random = Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * i * 31) >> 5));
      const part = zstdCompressSync(random).subarray(0, bytes);
      coded.write(part);
      await vi.waitUntil(() => body.receivedBytes === part.length, { interval: 1 });
      coded.destroy();
      expect((await ended).code).toBe('body-incomplete');
    }
  });
});
