import { type AsyncBuffer, type FileMetaData, type MetadataOptions, parquetMetadata } from 'hyparquet';
import type { RecordMap } from '../fields/record-map.ts';
import type { IngestLimits } from '../limits.ts';
import type { IngestItem, Position } from '../port.ts';
import { bytesByColumn, rowSlices } from './parquet-rows.ts';
import { structEnd } from './thrift-fields.ts';

/*
 * Parquet: row group by row group, and of each only the columns that are looked at. It is read from its end, so a stream is
 * none. Of a row group some rows are in memory at once; one that is too large is refused, and its neighbours are read.
 *
 * A position counts rows: those of a row group are found by the counts in the footer.
 */

/** Bytes of a file, of any part of it at any time. */
export interface ParquetFile {
  readonly file: string;
  readonly bytes: number;
  /** @throws what reading throws, also where the file has become shorter */
  readonly read: (start: number, end: number) => Promise<ArrayBuffer>;
}

type ParquetLimits = Pick<IngestLimits, 'rowGroupBytesMax' | 'parquetFooterBytesMax'>;

/** How a file ends: the length of its footer, and this. */
const TAIL_BYTES = 8;
const MAGIC = 'PAR1';
const ENCRYPTED = 'PARE';

/** A million rows may be nothing at all; with more, a byte of a group has at most so many of them, or they are no documents. */
const ROWS_FREE = 2 ** 20;
const ROWS_OF_BYTE_MAX = 64;

export async function* readParquet(
  file: ParquetFile,
  map: RecordMap,
  limits: ParquetLimits,
  from: Position | null,
): AsyncGenerator<IngestItem, void, undefined> {
  const opened = bufferOf(file);
  const done = from?.record ?? 0;
  const nextAt = (byte: number, skip: number, record: number): Position => ({ file: file.file, byte, skip, record });
  const refuse = (at: string, next: Position, refused: 'malformed' | 'too-large' | 'unreadable', detail: string) => {
    return { at, next, bytes: 0, refused, detail, url: null };
  };

  const footer = await footerOf(opened, limits);
  if (typeof footer === 'string') {
    // it counts as a row, so that a position can be behind it
    if (done === 0) yield refuse('the file', nextAt(0, 1, 1), 'malformed', footer);
    return;
  }
  const { metadata } = footer;
  const columns = map.wanted(columnsOf(metadata));
  let rowStart = 0;
  for (const [index, group] of metadata.row_groups.entries()) {
    const rows = Number(group.num_rows);
    if (!Number.isSafeInteger(rows) || rows < 0) {
      const detail = `It is said to have ${rows} rows; what is behind it cannot be told.`;
      if (rowStart === done) yield refuse(`row group ${index + 1}`, nextAt(0, 0, rowStart + 1), 'malformed', detail);
      return;
    }
    const rowEnd = rowStart + rows;
    const start = rowStart;
    rowStart = rowEnd;
    if (rowEnd <= done) continue;
    const byte = Number(group.file_offset ?? 0);
    const at = (first: number) => `row group ${index + 1} (rows ${first + 1} to ${rowEnd})`;
    const bytes = bytesByColumn(group, columns)
      .values()
      .reduce((sum, one) => sum + one, 0);
    const behind = nextAt(byte, rows, rowEnd);
    if (bytes > limits.rowGroupBytesMax) {
      const detail = `It has ${bytes} bytes in the columns that are read; at most ${limits.rowGroupBytesMax} are taken (INGEST_ROW_GROUP_BYTES_MAX).`;
      yield refuse(at(start), behind, 'too-large', detail);
      continue;
    }
    const packed = group.columns.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_compressed_size ?? 0), 0);
    if (rows > ROWS_FREE && rows > ROWS_OF_BYTE_MAX * packed) {
      yield refuse(at(start), behind, 'malformed', `It is said to have ${rows} rows in ${packed} bytes.`);
      continue;
    }
    const bytesEach = Math.round(bytes / rows);
    let row = Math.max(done, start);
    const slices = rowSlices(opened, metadata, columns, {
      group,
      from: row,
      to: rowEnd,
      bytesMax: limits.rowGroupBytesMax,
    });
    for await (const slice of orReason(slices)) {
      if (typeof slice === 'string') {
        yield refuse(at(row), behind, 'unreadable', slice);
        break;
      }
      for (const read of slice) {
        const made = map.map(read, { file: file.file, record: ++row });
        yield { at: `row ${row}`, next: nextAt(byte, row - start, row), bytes: bytesEach, ...made };
      }
    }
  }
}

/** Rows; at the end why no more of them can be read, where that is so. */
async function* orReason(slices: ReturnType<typeof rowSlices>): AsyncGenerator<readonly unknown[] | string, void> {
  try {
    yield* slices;
  } catch (error) {
    yield `It cannot be read: ${reasonOf(error)}`;
  }
}

/** A file as its library reads it. */
export function bufferOf({ bytes, read }: ParquetFile): AsyncBuffer {
  return { byteLength: bytes, slice: (start, end = bytes) => read(start, end) };
}

export interface Footer {
  readonly metadata: FileMetaData;
  /** The same as it is in the file: a struct of Thrift's compact protocol. */
  readonly thrift: Uint8Array;
}

/**
 * What the footer says; or why it cannot be read.
 *
 * @param options whether columns are also what further metadata say of them
 */
export async function footerOf(
  file: AsyncBuffer,
  { parquetFooterBytesMax }: Pick<ParquetLimits, 'parquetFooterBytesMax'>,
  options: Pick<MetadataOptions, 'geoparquet'> = {},
): Promise<Footer | string> {
  if (file.byteLength < MAGIC.length + TAIL_BYTES) return 'It is no Parquet file: it is too short.';
  try {
    const tail = new DataView(await file.slice(file.byteLength - TAIL_BYTES, file.byteLength));
    const magic = String.fromCharCode(...new Uint8Array(tail.buffer, 4));
    if (magic === ENCRYPTED) return 'It is an encrypted Parquet file, which cannot be read.';
    if (magic !== MAGIC) return 'It is no Parquet file, or it was cut: its end is missing.';
    const length = tail.getUint32(0, true);
    if (length > parquetFooterBytesMax)
      return `Its footer has ${length} bytes; at most ${parquetFooterBytesMax} are read.`;
    if (length > file.byteLength - TAIL_BYTES) return 'It was cut: its footer is longer than the file.';
    const bytes = await file.slice(file.byteLength - TAIL_BYTES - length, file.byteLength);
    structEnd(new Uint8Array(bytes), 0);
    const metadata = parquetMetadata(bytes, options);
    const elsewhere = metadata.row_groups.flatMap(({ columns }) => columns.map(({ file_path }) => file_path ?? ''));
    if (elsewhere.some((path) => path !== '')) return 'It has no rows: it says which are in other files.';
    return { metadata, thrift: new Uint8Array(bytes, 0, length) };
  } catch (error) {
    return `Its footer cannot be read: ${reasonOf(error)}`;
  }
}

const REASON_CHARACTERS_MAX = 200;

function reasonOf(error: unknown): string {
  // the library takes things for granted, and says of one that is missing which of its variables has none
  if (error instanceof TypeError || error instanceof RangeError) return 'what it says does not fit together.';
  return `${(error as Error).message.slice(0, REASON_CHARACTERS_MAX).toWellFormed()}.`;
}

/** The names of the columns at the top. */
function columnsOf({ schema, row_groups }: FileMetaData): string[] {
  const tops = new Set(row_groups[0]?.columns.map(({ meta_data }) => meta_data?.path_in_schema[0] ?? ''));
  return schema.map(({ name }) => name).filter((name, index) => index > 0 && tops.delete(name));
}
