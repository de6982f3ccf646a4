import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBytes } from '../../../src/ingest/unpack/open-bytes.ts';
import { NONE, unpackTinyZstd } from '../../../src/ingest/unpack/tiny-members.ts';
import { streamOf } from '../../support/ingest/archives.ts';

const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
const SKIPPED = Buffer.from('502a4d1803000000616263', 'hex');
const NOTHING = Buffer.alloc(0);

interface Part {
  readonly text: Buffer;
  readonly packed: Buffer;
}

/** Of bytes that cannot be made fewer: a mark in them stands in the member, too. */
const stored = (text: Buffer): Part => ({ text, packed: gzipSync(text, { level: 0 }) });
const PACKINGS: readonly ((text: Buffer) => Part)[] = [
  stored,
  (text) => ({ text, packed: gzipSync(text) }),
  (text) => ({ text, packed: zstdCompressSync(text) }),
  (text) => ({ text, packed: zstdCompressSync(text, CHECKED) }),
];
const BETWEEN: readonly Part[] = [
  { text: NOTHING, packed: SKIPPED },
  { text: NOTHING, packed: Buffer.concat([gzipSync(''), Buffer.alloc(3)]) },
  { text: NOTHING, packed: Buffer.concat([SKIPPED, SKIPPED]) },
];

const read = (bytes: Buffer, from = 0) => Array.fromAsync(openBytes('a.gz', streamOf(bytes, 5000), from).chunks);
const joined = (parts: readonly { readonly bytes: Uint8Array }[]) => Buffer.concat(parts.map(({ bytes }) => bytes));
const packed = (parts: readonly Part[]) => Buffer.concat(parts.map((part) => part.packed));
const textOf = (parts: readonly Part[]) => Buffer.concat(parts.map(({ text }) => text));

describe('members of a few bytes', () => {
  it.each<[string, (text: Buffer) => Part, boolean]>([
    ['of gzip', PACKINGS[1]!, true],
    ['frames without a checksum', PACKINGS[2]!, false],
    ['frames with one', PACKINGS[3]!, true],
  ])('are unpacked together: %s', async (_, pack, isProven) => {
    const parts = Array.from({ length: 5000 }, (__, i) => pack(Buffer.from(`{"url":"u:${i}"}\n`)));
    const chunks = await read(packed(parts));
    expect(joined(chunks)).toEqual(textOf(parts));
    expect(chunks.length).toBeLessThan(50);
    expect(chunks.every((chunk) => chunk.begins && chunk.damage === null && chunk.isProven === isProven)).toBe(true);
    expect(chunks.map(({ end }) => end)).toEqual([...chunks.slice(1).map(({ byte }) => byte), packed(parts).length]);
  });

  it('are read one by one where WebAssembly cannot be loaded', async () => {
    const frame = zstdCompressSync('{}\n');
    const frames = Buffer.concat(Array.from({ length: 50 }, () => frame));
    const frameAt = () => ({ length: frame.length, isSkipped: false, hasChecksum: false });
    const load = () => Promise.reject(new RangeError('WebAssembly.instantiate(): Out of memory'));
    expect((await unpackTinyZstd(frames, frameAt)).length).toBe(frames.length);
    expect(await unpackTinyZstd(frames, frameAt, load)).toEqual(NONE);
  });

  const texts = fc.oneof(
    fc.string({ maxLength: 30 }).map((text) => Buffer.from(text)),
    fc
      .constantFrom('', '\x1f\x8b\x08\x00', '\x1f\x8b\x08'.repeat(20), '\x28\xb5\x2f\xfd')
      .map((text) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ minLength: 300, maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  );
  const member = fc.tuple(fc.constantFrom(...PACKINGS), texts).map(([pack, text]) => pack(text));
  const ofOneKind = fc
    .tuple(fc.constantFrom(...PACKINGS), fc.array(texts, { minLength: 3, maxLength: 40 }))
    .map(([pack, all]) => all.map(pack));
  const runs = fc.array(
    fc.oneof(
      ofOneKind,
      fc.constantFrom(...BETWEEN).map((part) => [part]),
      member.map((part) => [part]),
    ),
    { minLength: 1, maxLength: 8 },
  );
  const parts = fc.tuple(member, runs).map(([first, more]) => [first, ...more.flat()]);

  it('are what they are one by one, wherever reading begins', async () => {
    await fc.assert(
      fc.asyncProperty(parts, async (all) => {
        const bytes = packed(all);
        const chunks = await read(bytes);
        expect(joined(chunks)).toEqual(textOf(all));
        expect(chunks.filter(({ damage }) => damage !== null)).toEqual([]);
        for (const [at, { byte, begins }] of chunks.entries()) {
          if (begins) expect(joined(await read(bytes, byte))).toEqual(joined(chunks.slice(at)));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('are lost only where they are damaged', async () => {
    await fc.assert(
      fc.asyncProperty(parts, fc.nat(), fc.integer({ min: 1, max: 255 }), async (all, where, change) => {
        const hit = 1 + (where % Math.max(1, all.length - 1));
        const bytes = packed(all);
        const at = packed(all.slice(0, hit)).length + (where % (all[hit]?.packed.length ?? 1));
        if (at >= bytes.length) return;
        bytes[at]! ^= change;
        const given = joined(await read(bytes));
        const before = textOf(all.slice(0, hit));
        expect(given.subarray(0, before.length)).toEqual(before);
        // a length that was changed may take the next member with it, and not one more
        const behind = textOf(all.slice(hit + 2));
        expect(given.subarray(given.length - behind.length)).toEqual(behind);
      }),
      { numRuns: 50 },
    );
  });

  it('are unpacked together on both sides of one that is damaged', async () => {
    for (const pack of PACKINGS.slice(1)) {
      const all = Array.from({ length: 5000 }, (_, i) => pack(Buffer.from(`{"url":"u:${i}"}\n`)));
      const bytes = packed(all);
      bytes[packed(all.slice(0, 2500)).length] = 0xff;
      const chunks = await read(bytes);
      expect(joined(chunks)).toEqual(textOf([...all.slice(0, 2500), ...all.slice(2501)]));
      expect(chunks.filter(({ damage }) => damage !== null)).toHaveLength(1);
      expect(chunks.length).toBeLessThan(150);
    }
  });
});
