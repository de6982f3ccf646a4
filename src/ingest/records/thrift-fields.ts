/*
 * A struct of Thrift's compact protocol, as the footer of a Parquet file and the head of a page are, in its fields. What is in
 * a field is stepped over and not understood, so that it can be put into another struct byte for byte. A struct that this
 * file takes is safe to be parsed by hyparquet, which bounds neither the depth nor the length of a number.
 *
 *   struct = { head, value } 0        head = distance to the number of the field before << 4 | type
 */

export interface Field {
  readonly id: number;
  readonly type: number;
  readonly bytes: Uint8Array;
}

const TYPE = { true: 1, false: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, set: 10, struct: 12 };
/** Structs within structs; a footer has five. */
const DEPTH_MAX = 32;
/** Of 64 bits. */
const VARINT_BYTES_MAX = 10;

/** @throws Error where the bytes are no such struct */
export function fieldsOf(struct: Uint8Array): Map<number, Field> {
  const fields = new Map<number, Field>();
  const reader = new Reader(struct);
  for (const { id, type } of reader.heads()) {
    const start = reader.at;
    reader.skip(type, 0);
    fields.set(id, { id, type, bytes: struct.subarray(start, reader.at) });
  }
  return fields;
}

/** @param fields of which no two numbers are more than fifteen apart */
export function structOf(fields: Iterable<Field>): Uint8Array {
  const pieces: Uint8Array[] = [];
  let before = 0;
  for (const { id, type, bytes } of [...fields].toSorted((a, b) => a.id - b.id)) {
    pieces.push(Uint8Array.of(((id - before) << 4) | type), bytes);
    before = id;
  }
  pieces.push(Uint8Array.of(0));
  return Buffer.concat(pieces);
}

/** Behind the struct that begins at a place. @throws Error where none does */
export function structEnd(bytes: Uint8Array, at: number): number {
  const reader = new Reader(bytes);
  reader.at = at;
  reader.skipStruct();
  return reader.at;
}

class Reader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Steps over the struct that begins here. */
  skipStruct(): void {
    this.skip(TYPE.struct, 0);
  }

  /** The head of each field; its value is to be read before the next one. */
  *heads(): Generator<{ readonly id: number; readonly type: number }> {
    let id = 0;
    for (;;) {
      const head = this.#byte();
      const type = head & 0xf;
      if (type === 0) return;
      const distance = head >> 4;
      const zigzag = distance === 0 ? this.#varInt() : 0;
      id = distance === 0 ? (zigzag >>> 1) ^ -(zigzag & 1) : id + distance;
      yield { id, type };
    }
  }

  skip(type: number, depth: number): void {
    if (depth > DEPTH_MAX) throw new Error('it is nested too deeply');
    if (type === TYPE.true || type === TYPE.false) return;
    if (type === TYPE.byte) this.at += 1;
    else if (type === TYPE.i16 || type === TYPE.i32 || type === TYPE.i64) this.#skipVarInt();
    else if (type === TYPE.double) this.at += 8;
    else if (type === TYPE.binary) this.at = this.#varInt() + this.at;
    else if (type === TYPE.list || type === TYPE.set) this.#skipList(depth);
    else if (type === TYPE.struct) for (const field of this.heads()) this.skip(field.type, depth + 1);
    else throw new Error(`it has a field of an unknown type (${type})`);
    if (this.at > this.#bytes.length) throw new Error('it ends too early');
  }

  #skipList(depth: number): void {
    const head = this.#byte();
    const type = head & 0xf;
    const count = head >> 4 === 15 ? this.#varInt() : head >> 4;
    const isFlag = type === TYPE.true || type === TYPE.false;
    for (let at = 0; at < count; at++) this.skip(isFlag ? TYPE.byte : type, depth + 1);
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new Error('it ends too early');
    return byte;
  }

  #skipVarInt(): void {
    for (let length = 1; this.#byte() > 0x7f; length++) {
      if (length === VARINT_BYTES_MAX) throw new Error('it has a number that is too large');
    }
  }

  /** Up to 32 bits. */
  #varInt(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      if (shift > 28) throw new Error('it has a number that is too large');
    }
  }
}
