import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { FileMetaData } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { ShingledError } from '../../../errors.ts';
import type { WriteBytes } from '../port.ts';
import { columnsOf, type ParquetColumn, storedSchema } from './parquet-schema.ts';

/** A row, as its values are stored. */
export type StoredRow = Readonly<Record<string, unknown>>;

export interface GroupSize {
  readonly rows: number;
  readonly bytesMax: number;
}

const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
};

/** A Parquet file that is written row group by row group. */
export class ParquetOutput {
  readonly #write: WriteBytes;
  readonly #bytes = new ByteWriter();
  readonly #schema: FileMetaData['schema'];
  readonly #columns: readonly ParquetColumn[];
  readonly #parquet: ParquetWriter;
  /** Rows that wait for others to be a row group. */
  #rows: StoredRow[] = [];
  /** About how many they have, unpacked. */
  #rowBytes = 0;

  /** @param metadata of the file whose columns it has */
  constructor(write: WriteBytes, metadata: FileMetaData) {
    this.#write = write;
    this.#schema = metadata.schema;
    this.#columns = columnsOf(metadata);
    const { key_value_metadata: kvMetadata } = metadata;
    this.#parquet = new ParquetWriter({
      ...{ writer: this.#bytes, schema: storedSchema(metadata.schema), compressors: COMPRESSORS },
      ...(kvMetadata === undefined ? {} : { kvMetadata }),
    });
  }

  /** Takes rows of which `bytes` are, about. @throws ShingledError `output-unwritable` */
  async add(rows: readonly StoredRow[], bytes: number, { rows: rowsEach, bytesMax }: GroupSize): Promise<void> {
    const before = this.#rows.length;
    for (const row of rows) this.#rows.push(row);
    this.#rowBytes += bytes;
    let written = 0;
    while (this.#rows.length >= rowsEach || (this.#rowBytes > bytesMax && this.#rows.length > 0)) {
      const taken = Math.min(rowsEach, this.#rows.length);
      this.#rowBytes *= 1 - taken / this.#rows.length;
      await this.#writeGroup(this.#rows.splice(0, taken));
      written += taken;
    }
    // a page of which few rows wait is let go
    for (let at = Math.max(0, before - written); at < this.#rows.length; at++) {
      this.#rows[at] = owned(this.#rows[at]) as StoredRow;
    }
  }

  async end(): Promise<void> {
    if (this.#rows.length > 0) await this.#writeGroup(this.#rows);
    this.#rows = [];
    this.#parquet.schema = this.#schema;
    await this.#parquet.finish();
    await this.#flush();
  }

  async #writeGroup(rows: readonly StoredRow[]): Promise<void> {
    const columnData = this.#columns.map(({ name, codec, hasStatistics }) => ({
      ...{ name, codec, statistics: hasStatistics, data: rows.map((row) => row[name]) },
    }));
    try {
      await this.#parquet.write({ columnData, rowGroupSize: rows.length });
    } catch (cause) {
      const detail = `A row group cannot be written: ${(cause as Error).message}.`;
      throw new ShingledError('output-unwritable', detail, { cause });
    }
    await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#write(this.#bytes.getBytes());
    this.#bytes.index = 0;
  }
}

/** A copy of a value that holds on to nothing else. */
function owned(value: unknown): unknown {
  if (value instanceof Uint8Array) return value.slice();
  if (Array.isArray(value)) return value.map(owned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, owned(inner)]));
}
