import { closeSync, fstatSync, openSync } from 'node:fs';
import { ByteReader, Unreadable } from '../format/byte-reader.ts';
import type { Entry } from './log-file.ts';
import { type BlockRow, blockIn, blockOf, checkBlock, type Handle, handleOf, readAt, rowsOf } from './table-blocks.ts';

/*
 * A table file of LevelDB (.ldb): sorted rows in blocks of some 4 KB. Read here without LevelDB, which aborts the process
 * where a block is damaged; so a damaged block costs its own rows and no others.
 *
 *   file     = block* filter metaindex index footer:48                   a block and its rows: table-blocks.ts
 *   key      = the row's key · kind:1 (1 put, 0 deleted) sequence:7   equal keys: the newest first
 *   index    = a block whose rows say, for every block, where it lies, under a key that is not below its last one
 *   filter   = bits that say which keys are not in a block; the one row of the metaindex, also a block, says where it lies
 *   footer   = where they lie: metaindex and index · magic:8
 */

export const FOOTER_BYTES = 48;
export const MAGIC = Buffer.from('57fb808b247547db', 'hex');

export interface BlockHandle extends Handle {
  /** No key of the block is above it. */
  readonly lastKey: string;
}

/** Rows of a block that could not be read lie between these two. */
export interface LostRange {
  readonly from: string;
  readonly to: string;
}

export class TableFile {
  readonly path: string;
  /** In the order of their keys. */
  readonly blocks: readonly BlockHandle[];

  private constructor(path: string, blocks: readonly BlockHandle[]) {
    this.path = path;
    this.blocks = blocks;
  }

  /** Reads the index. @throws Unreadable where that is damaged: all rows of the file are lost then */
  static open(path: string): TableFile {
    return opened(path, (file) => {
      const footerAt = Math.max(0, fstatSync(file).size - FOOTER_BYTES);
      const { index } = footerOf(readAt(file, footerAt, FOOTER_BYTES));
      return new TableFile(path, handlesIn(blockOf(file, index)));
    });
  }

  /** All rows with keys in gte..lt, in order; `onLost` is told of blocks that cannot be read. */
  *rows(gte: string, lt: string, onLost: (range: LostRange) => void): Generator<Entry> {
    const handles = this.handlesWithin(gte, lt);
    if (handles.length === 0) return;
    const file = openSync(this.path, 'r');
    try {
      for (const { handle, from } of handles) {
        let rows: Entry[];
        try {
          rows = rowsOf(blockOf(file, handle)).map(entryOf);
        } catch (error) {
          if (!(error instanceof Unreadable)) throw error;
          onLost({ from, to: handle.lastKey });
          continue;
        }
        for (const entry of rows) if (entry.key >= gte && entry.key < lt) yield entry;
      }
    } finally {
      closeSync(file);
    }
  }

  private handlesWithin(gte: string, lt: string): { handle: BlockHandle; from: string }[] {
    const handles: { handle: BlockHandle; from: string }[] = [];
    let from = '';
    for (const handle of this.blocks) {
      if (from < lt && handle.lastKey >= gte) handles.push({ handle, from });
      from = handle.lastKey;
    }
    return handles;
  }
}

/** Looks at every block of a file, one after the other. @throws Unreadable where one cannot be believed */
export function* checkBlocks(bytes: Buffer): Generator<void> {
  const { metaindex, index } = footerOf(bytes);
  const all = [metaindex, index].flatMap((handle) => handlesIn(blockIn(bytes, handle)));
  for (const handle of all) {
    checkBlock(bytes, handle);
    yield;
  }
}

/** @param bytes that end with the footer @throws Unreadable */
function footerOf(bytes: Buffer): { metaindex: Handle; index: Handle } {
  const footerAt = bytes.length - FOOTER_BYTES;
  if (footerAt < 0 || !bytes.subarray(-MAGIC.length).equals(MAGIC)) throw new Unreadable('it has no footer');
  const footer = new ByteReader(bytes, footerAt);
  return { metaindex: handleOf(footer), index: handleOf(footer) };
}

/** What the rows of a block say of others. @throws Unreadable */
function handlesIn(block: Buffer): BlockHandle[] {
  return rowsOf(block).map(({ key, value }) => ({ lastKey: key.slice(0, -8), ...handleOf(new ByteReader(value)) }));
}

function opened<T>(path: string, read: (file: number) => T): T {
  const file = openSync(path, 'r');
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}

function entryOf({ key, value }: BlockRow): Entry {
  const at = key.length - 8;
  let sequence = 0;
  for (let i = 7; i >= 1; i--) sequence = sequence * 256 + key.charCodeAt(at + i);
  return { key: key.slice(0, at), sequence, value: key.charCodeAt(at) === 1 ? value : null };
}
