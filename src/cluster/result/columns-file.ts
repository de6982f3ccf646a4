import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Column } from '../../core/memory/growing-column.ts';
import type { ColumnParts } from '../../core/memory/paged-column.ts';
import { ShingledError } from '../../errors.ts';
import { writeWhole } from '../durable-files.ts';
import { KnownFiller, type NarrowColumn, NarrowFiller } from './held-columns.ts';

/*
 * Columns of numbers as a file:
 *
 *   "shingled columns 1\n"   count of columns : 8   length of each, in numbers : 8 …   columns
 *
 * Columns come one behind the other, in the order of their names, each from a multiple of 8 on; little-endian.
 */

const HEAD = Buffer.from('shingled columns 1\n\0\0\0\0\0');

const KINDS = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array } as const;
/** Those that are held otherwise (held-columns.ts): as what they are written, and what takes them. */
const HELD_KINDS = {
  count: { Stored: Uint32Array, Filler: NarrowFiller },
  place: { Stored: Float64Array, Filler: NarrowFiller },
  date: { Stored: Float64Array, Filler: KnownFiller },
} as const;
type PlainKind = keyof typeof KINDS;
export type ColumnKind = PlainKind | keyof typeof HELD_KINDS;
type ColumnOf<K extends ColumnKind> = K extends PlainKind
  ? InstanceType<(typeof KINDS)[K]>
  : K extends 'date'
    ? Float64Array
    : NarrowColumn;
export type Columns = Readonly<Record<string, Column | ColumnParts>>;
export type ColumnKinds = Readonly<Record<string, ColumnKind>>;

/** What a file was written with: to be held against it when it is read. */
export interface FileSeal {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

const padded = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** Writes a file of columns in the order of their names. @throws ShingledError `storage-full` */
export function writeColumns(path: string, columns: Columns): FileSeal {
  const names = Object.keys(columns).sort();
  const head = Buffer.alloc(HEAD.length + 8 + 8 * names.length);
  HEAD.copy(head);
  head.writeDoubleLE(names.length, HEAD.length);
  for (const [i, name] of names.entries()) head.writeDoubleLE(columns[name]!.length, HEAD.length + 8 + 8 * i);
  const hash = createHash('sha256');
  let bytes = 0;
  const told = function* () {
    for (const part of partsOf(head, names, columns)) {
      hash.update(part);
      bytes += part.length;
      yield part;
    }
  };
  writeWhole(path, told());
  return { bytes, sha256: hash.digest('hex') };
}

function* partsOf(
  head: Uint8Array,
  names: readonly string[],
  columns: Columns,
): Generator<Uint8Array, void, undefined> {
  yield head;
  for (const name of names) {
    const column = columns[name]!;
    let bytes = 0;
    for (const { buffer, byteOffset, byteLength } of 'parts' in column ? column.parts() : [column]) {
      yield new Uint8Array(buffer, byteOffset, byteLength);
      bytes += byteLength;
    }
    yield new Uint8Array(padded(bytes) - bytes);
  }
}

/** Memory for what is read: so many bytes. */
export type MakeMemory = (bytes: number) => ArrayBufferLike;
const ownMemory: MakeMemory = (bytes) => new ArrayBuffer(bytes);
/** That threads can share. */
export const sharedMemory: MakeMemory = (bytes) => new SharedArrayBuffer(bytes);

/**
 * Reads what {@link writeColumns} wrote.
 *
 * @throws ShingledError `result-damaged` where the file is not what it was
 */
export function readColumns<K extends ColumnKinds>(
  path: string,
  kinds: K,
  seal: FileSeal,
  memory: MakeMemory = ownMemory,
): { readonly [Name in keyof K]: ColumnOf<K[Name]> } {
  const file = new SealedFile(path, seal);
  try {
    const names = Object.keys(kinds).sort();
    const head = Buffer.from(file.read(HEAD.length + 8 + 8 * names.length));
    const isKnown = head.subarray(0, HEAD.length).equals(HEAD) && head.readDoubleLE(HEAD.length) === names.length;
    if (!isKnown) throw damaged(path, 'has another form');
    const columns: Record<string, NarrowColumn> = {};
    for (const [i, name] of names.entries()) {
      columns[name] = readColumn(file, kinds[name]!, head.readDoubleLE(HEAD.length + 8 + 8 * i), memory);
    }
    file.end();
    return columns as { readonly [Name in keyof K]: ColumnOf<K[Name]> };
  } finally {
    file.close();
  }
}

function readColumn(file: SealedFile, kind: ColumnKind, length: number, memory: MakeMemory): NarrowColumn {
  if (kind in KINDS) {
    const Kind = KINDS[kind as PlainKind];
    const bytes = length * Kind.BYTES_PER_ELEMENT;
    const column = new Kind(file.read(bytes, memory) as ArrayBuffer);
    file.read(padded(bytes) - bytes);
    return column;
  }
  const { Stored, Filler } = HELD_KINDS[kind as keyof typeof HELD_KINDS];
  const bytes = length * Stored.BYTES_PER_ELEMENT;
  file.checkLeft(bytes);
  const filler = new Filler(length, memory);
  for (const chunk of file.chunks(bytes)) filler.add(new Stored(chunk) as Float64Array);
  file.read(padded(bytes) - bytes);
  return filler.values;
}

/** Whether a file is what it was. */
export function isSealed(path: string, seal: FileSeal): boolean {
  try {
    const file = new SealedFile(path, seal);
    try {
      for (const _ of file.chunks(seal.bytes));
      file.end();
      return true;
    } finally {
      file.close();
    }
  } catch {
    return false;
  }
}

const CHUNK_BYTES = 1 << 20;

/** A file that is read from its beginning to its end, and must be what was written. */
class SealedFile {
  private readonly path: string;
  private readonly seal: FileSeal;
  private readonly file: number;
  private readonly hash = createHash('sha256');
  private left: number;

  constructor(path: string, seal: FileSeal) {
    this.path = path;
    this.seal = seal;
    this.left = seal.bytes;
    try {
      this.file = openSync(path, 'r');
    } catch (cause) {
      throw unreadable(path, cause);
    }
    const { size } = fstatSync(this.file);
    if (size === seal.bytes) return;
    this.close();
    throw damaged(path, `has ${size} bytes, not ${seal.bytes}`);
  }

  /** @throws ShingledError `result-damaged` where there are not so many bytes */
  checkLeft(count: number): void {
    if (!(count <= this.left)) throw damaged(this.path, 'has another form');
  }

  /** The next so many bytes, some at a time: each is a multiple of 8, but the last one. */
  *chunks(count: number): Generator<ArrayBuffer, void, undefined> {
    for (let left = count; left > 0; left -= CHUNK_BYTES) yield this.read(Math.min(left, CHUNK_BYTES)) as ArrayBuffer;
  }

  /** The next so many bytes. */
  read(count: number, memory: MakeMemory = ownMemory): ArrayBufferLike {
    this.checkLeft(count);
    this.left -= count;
    const bytes = new Uint8Array(memory(count));
    for (let at = 0; at < count; ) {
      const size = Math.min(count - at, CHUNK_BYTES);
      const read = this.readSome(bytes, at, size);
      this.hash.update(bytes.subarray(at, at + read));
      at += read;
    }
    return bytes.buffer;
  }

  /** All of it was read. @throws ShingledError `result-damaged` where it is not what was written */
  end(): void {
    if (this.left > 0 || this.hash.digest('hex') !== this.seal.sha256)
      throw damaged(this.path, 'is not what was written');
  }

  close(): void {
    closeSync(this.file);
  }

  private readSome(bytes: Uint8Array, at: number, size: number): number {
    let read: number;
    try {
      read = readSync(this.file, bytes, at, size, null);
    } catch (cause) {
      throw unreadable(this.path, cause);
    }
    if (read === 0) throw damaged(this.path, 'ends early');
    return read;
  }
}

const damaged = (path: string, how: string) => new ShingledError('result-damaged', `${path} ${how}.`);
const unreadable = (path: string, cause: unknown) =>
  new ShingledError('result-damaged', `${path} cannot be read.`, { cause });
