import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { CompressionCodec, FileMetaData } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { writeIndexes } from 'hyparquet-writer/src/indexes.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { ShingledError } from '../../../errors.ts';
import type { Footer } from '../../records/parquet.ts';
import { leavesOf, type ParquetLeaf } from '../../records/parquet-leaves.ts';
import { fieldsOf, structOf } from '../../records/thrift-fields.ts';
import type { WriteBytes } from '../port.ts';
import { floatStatistics } from './float-statistics.ts';
import { codecsOf, isOrderedAsStored } from './parquet-schema.ts';
import { type ColumnRows, WaitingRows } from './waiting-rows.ts';

/** Rows, of which `bytes` are, about, unpacked. */
export interface ParquetRows {
  readonly columns: readonly ColumnRows[];
  readonly count: number;
  readonly bytes: number;
}

export interface GroupSize {
  readonly rows: number;
  readonly bytesMax: number;
}

const COMPRESSORS = {
  SNAPPY: snappyCompress,
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
};

/** A file begins and ends with it. */
const MAGIC = 0x31_52_41_50;
const PAGE_BYTES = 2 ** 20;
/** Fields of the footer that the copy has from the file, byte for byte: the schema, and what else is said by keys. */
const COPIED_FIELDS = [2, 5] as const;

/** A Parquet file that is written row group by row group. */
export class ParquetOutput {
  readonly #write: WriteBytes;
  readonly #bytes = new ByteWriter();
  readonly #footer: Footer;
  readonly #leaves: readonly ParquetLeaf[];
  readonly #codecs: readonly CompressionCodec[];
  readonly #chunks: ReturnType<typeof writeColumn>[] = [];
  readonly #groups: FileMetaData['row_groups'] = [];
  /** Rows that wait for others to be a row group. */
  #waiting: WaitingRows;
  /** About how many bytes they have, unpacked. */
  #waitingBytes = 0;

  /** @param footer of the file whose columns it has */
  constructor(write: WriteBytes, footer: Footer) {
    this.#write = write;
    this.#footer = footer;
    this.#leaves = leavesOf(footer.metadata.schema);
    this.#codecs = codecsOf(footer.metadata, this.#leaves);
    this.#waiting = new WaitingRows(this.#leaves.length);
    this.#bytes.appendUint32(MAGIC);
  }

  /** @throws ShingledError `output-unwritable` */
  async add({ columns, count, bytes }: ParquetRows, { rows: rowsEach, bytesMax }: GroupSize): Promise<void> {
    this.#waiting.add(columns, count);
    this.#waitingBytes += bytes;
    while (this.#waiting.count >= rowsEach || (this.#waitingBytes > bytesMax && this.#waiting.count > 0)) {
      const taken = Math.min(rowsEach, this.#waiting.count);
      this.#waitingBytes *= 1 - taken / this.#waiting.count;
      await this.#writeGroup(this.#waiting.take(taken), taken);
    }
    this.#waiting.own();
  }

  async end(): Promise<void> {
    const { count } = this.#waiting;
    if (count > 0) await this.#writeGroup(this.#waiting.take(count), count);
    writeIndexes(this.#bytes, this.#chunks);
    const footer = this.#footerBytes();
    this.#bytes.appendBytes(footer);
    this.#bytes.appendUint32(footer.length);
    this.#bytes.appendUint32(MAGIC);
    await this.#flush();
  }

  async #writeGroup(columns: readonly ColumnRows[], count: number): Promise<void> {
    const start = this.#bytes.offset;
    try {
      const written = columns.map((rows, at) => this.#writeColumn(rows, this.#leaves[at]!, this.#codecs[at]!));
      for (const one of written) this.#chunks.push(one);
      const bytes = written.map(({ chunk }) => chunk.meta_data!.total_uncompressed_size);
      this.#groups.push({
        columns: written.map(({ chunk }) => chunk),
        total_byte_size: bytes.reduce((sum, size) => sum + size, 0n),
        total_compressed_size: BigInt(this.#bytes.offset - start),
        num_rows: BigInt(count),
      });
    } catch (cause) {
      const detail = `A row group cannot be written: ${(cause as Error).message}.`;
      throw new ShingledError('output-unwritable', detail, { cause });
    }
    await this.#flush();
  }

  #writeColumn({ values, definition, repetition }: ColumnRows, leaf: ParquetLeaf, codec: CompressionCodec) {
    const { element, stored, path, nodes, definitionMax } = leaf;
    const column = {
      ...{ columnName: path.join('.'), element: stored, schemaPath: nodes.map((node) => node.element) },
      ...{ codec, compressors: COMPRESSORS, pageSize: PAGE_BYTES, columnIndex: false, offsetIndex: true },
      stats: isOrderedAsStored(element),
    };
    const levels = { definitionLevels: definition, repetitionLevels: repetition, maxDefinitionLevel: definitionMax };
    const written = writeColumn({ writer: this.#bytes, column, pageData: { values, ...levels } });
    const about = written.chunk.meta_data!;
    about.type = element.type!;
    if (about.type === 'FLOAT' || about.type === 'DOUBLE') about.statistics = floatStatistics(values, about.type);
    return written;
  }

  /** What the copy says of itself, with what the file says of its columns. */
  #footerBytes(): Uint8Array {
    const writer = new ByteWriter();
    const { metadata, thrift } = this.#footer;
    writeMetadata(writer, {
      ...{ version: 2, created_by: 'hyparquet', schema: metadata.schema, metadata_length: 0 },
      ...{ num_rows: this.#groups.reduce((sum, { num_rows }) => sum + num_rows, 0n), row_groups: this.#groups },
    });
    // the last four bytes are its length
    const fields = fieldsOf(writer.getBytes().subarray(0, -4));
    const copied = fieldsOf(thrift);
    for (const id of COPIED_FIELDS) if (copied.has(id)) fields.set(id, copied.get(id)!);
    return structOf(fields.values());
  }

  async #flush(): Promise<void> {
    await this.#write(this.#bytes.getBytes());
    this.#bytes.index = 0;
  }
}
