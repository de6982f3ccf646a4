import { type AsyncBuffer, type FileMetaData, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ShingledError } from '../../../errors.ts';
import { openParquetFile } from '../../inputs/parquet-file.ts';
import type { IngestLimits } from '../../limits.ts';
import { bufferOf, footerOf } from '../../records/parquet.ts';
import type { ParquetOutput, StoredRow } from '../outputs/parquet-output.ts';
import { groupBytes, storedSchema } from '../outputs/parquet-schema.ts';
import type { Rewritten } from '../port.ts';
import { unreadable } from '../unchanged.ts';
import { isCopied } from './copy-lines.ts';

/*
 * The rows of a Parquet file that are kept, into row groups of the size that the file has. Rows are counted by the footer, as
 * ingest counts them.
 */

export interface OpenedParquet {
  readonly metadata: FileMetaData;
  readonly bytes: AsyncBuffer;
  readonly close: () => Promise<void>;
}

/** @throws ShingledError `input-unreadable` */
export async function openParquet(name: string, limits: IngestLimits): Promise<OpenedParquet> {
  const { file, close } = await openParquetFile(name).catch((error: unknown) => {
    throw unreadable(name, error);
  });
  const bytes = bufferOf(file);
  // what a column says of itself is all: not that some take it for places on the earth
  const metadata = await footerOf(bytes, limits, { geoparquet: false });
  if (typeof metadata !== 'string') return { metadata, bytes, close };
  await close();
  throw new ShingledError('input-unreadable', `${name} cannot be read: ${metadata}`, { field: name });
}

export interface ParquetParts {
  readonly limits: IngestLimits;
  readonly output: ParquetOutput;
  readonly keeps: (record: number) => boolean;
  readonly done: Rewritten;
  /** Called before each row group with its place in the file; throws where copying is to end. */
  readonly turn: (byte: number) => void;
}

/** @returns the number of the last row. @throws what the output throws */
export async function copyParquet(opened: Omit<OpenedParquet, 'close'>, parts: ParquetParts): Promise<number> {
  const { metadata, bytes } = opened;
  const { limits, output, keeps, done, turn } = parts;
  const rowsEach = metadata.row_groups.reduce((most, { num_rows }) => Math.max(most, Number(num_rows)), 1);
  let start = 0;
  for (const group of metadata.row_groups) {
    turn(Number(group.columns[0]?.meta_data?.data_page_offset ?? 0));
    const end = start + Number(group.num_rows);
    const rows = await rowsOf(bytes, metadata, start, end);
    const span = { start: 0, end: 0, isLost: rows === null };
    const kept: StoredRow[] = [];
    for (let row = start; row < end; row++) {
      if (isCopied({ keeps, done }, span, row + 1)) kept.push(rows![row - start]!);
    }
    const size = { rows: rowsEach, bytesMax: limits.rowGroupBytesMax };
    if (kept.length > 0) await output.add(kept, groupBytes(group) * (kept.length / (end - start)), size);
    start = end;
  }
  return start;
}

/** The rows of a row group, null where they cannot be read: ingest passes over those, too. */
async function rowsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  rowStart: number,
  rowEnd: number,
): Promise<StoredRow[] | null> {
  const stored = { ...metadata, schema: storedSchema(metadata.schema) };
  try {
    const rows = await parquetReadObjects({ file, metadata: stored, rowStart, rowEnd, compressors, utf8: false });
    return rows.length === rowEnd - rowStart ? rows : null;
  } catch {
    return null;
  }
}
