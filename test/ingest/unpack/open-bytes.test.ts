import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { UnpackedChunk } from '../../../src/ingest/port.ts';
import { openBytes } from '../../../src/ingest/unpack/open-bytes.ts';
import { streamOf } from '../../support/ingest/archives.ts';
import { inFolder } from '../../support/store/level-folder.ts';

const MIB = 2 ** 20;

const read = (bytes: Buffer, from = 0, name = '-') =>
  Array.fromAsync(openBytes(name, streamOf(bytes, 10_000), from).chunks);
const joined = (chunks: readonly UnpackedChunk[]) => Buffer.concat(chunks.map(({ bytes }) => bytes));
const damageOf = (chunks: readonly UnpackedChunk[]) => chunks.flatMap(({ damage }) => damage ?? []);

const TEXTS = Array.from({ length: 40 }, (_, i) => Buffer.from(randomBytes(20 + i * 50).toString('base64')));
const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
const LARGE = Buffer.from(randomBytes(20 * MIB).toString('base64'));
const PLAIN = Buffer.concat(TEXTS);
const MEMBERS = TEXTS.map((text) => gzipSync(text));
const skipped = (bytes: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x18_4d_2a_50, 0);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
};
/** RFC 1952: a name, a comment, an extra field and a checksum of the head. */
function withFullHead(member: Buffer): Buffer {
  const more = Buffer.concat([Buffer.from([3, 0, 1, 2, 3]), Buffer.from('name\0comment\0'), Buffer.from([0, 0])]);
  const head = Buffer.from(member.subarray(0, 10));
  head[3] = 2 + 4 + 8 + 16;
  return Buffer.concat([head, more, member.subarray(10)]);
}

describe('opened bytes', () => {
  it.each<[string, Buffer]>([
    ['plain', PLAIN],
    ['one member', gzipSync(PLAIN)],
    ['members', Buffer.concat(MEMBERS)],
    ['members with full heads', Buffer.concat(MEMBERS.map(withFullHead))],
    ['members, and zeros after them', Buffer.concat([...MEMBERS, Buffer.alloc(200_000)])],
    ['one frame', zstdCompressSync(PLAIN)],
    ['frames', Buffer.concat(TEXTS.map((text) => zstdCompressSync(text)))],
    ['frames, and some to be skipped', Buffer.concat(TEXTS.flatMap((text) => [skipped(text), zstdCompressSync(text)]))],
    [
      'members and frames',
      Buffer.concat(TEXTS.map((text, i) => (i % 2 === 0 ? gzipSync(text) : zstdCompressSync(text)))),
    ],
    ['empty members between', Buffer.concat(MEMBERS.flatMap((member) => [gzipSync(''), member]))],
  ])('are the same: %s', async (_, bytes) => {
    const chunks = await read(bytes);
    expect(joined(chunks).equals(PLAIN)).toBe(true);
    expect(damageOf(chunks)).toEqual([]);
  });

  it('have no chunk for each member without bytes: whoever holds some until there are enough would hold millions', async () => {
    const empty = Buffer.concat(Array.from({ length: 1000 }, () => gzipSync('')));
    const [first, ...others] = MEMBERS as [Buffer, ...Buffer[]];
    const chunks = await read(Buffer.concat([empty, first, empty, ...others, empty]));
    expect(joined(chunks).equals(PLAIN)).toBe(true);
    expect(chunks.length).toBeLessThanOrEqual(1 + MEMBERS.length);
    expect(chunks.every(({ begins }) => begins)).toBe(true);
    expect((await read(empty)).map(({ bytes, begins }) => [bytes.length, begins])).toEqual([[0, true]]);
  });

  it('are empty where the file is', async () => {
    expect(await read(Buffer.alloc(0))).toEqual([]);
  });

  it.each([
    ['gzip', Buffer.concat([gzipSync(LARGE), gzipSync(PLAIN)])],
    ['zstd', Buffer.concat([zstdCompressSync(LARGE, CHECKED), zstdCompressSync(PLAIN)])],
  ])('come piece by piece of members too large for memory: %s', async (_, bytes) => {
    const chunks = await read(bytes);
    expect(joined(chunks).equals(Buffer.concat([LARGE, PLAIN]))).toBe(true);
    expect(Math.max(...chunks.map(({ bytes: { length } }) => length))).toBeLessThan(16 * MIB);
    expect(chunks.filter(({ begins }) => begins)).toHaveLength(2);
    // a cut one gives what is there
    const cut = await read(bytes.subarray(0, 19 * MIB));
    expect(joined(cut).length).toBeGreaterThan(18 * MIB);
    expect(joined(cut).equals(LARGE.subarray(0, joined(cut).length))).toBe(true);
    expect(damageOf(cut)).toHaveLength(1);
    // one whose checksum is another is told, and the next is read
    const changed = Buffer.from(bytes);
    changed[10 * MIB]! ^= 1;
    const [damage] = damageOf(await read(changed));
    expect(damage).toMatch(/^a member of (gzip|zstd) \(.*\) at byte 0; reading goes on at byte \d+$/);
  });

  it('go on where a member or a frame begins', async () => {
    const chunks = await read(Buffer.concat(MEMBERS));
    for (const [i, { byte }] of chunks.entries()) {
      const rest = await read(Buffer.concat(MEMBERS), byte);
      expect(rest).toEqual(chunks.slice(i));
    }
    expect(joined(await read(PLAIN, 12_345)).equals(PLAIN.subarray(12_345))).toBe(true);
  });

  it('are unpacked by the dictionary at the beginning of their file', async () => {
    const dictionary = Buffer.from('some words that all of the frames have in common '.repeat(20));
    const texts = TEXTS.map((text, i) => Buffer.concat([dictionary.subarray(i), text]));
    const head = Buffer.alloc(8);
    head.writeUInt32LE(0x18_4d_2a_5d, 0);
    for (const kept of [dictionary, zstdCompressSync(dictionary)]) {
      head.writeUInt32LE(kept.length, 4);
      const bytes = Buffer.concat([head, kept, ...texts.map((text) => zstdCompressSync(text, { dictionary }))]);
      const chunks = await read(bytes);
      expect(joined(chunks).equals(Buffer.concat(texts))).toBe(true);
      expect(joined(await read(bytes, chunks[9]!.byte)).equals(Buffer.concat(texts.slice(9)))).toBe(true);
    }
  });

  it('are searched for behind damage, also where the file begins with it and only its name says that it is packed', async () => {
    const bytes = Buffer.concat([Buffer.from('rubbish'), ...MEMBERS]);
    const chunks = await read(bytes, 0, 'x.warc.gz');
    expect(joined(chunks).equals(PLAIN)).toBe(true);
    expect(damageOf(chunks)).toEqual(['something that is not packed at byte 0; reading goes on at byte 7']);
    expect(joined(await read(PLAIN, 0, 'plain.gz')).equals(PLAIN)).toBe(true);
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(200 * MIB))],
    ['zstd', zstdCompressSync(Buffer.alloc(200 * MIB))],
    ['gzip, in members that are no bombs', Buffer.concat(Array<Buffer>(20).fill(gzipSync(Buffer.alloc(10 * MIB))))],
  ])('end where they unpack to far more than their size: %s', async (name, bomb) => {
    const pack = name.startsWith('gzip') ? gzipSync : zstdCompressSync;
    let unpacked = 0;
    const damage: string[] = [];
    for await (const chunk of openBytes('-', streamOf(Buffer.concat([bomb, pack('after')]))).chunks) {
      unpacked += chunk.bytes.length;
      if (chunk.damage !== null) damage.push(chunk.damage);
    }
    expect(unpacked).toBeLessThan(71 * MIB);
    expect(damage).toEqual([expect.stringContaining('unpacks to more than 500 times its size')]);
  });

  it('that seem to begin a member at every place are not tried for ever', { timeout: 30_000 }, async () => {
    // stored blocks: each place that looks like a member goes on well for long
    const block = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 239, 255]),
      Buffer.alloc(16),
    ]);
    const bytes = Buffer.concat([...MEMBERS, Buffer.concat(Array<Buffer>(40_000).fill(block)), ...MEMBERS]);
    const chunks = await read(bytes);
    expect(damageOf(chunks)).toHaveLength(1);
    expect(joined(chunks).subarray(0, PLAIN.length).equals(PLAIN)).toBe(true);
  });

  it('of a large sparse file take no more memory than a window', { timeout: 60_000 }, () =>
    inFolder(async (folder) => {
      await mkdir(folder, { recursive: true });
      const path = join(folder, 'sparse');
      await writeFile(path, MEMBERS[0]!);
      const file = await open(path, 'r+');
      await file.truncate(512 * MIB);
      await file.close();
      const before = process.memoryUsage().rss;
      const chunks = await Array.fromAsync(openBytes(path).chunks);
      expect(joined(chunks).equals(TEXTS[0]!)).toBe(true);
      expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
      // the same as a stream
      const part = await Array.fromAsync(openBytes('-', createReadStream(path, { end: 30 * MIB })).chunks);
      expect(joined(part).equals(TEXTS[0]!)).toBe(true);
    }),
  );

  it('throw what the file system throws', async () => {
    await expect(Array.fromAsync(openBytes('/').chunks)).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(Array.fromAsync(openBytes('/no/such/file').chunks)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('say what a checksum has proven', async () => {
    const checked = zstdCompressSync(PLAIN, CHECKED);
    const cases: [Buffer, boolean | undefined][] = [
      [gzipSync(PLAIN), true],
      [checked, true],
      [zstdCompressSync(PLAIN), false],
      [PLAIN, undefined],
    ];
    for (const [bytes, isProven] of cases) expect((await read(bytes))[0]!.isProven).toBe(isProven);
  });
});
