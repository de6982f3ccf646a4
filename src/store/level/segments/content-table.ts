import { crc32 } from 'node:zlib';
import { deathKey, pageKey } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';

/*
 * How many distinct shingles every content has, by its number: what a query needs of each of thousands of contents without
 * reading their records. 0 = forgotten, or never there: such a content's postings count for nothing, wherever they lie.
 *
 *   page = 65,536 x [ count:4 ]   65,536 x [ live:1 bit ]       shared memory: the worker that merges reads it too
 *
 * Whether a content is live is asked for every posting that is read, in no order. Its bits stay in a processor's cache,
 * where the counts of millions of contents do not.
 *
 * Cost: 33 bits a content; O(1).
 */

const PAGE_BITS = 16;
const MEMORY_PAGE = 1 << PAGE_BITS;
const PAGE_MASK = MEMORY_PAGE - 1;
const COUNT_BYTES = MEMORY_PAGE * 4;
const PAGE_BYTES = COUNT_BYTES + MEMORY_PAGE / 8;

/** What the table says of a content with so many shingles: one more, since 0 stands for a forgotten content. */
export const presenceOfCount = (shingleCount: number) => shingleCount + 1;
export const countOfPresence = (presence: number) => presence - 1;

export class ContentTable {
  private readonly buffers: SharedArrayBuffer[] = [];
  private readonly counts: Uint32Array[] = [];
  private readonly live: Int32Array[] = [];

  /** @param shared what {@link shared} of another thread's table gave */
  constructor(shared: readonly SharedArrayBuffer[] = []) {
    for (const buffer of shared) this.addPage(buffer);
  }

  /** Distinct shingles of a content; 0 where it is forgotten or unknown. */
  shingleCount(content: number): number {
    const page = this.counts[content >>> PAGE_BITS];
    return page === undefined ? 0 : page[content & PAGE_MASK]!;
  }

  /** Whether it has any. */
  isLive(content: number): boolean {
    const page = this.live[content >>> PAGE_BITS];
    return page !== undefined && ((page[(content & PAGE_MASK) >>> 5]! >>> (content & 31)) & 1) !== 0;
  }

  /** How many contents below `end` have any. */
  liveBefore(end: number): number {
    let live = 0;
    for (let content = 0; content < end; content++) live += Number(this.isLive(content));
    return live;
  }

  set(content: number, shingleCount: number): void {
    const page = content >>> PAGE_BITS;
    while (this.buffers.length <= page) this.addPage(new SharedArrayBuffer(PAGE_BYTES));
    this.counts[page]![content & PAGE_MASK] = shingleCount;
    const bit = 1 << (content & 31);
    if (shingleCount > 0) this.live[page]![(content & PAGE_MASK) >>> 5]! |= bit;
    else this.live[page]![(content & PAGE_MASK) >>> 5]! &= ~bit;
  }

  /** The memory itself, to be looked at from another thread: it sees what changes in these pages, not pages added later. */
  get shared(): readonly SharedArrayBuffer[] {
    return [...this.buffers];
  }

  get pages(): number {
    return this.buffers.length;
  }

  get bytes(): number {
    return this.buffers.length * PAGE_BYTES;
  }

  private addPage(buffer: SharedArrayBuffer): void {
    this.buffers.push(buffer);
    this.counts.push(new Uint32Array(buffer, 0, MEMORY_PAGE));
    this.live.push(new Int32Array(buffer, COUNT_BYTES));
  }
}

/*
 * The same on disk.
 *
 *   z page  -> count:4 x 4,096  crc:4     contents 4,096 · page …, little-endian, 0 = forgotten; CRC-32 over key and counts
 *   d content                             forgotten since its page was written
 *
 * A page is written when its contents are flushed, and again when so many of them have been forgotten since that rows d
 * cost more than it does. There is one for all contents that segments hold. Indexes have pages beyond from before that was so:
 * they count for nothing, until the flush of their contents writes them anew.
 */

export const PAGE_CONTENTS = 4096;

const pageOf = (content: number) => Math.floor(content / PAGE_CONTENTS);

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

/** A page with so many rows d is written anew: 16 KB instead of them. */
const HEAVY = 256;

/** Contents that were forgotten since their page of shingle counts was written: for each there is a row d. */
export class Deaths {
  private readonly byPage = new Map<number, number[]>();
  private readonly heavy = new Set<number>();
  private total = 0;

  /** Rows d. */
  get count(): number {
    return this.total;
  }

  add(content: number): void {
    const page = pageOf(content);
    const deaths = this.byPage.get(page);
    if (deaths === undefined) this.byPage.set(page, [content]);
    else if (deaths.push(content) >= HEAVY) this.heavy.add(page);
    this.total++;
  }

  /**
   * At most so many pages that are to be written anew: those with many deaths, or with any. None of contents that no segment
   * holds: such a page is written when they are flushed, and before that it counts for nothing.
   */
  pages(most: number, which: 'heavy' | 'any', flushedUpTo: number): number[] {
    const pages = which === 'heavy' ? this.heavy : this.byPage.keys();
    const end = pagesBefore(flushedUpTo);
    return Iterator.from(pages)
      .filter((page) => page < end)
      .take(most)
      .toArray();
  }

  /** The pages that hold contents from..to. */
  static pagesOf(from: number, to: number): number[] {
    const first = pageOf(from);
    return Array.from({ length: pagesBefore(to) - first }, (_, i) => first + i);
  }

  /** Rows that write pages as they are now and delete their rows d, whose contents are taken out of here. */
  take(pages: readonly number[], table: ContentTable): { rows: RowChange[]; contents: number[] } {
    const contents: number[] = [];
    const rows: RowChange[] = [];
    for (const page of pages) {
      rows.push([pageKey(page), sealPage(table, page)]);
      for (const content of this.byPage.get(page) ?? []) {
        rows.push([deathKey(content), null]);
        contents.push(content);
      }
      this.byPage.delete(page);
      this.heavy.delete(page);
    }
    this.total -= contents.length;
    return { rows, contents };
  }
}
