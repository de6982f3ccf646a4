import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnpackedChunk } from '../../../src/ingest/port.ts';
import { openBytes } from '../../../src/ingest/unpack/open-bytes.ts';
import { hasProgram, type ProgramName, SystemProgram } from '../../../src/ingest/unpack/system-program.ts';
import { streamOf } from '../../support/ingest/archives.ts';
import { packedBy } from '../../support/ingest/programs.ts';

const MIB = 2 ** 20;

const read = (bytes: Buffer, from = 0, name = '-') =>
  Array.fromAsync(openBytes(name, streamOf(bytes, 50_000), from).chunks);
const joined = (chunks: readonly UnpackedChunk[]) => Buffer.concat(chunks.map(({ bytes }) => bytes));
const damageOf = (chunks: readonly UnpackedChunk[]) => chunks.flatMap(({ damage }) => damage ?? []);

/** Each large enough, packed, to be a member. */
const TEXTS = Array.from({ length: 4 }, () => randomBytes(140_000).toString('base64'));
const TEXT = Buffer.from(TEXTS.join(''));
const STREAMS = TEXTS.map((text) => packedBy('bzip2', text, ['-1']));
const XZ = packedBy('xz', TEXT, ['-0', '--block-size=65536']);

describe('bytes that a program unpacks', () => {
  it.each<[string, Buffer]>([
    ['bzip2', packedBy('bzip2', TEXT)],
    ['streams of bzip2, as of pbzip2', Buffer.concat(STREAMS)],
    [
      'tiny streams of bzip2, and empty ones',
      Buffer.concat([packedBy('bzip2', ''), ...STREAMS, packedBy('bzip2', '')]),
    ],
    ['xz of many blocks', XZ],
    [
      'streams of xz, and zeros',
      Buffer.concat([packedBy('xz', TEXTS[0]!), Buffer.alloc(8), packedBy('xz', TEXTS.slice(1).join(''))]),
    ],
    ['xz with a check of another kind', packedBy('xz', TEXT, ['-0', '--check=sha256'])],
  ])('are the same: %s', async (_, bytes) => {
    const chunks = await read(bytes);
    expect(joined(chunks).equals(TEXT)).toBe(true);
    expect(damageOf(chunks)).toEqual([]);
    expect(chunks[0]).toMatchObject({ byte: 0, begins: true });
  });

  it('may be xz in xz, which lies there as it is', async () => {
    const inner = packedBy('xz', TEXTS[0]!);
    expect(joined(await read(packedBy('xz', inner))).equals(inner)).toBe(true);
  });

  it('can be read from where each stream of bzip2 begins', async () => {
    const chunks = await read(Buffer.concat(STREAMS));
    const places = chunks.filter(({ begins }) => begins).map(({ byte }) => byte);
    const lengths = STREAMS.map(({ length }) => length);
    expect(places).toEqual(lengths.map((_, i) => lengths.slice(0, i).reduce((sum, length) => sum + length, 0)));
    for (const [i, byte] of places.entries()) {
      expect(joined(await read(Buffer.concat(STREAMS), byte)).toString()).toBe(TEXTS.slice(i).join(''));
    }
  });

  it('are found again behind a damaged stream of bzip2, also if it is the first', async () => {
    for (const damaged of [0, 1, 3]) {
      const streams = STREAMS.map((stream, i) => (i === damaged ? Buffer.from(stream).fill(0, 200, 300) : stream));
      const chunks = await read(Buffer.concat(streams));
      expect(damageOf(chunks)).toEqual([expect.stringMatching(/^a stream of bzip2 \(bzip2: .*\) at byte \d+; /)]);
      const text = joined(chunks).toString();
      for (const [i, sound] of TEXTS.entries()) expect(text.includes(sound)).toBe(i !== damaged);
    }
    const headless = Buffer.concat([randomBytes(3000), ...STREAMS.slice(1)]);
    const chunks = await read(headless, 0, 'x.bz2');
    expect(damageOf(chunks)).toEqual(['something that is not packed by bzip2 at byte 0; reading goes on at byte 3000']);
    expect(joined(chunks).toString()).toBe(TEXTS.slice(1).join(''));
  });

  it.each<[ProgramName, Buffer]>([
    ['bzip2', packedBy('bzip2', TEXT, ['-1'])],
    ['xz', XZ],
  ])('give what is before a cut, or before damage, and say so: %s', async (name, bytes) => {
    const cut = await read(bytes.subarray(0, Math.floor(bytes.length / 2)));
    expect(damageOf(cut)).toEqual([
      expect.stringMatching(new RegExp(`^a stream of ${name} \\(${name}: .*end.*\\) at byte 0; `)),
    ]);
    expect(joined(cut).length).toBeGreaterThan(50_000);
    expect(TEXT.subarray(0, joined(cut).length).equals(joined(cut))).toBe(true);
    const middle = Math.floor(bytes.length / 2);
    const changed = Buffer.from(bytes).fill(0, middle, middle + 100);
    const damaged = await read(changed);
    expect(damageOf(damaged)).toHaveLength(1);
    expect(joined(damaged).subarray(0, 50_000).equals(TEXT.subarray(0, 50_000))).toBe(true);
  });

  it('are given up where they are a bomb, or want more memory than xz may have', async () => {
    const bomb = Buffer.concat(Array<Buffer>(20).fill(packedBy('bzip2', Buffer.alloc(4 * MIB))));
    let length = 0;
    const damage: string[] = [];
    for await (const chunk of openBytes('-', streamOf(bomb)).chunks) {
      length += chunk.bytes.length;
      damage.push(...damageOf([chunk]));
    }
    expect(damage).toEqual([expect.stringMatching(/unpacks to more than 500 times its size/)]);
    expect(length).toBeLessThan(66 * MIB);
    const large = await read(packedBy('xz', 'a', ['--lzma2=dict=1GiB']));
    expect(damageOf(large)).toEqual([expect.stringMatching(/Memory usage limit/)]);
  });

  it('whatever is changed in them, end, with damage named', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(XZ, Buffer.concat(STREAMS)),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.uint8Array({ minLength: 1, maxLength: 40 }),
        async (bytes, share, junk) => {
          const changed = Buffer.from(bytes);
          const at = Math.floor(share * bytes.length);
          changed.set(junk.subarray(0, bytes.length - at), at);
          const chunks = await read(changed);
          // junk in a head may make it plain, and padding of bits may be anything
          const isSame = joined(chunks).equals(TEXT) || joined(chunks).equals(changed);
          expect(isSame || damageOf(chunks).length > 0).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('end no process that was left in the middle of them', async () => {
    const chunks = openBytes('-', streamOf(packedBy('bzip2', TEXT))).chunks;
    for await (const chunk of chunks) {
      expect(chunk.bytes.length).toBeGreaterThan(0);
      break;
    }
  });

  it('are unreadable where the program is not installed, which is said', async () => {
    const name = 'no-such-program' as ProgramName;
    expect([await hasProgram('xz'), await hasProgram(name)]).toEqual([true, false]);
    const chunks = new SystemProgram(name, 'unpack', streamOf(XZ)).chunks();
    await expect(chunks.next()).rejects.toMatchObject({
      code: 'input-unreadable',
      message: expect.stringMatching(/no program no-such-program to unpack it/),
    });
  });

  it('fail with what reading them fails with', async () => {
    async function* failing() {
      yield XZ.subarray(0, 1000);
      throw Object.assign(new Error('gone'), { code: 'EIO' });
    }
    await expect(Array.fromAsync(openBytes('-', failing()).chunks)).rejects.toMatchObject({ code: 'EIO' });
  });
});
