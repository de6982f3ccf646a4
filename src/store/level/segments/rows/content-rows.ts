import { crc32 } from 'node:zlib';
import { pageKey } from '../../format/keys.ts';
import type { ContentTable } from '../content-table.ts';

/*
 * The table of shingle counts (content-table.ts) on disk.
 *
 *   z page  -> count:4 x 4,096  crc:4     contents 4,096 · page …, little-endian, 0 = forgotten; CRC-32 over key and counts
 *   d content                             forgotten since its page was written
 *
 * A page is written when its contents are flushed, and again when so many of them have been forgotten since that rows d
 * cost more than it does. There is one for all contents that segments hold. Indexes have pages beyond from before that was so:
 * they count for nothing, until the flush of their contents writes them anew.
 */

export const PAGE_CONTENTS = 4096;

export const pageOf = (content: number) => Math.floor(content / PAGE_CONTENTS);

/** How many pages hold the contents before this one. */
export const pagesBefore = (content: number) => Math.ceil(content / PAGE_CONTENTS);

export function sealPage(table: ContentTable, page: number): Buffer {
  const bytes = Buffer.allocUnsafe(PAGE_CONTENTS * 4 + 4);
  for (let i = 0; i < PAGE_CONTENTS; i++) bytes.writeUInt32LE(table.shingleCount(page * PAGE_CONTENTS + i), i * 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4), crc32(pageKey(page))), PAGE_CONTENTS * 4);
  return bytes;
}

/** Takes the counts of a page, of contents below `before`. @returns whether the page can be believed */
export function openPage(table: ContentTable, page: number, bytes: Buffer, before: number): boolean {
  if (bytes.length !== PAGE_CONTENTS * 4 + 4) return false;
  const crc = crc32(bytes.subarray(0, -4), crc32(pageKey(page)));
  if (crc !== bytes.readUInt32BE(PAGE_CONTENTS * 4)) return false;
  const first = page * PAGE_CONTENTS;
  for (let i = 0; i < PAGE_CONTENTS && first + i < before; i++) table.set(first + i, bytes.readUInt32LE(i * 4));
  return true;
}
