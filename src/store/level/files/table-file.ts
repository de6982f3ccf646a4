import { readFileSync } from 'node:fs';
import { ByteReader, Unreadable } from '../format/byte-reader.ts';
import { maskedCrc32c } from './crc32c.ts';
import type { Entry } from './log-file.ts';
import { unpackSnappy } from './snappy.ts';

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

interface Place {
  readonly offset: number;
  readonly size: number;
}

interface BlockPlace extends Place {
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
  private readonly blocks: readonly BlockPlace[];

  private constructor(path: string, blocks: readonly BlockPlace[]) {
    this.path = path;
    this.blocks = blocks;
  }

  /** Reads the index. @throws Unreadable where that is damaged: all rows of the file are lost then */
  static open(path: string): TableFile {
    const bytes = readFileSync(path);
    return new TableFile(path, placesIn(bytes, footerOf(bytes).index));
  }

  /** Whether there may be keys in gte..lt. */
  meets(gte: string, lt: string): boolean {
    return this.placesWithin(gte, lt).length > 0;
  }

  /** All rows with keys in gte..lt, in order; `onLost` is told of blocks that cannot be read. */
  *rows(gte: string, lt: string, onLost: (range: LostRange) => void): Generator<Entry> {
    const places = this.placesWithin(gte, lt);
    if (places.length === 0) return;
    const bytes = readFileSync(this.path);
    for (const { place, from } of places) {
      let rows: Entry[];
      try {
        rows = rowsOf(blockAt(bytes, place)).map(entryOf);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        onLost({ from, to: place.lastKey });
        continue;
      }
      for (const entry of rows) if (entry.key >= gte && entry.key < lt) yield entry;
    }
  }

  private placesWithin(gte: string, lt: string): { place: BlockPlace; from: string }[] {
    const places: { place: BlockPlace; from: string }[] = [];
    let from = '';
    for (const place of this.blocks) {
      if (from < lt && place.lastKey >= gte) places.push({ place, from });
      from = place.lastKey;
    }
    return places;
  }
}

/** Looks at every block of a file, one after the other. @throws Unreadable where one cannot be believed */
export function* checkBlocks(bytes: Buffer): Generator<void> {
  const { metaindex, index } = footerOf(bytes);
  for (const place of [...placesIn(bytes, metaindex), ...placesIn(bytes, index)]) {
    checkBlock(bytes, place);
    yield;
  }
}

/** @throws Unreadable */
function footerOf(bytes: Buffer): { metaindex: Place; index: Place } {
  const footerAt = bytes.length - FOOTER_BYTES;
  if (footerAt < 0 || !bytes.subarray(-MAGIC.length).equals(MAGIC)) throw new Unreadable('it has no footer');
  const footer = new ByteReader(bytes, footerAt);
  return { metaindex: placeOf(footer), index: placeOf(footer) };
}

const placeOf = (reader: ByteReader): Place => ({ offset: reader.varint(), size: reader.varint() });

/** What the rows of a block say of others. @throws Unreadable */
function placesIn(bytes: Buffer, block: Place): BlockPlace[] {
  return rowsOf(blockAt(bytes, block)).map(({ key, value }) => ({
    lastKey: key.slice(0, -8),
    ...placeOf(new ByteReader(value)),
  }));
}

/** @throws Unreadable */
function blockAt(bytes: Buffer, place: Place): Buffer {
  checkBlock(bytes, place);
  const end = place.offset + place.size;
  const block = bytes.subarray(place.offset, end);
  return bytes[end] === 1 ? unpackSnappy(block) : block;
}

/** @throws Unreadable */
function checkBlock(bytes: Buffer, { offset, size }: Place): void {
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
