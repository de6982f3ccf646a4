import type { CompressionCodec, FileMetaData, SchemaElement } from 'hyparquet';
import type { IngestLimits } from '../../limits.ts';
import { leavesOf, type ParquetLeaf } from '../../records/parquet-leaves.ts';

/* Which files can be copied without some of their rows, and how their columns are written. */

type RowGroup = FileMetaData['row_groups'][number];

/** Of all columns of a row group, unpacked. */
export const groupBytes = ({ columns }: RowGroup) =>
  columns.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0), 0);

const READ: readonly CompressionCodec[] = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD', 'LZ4', 'LZ4_RAW'];
const WRITTEN: readonly CompressionCodec[] = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'];

/** Why a file cannot be copied without some of its rows, null where it can. */
export function whyNotCopied(
  { schema, row_groups }: FileMetaData,
  { rowGroupBytesMax }: Pick<IngestLimits, 'rowGroupBytesMax'>,
): string | null {
  let leaves: readonly ParquetLeaf[];
  try {
    leaves = leavesOf(schema);
  } catch (error) {
    return (error as Error).message;
  }
  for (const [at, group] of row_groups.entries()) {
    const rows = Number(group.num_rows);
    if (!Number.isSafeInteger(rows) || rows < 0) return `its row group ${at + 1} is said to have ${rows} rows`;
    const bytes = groupBytes(group);
    if (bytes > rowGroupBytesMax) {
      return `its row group ${at + 1} has ${bytes} bytes in all columns, of ${rowGroupBytesMax} at most (INGEST_ROW_GROUP_BYTES_MAX)`;
    }
    const problem = whyNotRead(group, leaves);
    if (problem !== null) return `of its row group ${at + 1} ${problem}`;
  }
  return null;
}

function whyNotRead({ columns }: RowGroup, leaves: readonly ParquetLeaf[]): string | null {
  if (columns.length !== leaves.length)
    return `there are ${columns.length} columns, where there should be ${leaves.length}`;
  for (const [at, { meta_data }] of columns.entries()) {
    const { path, element } = leaves[at]!;
    const name = path.join('.');
    if (meta_data === undefined) return `the column ${name} is encrypted`;
    const { type, codec, path_in_schema } = meta_data;
    if (type !== element.type || path_in_schema.join('\0') !== path.join('\0')) {
      return `the column ${name} is not what the schema says`;
    }
    if (!READ.includes(codec)) return `the column ${name} is packed in a way that is not read (${codec})`;
  }
  return null;
}

/** How each column is packed: as the first row group has it. What is not written here becomes zstd. */
export function codecsOf({ row_groups }: FileMetaData, leaves: readonly ParquetLeaf[]): CompressionCodec[] {
  const chunks = row_groups[0]?.columns ?? [];
  return leaves.map((_, at) => {
    const codec = chunks[at]?.meta_data?.codec;
    return codec !== undefined && WRITTEN.includes(codec) ? codec : 'ZSTD';
  });
}

/** Whether the least and the greatest value may be told: where they are ordered as what is stored is. */
export function isOrderedAsStored(element: SchemaElement): boolean {
  const { type, converted_type, logical_type } = element;
  const means = converted_type ?? logical_type?.type;
  if (type === 'BYTE_ARRAY') return means === 'UTF8' || means === 'STRING';
  if (type !== 'INT32' && type !== 'INT64' && type !== 'BOOLEAN') return false;
  return means === undefined || means === 'DATE' || means.startsWith('TIME') || isSigned(element);
}

const isSigned = ({ converted_type, logical_type }: SchemaElement) =>
  converted_type?.startsWith('INT_') ?? (logical_type?.type === 'INTEGER' && logical_type.isSigned);
