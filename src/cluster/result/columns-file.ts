import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ShingledError } from '../../errors.ts';
import { writeWhole } from '../durable-files.ts';

/*
 * Columns of numbers as a file:
 *
 *   "shingled columns 1\n"   count of columns : 8   length of each, in numbers : 8 …   columns
 *
 * Columns come one behind the other, in the order of their names, each from a multiple of 8 on; little-endian.
 */

const HEAD = Buffer.from('shingled columns 1\n\0\0\0\0\0');

const KINDS = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array } as const;
export type ColumnKind = keyof typeof KINDS;
type ColumnOf<K extends ColumnKind> = InstanceType<(typeof KINDS)[K]>;
export type Columns = Readonly<Record<string, Uint8Array | Uint32Array | Float64Array>>;
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
  const parts: Uint8Array[] = [head];
  for (const name of names) {
    const { buffer, byteOffset, byteLength } = columns[name]!;
    parts.push(new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(padded(byteLength) - byteLength));
  }
  const hash = createHash('sha256');
  let bytes = 0;
  for (const part of parts) {
    hash.update(part);
    bytes += part.length;
  }
  writeWhole(path, parts);
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Reads what {@link writeColumns} wrote.
 *
 * @throws ShingledError `result-damaged` where the file is not what it was
 */
export function readColumns<K extends ColumnKinds>(
  path: string,
  kinds: K,
  seal: FileSeal,
): { readonly [Name in keyof K]: ColumnOf<K[Name]> } {
  const bytes = readSealed(path, seal);
  const names = Object.keys(kinds).sort();
  const isKnown = bytes.subarray(0, HEAD.length).equals(HEAD) && bytes.readDoubleLE(HEAD.length) === names.length;
  if (!isKnown) throw damaged(path, 'has another form');
  let at = HEAD.length + 8 + 8 * names.length;
  const columns: Record<string, Uint8Array | Uint32Array | Float64Array> = {};
  for (const [i, name] of names.entries()) {
    const length = bytes.readDoubleLE(HEAD.length + 8 + 8 * i);
    const Kind = KINDS[kinds[name]!];
    columns[name] = new Kind(bytes.buffer, bytes.byteOffset + at, length);
    at += padded(length * Kind.BYTES_PER_ELEMENT);
  }
  return columns as { readonly [Name in keyof K]: ColumnOf<K[Name]> };
}

/** The bytes of a file that are what they were. @throws ShingledError `result-damaged` */
function readSealed(path: string, { bytes: size, sha256 }: FileSeal): Buffer<ArrayBuffer> {
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new ShingledError('result-damaged', `${path} cannot be read.`, { cause });
  }
  if (bytes.length !== size) throw damaged(path, `has ${bytes.length} bytes, not ${size}`);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw damaged(path, 'is not what was written');
  // columns begin at multiples of 8 of it
  return bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
}

const damaged = (path: string, how: string) => new ShingledError('result-damaged', `${path} ${how}.`);
