import type { AsyncBuffer } from 'hyparquet';
import { openParquetFile } from '../../inputs/parquet-file.ts';
import type { IngestLimits } from '../../limits.ts';
import { bufferOf, type Footer, footerOf } from '../../records/parquet.ts';
import { leavesOf, type ParquetLeaf } from '../../records/parquet-leaves.ts';
import type { ParquetOutput } from '../outputs/parquet-output.ts';
import { groupBytes } from '../outputs/parquet-schema.ts';
import type { ColumnRows } from '../outputs/waiting-rows.ts';
import type { Rewritten } from '../port.ts';
import { unreadable } from '../unchanged.ts';
import { isCopied } from './copy-lines.ts';
import { readColumn } from './parquet-columns.ts';

/*
 * The rows of a Parquet file that are kept, into row groups of the size that the file has. Rows are counted by the footer, as
 * ingest counts them.
 */

export interface OpenedParquet {
  readonly footer: Footer;
  readonly bytes: AsyncBuffer;
  readonly close: () => Promise<void>;
}

/** @returns null if its footer cannot be read. @throws ShingledError `input-unreadable` if the file cannot be read */
export async function openParquet(name: string, limits: IngestLimits): Promise<OpenedParquet | null> {
  const { file, close } = await openParquetFile(name).catch((error: unknown) => {
    throw unreadable(name, error);
  });
  const bytes = bufferOf(file);
  // what a column says of itself is all: not that some take it for places on the earth
  const footer = await footerOf(bytes, limits, { geoparquet: false });
  if (typeof footer !== 'string') return { footer, bytes, close };
  await close();
  return null;
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
  const { row_groups, schema } = opened.footer.metadata;
  const { limits, output, keeps, done, turn } = parts;
  const leaves = leavesOf(schema);
  const rowsEach = row_groups.reduce((most, { num_rows }) => Math.max(most, Number(num_rows)), 1);
  let last = 0;
  for (const group of row_groups) {
    turn(Number(group.columns[0]?.meta_data?.data_page_offset ?? 0));
    const stays = Array.from({ length: Number(group.num_rows) }, () => keeps(++last));
    const count = stays.filter(Boolean).length;
    const columns =
      count === 0 ? [] : await columnsOf(opened.bytes, leaves, group, { stays, bytesMax: limits.rowGroupBytesMax });
    const span = { start: 0, end: 0, isLost: columns === null };
    for (const isKept of stays) isCopied({ keeps: () => isKept, done }, span, 0);
    if (columns === null || count === 0) continue;
    const bytes = groupBytes(group) * (count / stays.length);
    await output.add({ columns, count, bytes }, { rows: rowsEach, bytesMax: limits.rowGroupBytesMax });
  }
  return last;
}

/** The rows of a row group that stay, column by column; null where one cannot be read: ingest passes over those, too. */
async function columnsOf(
  file: AsyncBuffer,
  leaves: readonly ParquetLeaf[],
  { columns }: Footer['metadata']['row_groups'][number],
  { stays, bytesMax }: { readonly stays: readonly boolean[]; readonly bytesMax: number },
): Promise<ColumnRows[] | null> {
  const rows: ColumnRows[] = [];
  try {
    for (const [at, leaf] of leaves.entries()) {
      const column = { leaf, chunk: columns[at]!.meta_data!, bytesMax };
      rows.push(await readColumn(file, column, stays));
    }
    return rows;
  } catch {
    return null;
  }
}
