/*
 * A footer of a Parquet file as strictly as a reader that was generated from parquet.thrift takes it: each field has just the
 * type that it has there. hyparquet takes any number for any other; pyarrow, DuckDB and Polars refuse such a file.
 */

/** `flag`, the name of a number or of bytes, the name of a struct; or a list of one of these. */
type Type = string | { readonly list: string };
type Struct = Readonly<Record<number, Type>>;

const STRUCTS: Readonly<Record<string, Struct>> = {
  FileMetaData: {
    ...{ 1: 'i32', 2: { list: 'SchemaElement' }, 3: 'i64', 4: { list: 'RowGroup' }, 5: { list: 'KeyValue' } },
    ...{ 6: 'binary', 7: { list: 'ColumnOrder' } },
  },
  SchemaElement: {
    ...{ 1: 'i32', 2: 'i32', 3: 'i32', 4: 'binary', 5: 'i32', 6: 'i32', 7: 'i32', 8: 'i32', 9: 'i32' },
    10: 'LogicalType',
  },
  LogicalType: {
    ...{ 1: 'Empty', 2: 'Empty', 3: 'Empty', 4: 'Empty', 5: 'Decimal', 6: 'Empty', 7: 'Time', 8: 'Time', 10: 'Int' },
    ...{ 11: 'Empty', 12: 'Empty', 13: 'Empty', 14: 'Empty', 15: 'Empty', 16: 'Variant', 17: 'Geometry' },
    18: 'Geography',
  },
  Empty: {},
  Decimal: { 1: 'i32', 2: 'i32' },
  Time: { 1: 'flag', 2: 'TimeUnit' },
  TimeUnit: { 1: 'Empty', 2: 'Empty', 3: 'Empty' },
  Int: { 1: 'byte', 2: 'flag' },
  Variant: { 1: 'byte' },
  Geometry: { 1: 'binary' },
  Geography: { 1: 'binary', 2: 'i32' },
  KeyValue: { 1: 'binary', 2: 'binary' },
  ColumnOrder: { 1: 'Empty', 2: 'Empty' },
  RowGroup: {
    ...{ 1: { list: 'ColumnChunk' }, 2: 'i64', 3: 'i64', 4: { list: 'SortingColumn' }, 5: 'i64', 6: 'i64', 7: 'i16' },
  },
  SortingColumn: { 1: 'i32', 2: 'flag', 3: 'flag' },
  ColumnChunk: { 1: 'binary', 2: 'i64', 3: 'ColumnMetaData', 4: 'i64', 5: 'i32', 6: 'i64', 7: 'i32' },
  ColumnMetaData: {
    ...{ 1: 'i32', 2: { list: 'i32' }, 3: { list: 'binary' }, 4: 'i32', 5: 'i64', 6: 'i64', 7: 'i64' },
    ...{ 8: { list: 'KeyValue' }, 9: 'i64', 10: 'i64', 11: 'i64', 12: 'Statistics', 13: { list: 'PageEncodingStats' } },
    ...{ 14: 'i64', 15: 'i32', 16: 'SizeStatistics' },
  },
  Statistics: { 1: 'binary', 2: 'binary', 3: 'i64', 4: 'i64', 5: 'binary', 6: 'binary', 7: 'flag', 8: 'flag' },
  PageEncodingStats: { 1: 'i32', 2: 'i32', 3: 'i32' },
  SizeStatistics: { 1: 'i64', 2: { list: 'i64' }, 3: { list: 'i64' } },
};

const [TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, STRUCT] = [1, 2, 3, 7, 8, 9, 12];
const CODES: Readonly<Record<string, number>> = { byte: BYTE, i16: 4, i32: 5, i64: 6, double: DOUBLE, binary: BINARY };

/** @param file of which the footer is read. @throws Error that names the field which has another type */
export function checkFooter(file: Uint8Array): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = view.getUint32(file.length - 8, true);
  const end = file.length - 8;
  const reader = new StrictReader(file.subarray(end - length, end));
  reader.struct('FileMetaData', 'footer');
  if (!reader.isAtEnd) throw new Error('there is more in the footer than its struct');
}

class StrictReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  struct(name: string, path: string): void {
    const fields = STRUCTS[name]!;
    let id = 0;
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      // one that is more than fifteen behind the last has its number, and each number twice, as no number is negative
      id = head >> 4 === 0 ? this.#varInt() / 2 : id + (head >> 4);
      const type = fields[id];
      if (type === undefined) throw new Error(`${path} is ${name}, which has no field ${id}`);
      this.#value(type, head & 0xf, `${path}.${id}`);
    }
  }

  #value(type: Type, code: number, path: string): void {
    const wrong = () => new Error(`${path} is of type ${code} and should be ${JSON.stringify(type)}`);
    if (type === 'flag') {
      if (code !== TRUE && code !== FALSE) throw wrong();
    } else if (typeof type === 'object') {
      if (code !== LIST) throw wrong();
      this.#list(type.list, path);
    } else if (type in STRUCTS) {
      if (code !== STRUCT) throw wrong();
      this.struct(type, path);
    } else if (code === CODES[type]) this.#plain(code);
    else throw wrong();
  }

  #list(type: Type, path: string): void {
    const head = this.#byte();
    const count = head >> 4 === 15 ? this.#varInt() : head >> 4;
    for (let index = 0; index < count; index++) this.#value(type, head & 0xf, `${path}[${index}]`);
  }

  #plain(code: number): void {
    if (code === BYTE) this.#at += 1;
    else if (code === DOUBLE) this.#at += 8;
    else {
      const number = this.#varInt();
      if (code === BINARY) this.#at += number;
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error('the footer ends too early');
    return byte;
  }

  #varInt(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }
}
