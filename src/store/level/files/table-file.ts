import { readFileSync } from 'node:fs';
import { ByteReader, Unreadable } from '../format/byte-reader.ts';
import { type Entry, maskedCrc32c } from './log-file.ts';

/*
 * A table file of LevelDB (.ldb): sorted rows in blocks of some 4 KB. Read here without LevelDB, which aborts the process
 * where a block is damaged; so a damaged block costs its own rows and no others.
 *
 *   file     = block* filter metaindex index footer:48
 *   block    = rows restarts, packed or not · kind:1 (0 plain, 1 Snappy) · crc:4, over all before
 *   row      = shared unshared size (varints) key's rest, value       `shared` bytes are those of the key before
 *   key      = the row's key · kind:1 (1 put, 0 deleted) sequence:7   equal keys: the newest first
 *   index    = a block whose rows say, for every block, where it lies, under a key that is not below its last one
 *   filter   = bits that say which keys are not in a block; the one row of the metaindex, also a block, says where it lies
 *   footer   = where they lie: metaindex and index · magic:8
 */

const FOOTER_BYTES = 48;
const TRAILER_BYTES = 5;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

interface Handle {
  readonly offset: number;
  readonly size: number;
}

interface BlockHandle extends Handle {
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
  private readonly blocks: readonly BlockHandle[];

  private constructor(path: string, blocks: readonly BlockHandle[]) {
    this.path = path;
    this.blocks = blocks;
  }

  /** Reads the index. @throws Unreadable where that is damaged: all rows of the file are lost then */
  static open(path: string): TableFile {
    const bytes = readFileSync(path);
    return new TableFile(path, handlesIn(bytes, footerOf(bytes).index));
  }

  /** All rows with keys in gte..lt, in order; `onLost` is told of blocks that cannot be read. */
  *rows(gte: string, lt: string, onLost: (range: LostRange) => void): Generator<Entry> {
    const handles = this.handlesWithin(gte, lt);
    if (handles.length === 0) return;
    const bytes = readFileSync(this.path);
    for (const { handle, from } of handles) {
      let rows: Entry[];
      try {
        rows = rowsOf(blockAt(bytes, handle)).map(entryOf);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        onLost({ from, to: handle.lastKey });
        continue;
      }
      for (const entry of rows) if (entry.key >= gte && entry.key < lt) yield entry;
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
  for (const handle of [...handlesIn(bytes, metaindex), ...handlesIn(bytes, index)]) {
    checkBlock(bytes, handle);
    yield;
  }
}

/** @throws Unreadable */
function footerOf(bytes: Buffer): { metaindex: Handle; index: Handle } {
  const footerAt = bytes.length - FOOTER_BYTES;
  if (footerAt < 0 || !bytes.subarray(-MAGIC.length).equals(MAGIC)) throw new Unreadable('it has no footer');
  const footer = new ByteReader(bytes, footerAt);
  return { metaindex: placeOf(footer), index: placeOf(footer) };
}

const placeOf = (reader: ByteReader): Handle => ({ offset: reader.varint(), size: reader.varint() });

/** What the rows of a block say of others. @throws Unreadable */
function handlesIn(bytes: Buffer, block: Handle): BlockHandle[] {
  return rowsOf(blockAt(bytes, block)).map(({ key, value }) => ({
    lastKey: key.slice(0, -8),
    ...placeOf(new ByteReader(value)),
  }));
}

/** @throws Unreadable */
function blockAt(bytes: Buffer, handle: Handle): Buffer {
  checkBlock(bytes, handle);
  const end = handle.offset + handle.size;
  const block = bytes.subarray(handle.offset, end);
  return bytes[end] === 1 ? unpackSnappy(block) : block;
}

/** @throws Unreadable */
function checkBlock(bytes: Buffer, { offset, size }: Handle): void {
  const end = offset + size;
  if (end + TRAILER_BYTES > bytes.length) throw new Unreadable('a block lies outside of its file');
  if (bytes.readUInt32LE(end + 1) !== maskedCrc32c(bytes, offset, end + 1)) {
    throw new Unreadable('the checksum of a block does not fit');
  }
  if (bytes[end]! > 1) throw new Unreadable('a block is packed in an unknown way');
}

/** @throws Unreadable */
function rowsOf(block: Buffer): { key: string; value: Buffer }[] {
  if (block.length < 4) throw new Unreadable('a block is too short');
  const end = block.length - 4 * (1 + block.readUInt32LE(block.length - 4));
  if (end < 0) throw new Unreadable('a block has too many restarts');
  const reader = new ByteReader(block, 0, end);
  const rows: { key: string; value: Buffer }[] = [];
  let key = '';
  while (!reader.done) {
    const shared = reader.varint();
    const unshared = reader.varint();
    const size = reader.varint();
    if (shared > key.length) throw new Unreadable('a key goes on from one that is shorter');
    key = key.slice(0, shared) + reader.take(unshared).toString('latin1');
    if (key.length < 8) throw new Unreadable('a key has no sequence number');
    rows.push({ key, value: reader.take(size) });
  }
  return rows;
}

function entryOf({ key, value }: { key: string; value: Buffer }): Entry {
  const at = key.length - 8;
  let sequence = 0;
  for (let i = 7; i >= 1; i--) sequence = sequence * 256 + key.charCodeAt(at + i);
  return { key: key.slice(0, at), sequence, value: key.charCodeAt(at) === 1 ? value : null };
}

/*
 * Snappy, in which LevelDB packs a block where that makes it smaller.
 *
 *   packed   = length varint, then elements
 *   literal  = tag 00, bytes as they are            length in the tag, or in the 1..4 bytes after it
 *   copy     = tag 01, 10, 11: length and distance  of what was unpacked before; it may run into itself
 */

/** @throws Unreadable */
function unpackSnappy(packed: Buffer): Buffer {
  const reader = new ByteReader(packed);
  const length = reader.varint();
  if (length > UNPACKED_BYTES_MAX) throw new Unreadable('a block is too large');
  const out = Buffer.alloc(length);
  let at = 0;
  while (!reader.done) {
    const tag = reader.byte();
    const kind = tag & 3;
    if (kind === 0) {
      const bytes = reader.take(literalLength(tag, reader));
      if (at + bytes.length > length) throw new Unreadable('a block is longer than it says');
      bytes.copy(out, at);
      at += bytes.length;
      continue;
    }
    const size = kind === 1 ? 4 + ((tag >>> 2) & 7) : 1 + (tag >>> 2);
    const distance =
      kind === 1
        ? ((tag >>> 5) << 8) | reader.byte()
        : reader.take(kind === 2 ? 2 : 4).readUIntLE(0, kind === 2 ? 2 : 4);
    if (distance === 0 || distance > at || at + size > length) throw new Unreadable('a block copies from nowhere');
    for (const end = at + size; at < end; at++) out[at] = out[at - distance]!;
  }
  if (at !== length) throw new Unreadable('a block is shorter than it says');
  return out;
}

function literalLength(tag: number, reader: ByteReader): number {
  const short = tag >>> 2;
  if (short < 60) return short + 1;
  const width = short - 59;
  return 1 + reader.take(width).readUIntLE(0, width);
}
