import { closeSync, openSync, writeSync } from 'node:fs';
import { BlockBuilder, MARK, varintAt } from './block-builder.ts';
import { FILTER_NAME, FilterBuilder } from './filter-builder.ts';
import { blockOf, type Handle, TRAILER_BYTES, valueIn } from './table-blocks.ts';
import { FOOTER_BYTES, MAGIC } from './table-file.ts';

/*
 * Makes one table file of rows that come in the order of their keys. It is the file that LevelDB would come to
 * (table-file.ts), but that no block is packed, and that a key of the index is the last one of its block.
 *
 *   LevelDB    row ─► log ─► list in memory ─► table file ─► merged with others
 *   here       row ─► table file
 *
 * Cost: .5 µs a row and 1 ns a byte; memory for what is written at a time, and 30 bytes and a key a block.
 */

/** As LevelDB has them. */
const BLOCK_BYTES = 4096;
const ROWS_A_RESTART = 16;
/** To hand it over to another thread takes longer than the system takes to copy it. */
const WRITTEN_BYTES = 256 * 1024;

/** A table file that is whole. */
export interface MadeTable {
  readonly path: string;
  readonly bytes: number;
  readonly first: string;
  readonly last: string;
}

export class TableWriter {
  readonly path: string;
  /** null once the file is whole. */
  private file: number | null;
  private readonly rows = new BlockBuilder(ROWS_A_RESTART, MARK);
  private readonly filter = new FilterBuilder();
  /** Of blocks that are ended: their last keys, and where they begin; behind these, where the next one does. */
  private readonly lastKeys: string[] = [];
  private readonly offsets: number[] = [0];
  private readonly waiting = Buffer.allocUnsafe(WRITTEN_BYTES);
  private waitingBytes = 0;
  private writtenBytes = 0;
  private first = '';
  private last = '';

  /** @param path where nothing is @throws the file system's error, as all methods do */
  constructor(path: string) {
    this.path = path;
    this.file = openSync(path, 'wx+', 0o600);
  }

  /** Of the file so far. */
  get bytes(): number {
    return this.end + this.rows.length;
  }

  /** @param key above all before, one byte a character */
  add(key: string, value: Uint8Array): void {
    if (key <= this.last) throw new Error('Rows of a table come in the order of their keys.');
    if (this.last === '') this.first = key;
    this.last = key;
    if (this.rows.rows === 0) this.filter.startBlock(this.end);
    this.rows.add(key, value);
    this.filter.add(key);
    if (this.rows.length >= BLOCK_BYTES) this.endBlock();
  }

  /** A row that was added; undefined where none has the key. @throws Unreadable where the file holds something else */
  get(key: string): Buffer | undefined {
    if (this.rows.rows > 0 && key > (this.lastKeys.at(-1) ?? '')) this.endBlock();
    const block = firstNotBelow(this.lastKeys, key);
    if (block === this.lastKeys.length) return undefined;
    if (this.offsets[block + 1]! > this.writtenBytes) this.write();
    const file = this.file ?? openSync(this.path, 'r');
    try {
      return valueIn(blockOf(file, this.blockAt(block)), key);
    } finally {
      if (this.file === null) closeSync(file);
    }
  }

  /** Writes the rest, and closes the file: it is whole, and still to be synced. */
  finish(): MadeTable {
    if (this.rows.rows > 0) this.endBlock();
    const filter = this.append(this.filter.finish());
    const names = new BlockBuilder(1, []);
    names.add(FILTER_NAME, packed(filter));
    const metaindex = this.append(names.take());
    const places = new BlockBuilder(1, MARK);
    for (const [i, key] of this.lastKeys.entries()) places.add(key, packed(this.blockAt(i)));
    const index = this.append(places.take());
    const footer = Buffer.alloc(FOOTER_BYTES + TRAILER_BYTES);
    footer.set(packed(metaindex));
    footer.set(packed(index), packed(metaindex).length);
    footer.set(MAGIC, FOOTER_BYTES - MAGIC.length);
    this.append(footer.subarray(0, FOOTER_BYTES));
    this.write();
    this.close();
    return { path: this.path, bytes: this.writtenBytes, first: this.first, last: this.last };
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }

  private get end(): number {
    return this.writtenBytes + this.waitingBytes;
  }

  private blockAt(block: number): Handle {
    const offset = this.offsets[block]!;
    return { offset, size: this.offsets[block + 1]! - offset - TRAILER_BYTES };
  }

  private endBlock(): void {
    this.lastKeys.push(this.last);
    this.append(this.rows.take());
    this.offsets.push(this.end);
  }

  /** @param bytes of a block, with its trailer */
  private append(bytes: Buffer): Handle {
    const offset = this.end;
    for (let from = 0; from < bytes.length; ) {
      const part = bytes.subarray(from, from + WRITTEN_BYTES - this.waitingBytes);
      this.waiting.set(part, this.waitingBytes);
      this.waitingBytes += part.length;
      from += part.length;
      if (this.waitingBytes === WRITTEN_BYTES) this.write();
    }
    return { offset, size: bytes.length - TRAILER_BYTES };
  }

  private write(): void {
    for (let done = 0; done < this.waitingBytes; ) {
      done += writeSync(this.file!, this.waiting, done, this.waitingBytes - done, this.writtenBytes + done);
    }
    this.writtenBytes += this.waitingBytes;
    this.waitingBytes = 0;
  }
}

function packed({ offset, size }: Handle): Buffer {
  const bytes = Buffer.allocUnsafe(20);
  return bytes.subarray(0, varintAt(bytes, varintAt(bytes, 0, offset), size));
}

/** @param keys ascending @returns their number where all are below */
function firstNotBelow(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the file system said it. */
export const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
/** … when something was to be written. */
export const isOfWriting = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'write';
