import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { ShingledError } from '../../../errors.ts';
import { Unreadable } from '../format/byte-reader.ts';
import { unreadable } from '../format/value-bytes.ts';
import { isPassing } from '../outage/failures.ts';
import { BlockBuilder, MARK, varintAt } from './block-builder.ts';
import { FILTER_NAME, FilterBuilder } from './made/filter-builder.ts';
import { WrittenBlocks } from './made/written-blocks.ts';
import { blockOf, type Handle, rowsOf, TRAILER_BYTES, valueIn } from './table-blocks.ts';
import { FOOTER_BYTES, MAGIC, TableFile } from './table-file.ts';

/*
 * Makes one table file of rows that come in the order of their keys. It is the file that LevelDB would come to
 * (table-file.ts), but that no block is packed, and that a key of the index is the last one of its block.
 *
 *   LevelDB    row ─► log ─► list in memory ─► table file ─► merged with others
 *   here       row ─► table file
 *
 * Cost: .4 to .7 µs a row of 60 bytes; memory for what is written at a time, and 30 bytes and a key a block.
 */

/** As LevelDB has them. */
const BLOCK_BYTES = 4096;
const ROWS_A_RESTART = 16;
/** To hand it over to another thread takes longer than the system takes to copy it. */
const WRITTEN_BYTES = 256 * 1024;

/** What a file is made with, until it is whole. */
interface Making {
  readonly file: number;
  readonly rows: BlockBuilder;
  readonly filter: FilterBuilder;
  readonly waiting: Buffer;
}

/** Of a file that is not whole: where its blocks begin, and where the last one ends. Plain data. */
export interface TableMark {
  readonly offsets: readonly number[];
}

/** A table file that is whole. */
export interface MadeTable {
  readonly path: string;
  readonly bytes: number;
  readonly first: string;
  readonly last: string;
}

export class TableWriter {
  readonly path: string;
  /** null once the file is whole, or given up. */
  private making: Making | null;
  /** Those that are ended. */
  private readonly blocks = new WrittenBlocks();
  private waitingBytes = 0;
  private writtenBytes = 0;
  private first = '';
  private last = '';

  private constructor(path: string, making: Making | null) {
    this.path = path;
    this.making = making;
  }

  /** @param path where nothing is @throws the file system's error, as all methods do */
  static create(path: string): TableWriter {
    return new TableWriter(path, makingOf(openSync(path, 'wx+', 0o600)));
  }

  /** Goes on with a file from its last {@link mark} on. @throws Unreadable where it is not what it was then */
  static reopen(path: string, { offsets }: TableMark): TableWriter {
    const making = makingOf(openSync(path, 'r+'));
    const writer = new TableWriter(path, making);
    try {
      for (const [block, offset] of offsets.slice(0, -1).entries()) {
        const size = offsets[block + 1]! - offset - TRAILER_BYTES;
        making.filter.startBlock(offset);
        for (const { key } of rowsOf(blockOf(making.file, { offset, size }))) {
          writer.last = key.slice(0, -MARK.length);
          if (writer.first === '') writer.first = writer.last;
          making.filter.add(writer.last);
        }
        writer.blocks.push(writer.last, offsets[block + 1]!);
      }
      writer.writtenBytes = offsets.at(-1)!;
      ftruncateSync(making.file, writer.writtenBytes);
      return writer;
    } catch (error) {
      writer.close();
      throw error;
    }
  }

  /** One that is whole, to be read. @throws Unreadable */
  static whole(path: string, bytes: number): TableWriter {
    const writer = new TableWriter(path, null);
    const file = openSync(path, 'r');
    try {
      if (fstatSync(file).size !== bytes) throw new Unreadable('a table has not the size that it had');
    } finally {
      closeSync(file);
    }
    for (const { lastKey, offset, size } of TableFile.open(path).blocks) {
      if (offset !== writer.blocks.places.at(-1))
        throw new Unreadable('blocks of a table are not one behind the other');
      writer.blocks.push(lastKey, offset + size + TRAILER_BYTES);
      writer.last = lastKey;
    }
    writer.writtenBytes = bytes;
    return writer;
  }

  /** The last key; '' if there is none. */
  get lastKey(): string {
    return this.last;
  }

  /** Of the file so far. */
  get bytes(): number {
    return this.end + (this.making?.rows.length ?? 0);
  }

  /** @param key above all before, one byte a character */
  add(key: string, value: Uint8Array): void {
    if (key <= this.last) throw new Error('Rows of a table come in the order of their keys.');
    if (this.last === '') this.first = key;
    this.last = key;
    const making = this.making!;
    const { rows, filter } = making;
    if (rows.rows === 0) filter.startBlock(this.end);
    rows.add(key, value);
    filter.add(key);
    if (rows.length >= BLOCK_BYTES) this.endBlock(making);
  }

  /** A row that was added; undefined where none has the key. @throws Unreadable where the file holds something else */
  get(key: string): Buffer | undefined {
    const { making } = this;
    if (making !== null && making.rows.rows > 0 && key > this.blocks.lastKey) this.endBlock(making);
    const block = this.blocks.find(key);
    if (block === null) return undefined;
    if (making !== null && block.offset + block.size + TRAILER_BYTES > this.writtenBytes) this.write(making);
    const file = making?.file ?? openSync(this.path, 'r');
    try {
      return valueIn(blockOf(file, block), key);
    } finally {
      if (making === null) closeSync(file);
    }
  }

  /** Writes all rows so far: once the file is synced, {@link reopen} goes on from here. */
  mark(): TableMark {
    const making = this.making!;
    if (making.rows.rows > 0) this.endBlock(making);
    this.write(making);
    return { offsets: [...this.blocks.places] };
  }

  /** All rows of a file that was reopened and to which none was added, or of a whole one. @throws Unreadable */
  rows(): Generator<readonly [key: string, value: Buffer], void, undefined> {
    return this.blocks.rows(this.path);
  }

  /** Writes the rest, and closes the file: it is whole, and still to be synced. */
  finish(): MadeTable {
    const making = this.making!;
    if (making.rows.rows > 0) this.endBlock(making);
    const filter = this.append(making, making.filter.finish());
    const names = new BlockBuilder(1, []);
    names.add(FILTER_NAME, packed(filter));
    const metaindex = this.append(making, names.take());
    const places = new BlockBuilder(1, MARK);
    for (const [key, handle] of this.blocks.all()) places.add(key, packed(handle));
    const index = this.append(making, places.take());
    const footer = Buffer.alloc(FOOTER_BYTES);
    Buffer.concat([packed(metaindex), packed(index)]).copy(footer);
    MAGIC.copy(footer, FOOTER_BYTES - MAGIC.length);
    this.append(making, footer);
    this.write(making);
    this.close();
    return { path: this.path, bytes: this.writtenBytes, first: this.first, last: this.last };
  }

  close(): void {
    const { making } = this;
    this.making = null;
    if (making !== null) closeSync(making.file);
  }

  private get end(): number {
    return this.writtenBytes + this.waitingBytes;
  }

  private endBlock(making: Making): void {
    this.append(making, making.rows.take());
    this.blocks.push(this.last, this.end);
  }

  /** @param bytes of a block, with its trailer */
  private append(making: Making, bytes: Buffer): Handle {
    const offset = this.end;
    for (let from = 0; from < bytes.length; ) {
      const part = bytes.subarray(from, from + WRITTEN_BYTES - this.waitingBytes);
      making.waiting.set(part, this.waitingBytes);
      this.waitingBytes += part.length;
      from += part.length;
      if (this.waitingBytes === WRITTEN_BYTES) this.write(making);
    }
    return { offset, size: bytes.length - TRAILER_BYTES };
  }

  private write({ file, waiting }: Making): void {
    for (let done = 0; done < this.waitingBytes; ) {
      done += writeSync(file, waiting, done, this.waitingBytes - done, this.writtenBytes + done);
    }
    this.writtenBytes += this.waitingBytes;
    this.waitingBytes = 0;
  }
}

const makingOf = (file: number): Making => ({
  file,
  rows: new BlockBuilder(ROWS_A_RESTART, MARK),
  filter: new FilterBuilder(),
  waiting: Buffer.allocUnsafe(WRITTEN_BYTES),
});

function packed({ offset, size }: Handle): Buffer {
  const bytes = Buffer.allocUnsafe(20);
  return bytes.subarray(0, varintAt(bytes, varintAt(bytes, 0, offset), size));
}

/** What it means that a file did not give a row: `overloaded` where the system lacked something, else `index-unreadable`. */
export function rowFailure(key: string, cause: unknown): ShingledError {
  if (cause instanceof ShingledError) return cause;
  if (!isPassing(cause)) return unreadable(key, cause);
  const detail = `The system cannot give what a row is read with: ${(cause as Error).message}`;
  return new ShingledError('overloaded', detail, { cause, retryAfterS: 1 });
}

/** Whether the file system said it. */
export const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
/** … when something was to be written. */
export const isOfWriting = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'write';
