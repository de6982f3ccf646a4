import type { CompressionCodec, FileMetaData, SchemaElement } from 'hyparquet';
import type { IngestLimits } from '../../limits.ts';

/*
 * The columns of a Parquet file, as they are stored: numbers, bytes, lists and groups of these. What they stand for, such as
 * texts, times and decimals, is not looked at when rows are copied, so nothing of it is lost. The copy's footer says it again.
 *
 *   price    FIXED_LEN_BYTE_ARRAY(12), DECIMAL(20, 3)    read and written as 12 bytes
 *   seen     INT64, TIMESTAMP(ns)                        read and written as an integer of 64 bits
 */

type RowGroup = FileMetaData['row_groups'][number];

/** Types without what they stand for; lists stay lists. */
export function storedSchema(schema: readonly SchemaElement[]): SchemaElement[] {
  return schema.map((element) => {
    const { converted_type, logical_type, scale, precision, ...stored } = element;
    return isList(element) ? { ...stored, converted_type: 'LIST' } : stored;
  });
}

const isList = ({ converted_type, logical_type }: SchemaElement) =>
  converted_type === 'LIST' || logical_type?.type === 'LIST';

/** Of all columns of a row group, unpacked. */
export const groupBytes = ({ columns }: RowGroup) =>
  columns.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0), 0);

/** Why a file cannot be copied without some of its rows, null where it can. */
export function whyNotCopied(
  { schema, row_groups }: FileMetaData,
  { rowGroupBytesMax }: Pick<IngestLimits, 'rowGroupBytesMax'>,
): string | null {
  for (const [at, element] of schema.entries()) {
    if (at === 0) continue;
    const { name, type, repetition_type, num_children = 0 } = element;
    if (type === 'INT96') return `its column ${name} has times of 96 bits (INT96)`;
    const isOfList = repetition_type === 'REPEATED' && num_children === 1 && isListOfOne(schema[at - 1]!);
    if (repetition_type === 'REPEATED' && !isOfList) return `${name} is of a map, or of a list of an old form`;
    if (isList(element) && schema[at + 1]?.repetition_type !== 'REPEATED')
      return `${name} is a list of an unknown form`;
  }
  for (const [at, group] of row_groups.entries()) {
    const rows = Number(group.num_rows);
    if (!Number.isSafeInteger(rows) || rows < 0) return `its row group ${at + 1} is said to have ${rows} rows`;
    const bytes = groupBytes(group);
    if (bytes > rowGroupBytesMax) {
      return `its row group ${at + 1} has ${bytes} bytes in all columns, of ${rowGroupBytesMax} at most (INGEST_ROW_GROUP_BYTES_MAX)`;
    }
  }
  return null;
}

/** `name (LIST) { repeated group { element } }` is what the writer writes of lists. */
const isListOfOne = (element: SchemaElement) => isList(element) && element.num_children === 1;

export interface ParquetColumn {
  /** Of a column at the top, with all that is in it. */
  readonly name: string;
  readonly codec: CompressionCodec;
  /** Whether its least and greatest value may be told: where they are ordered as what is stored is. */
  readonly hasStatistics: boolean;
}

/** The columns at the top, packed as the first of what is stored for each is. */
export function columnsOf({ schema, row_groups }: FileMetaData): ParquetColumn[] {
  const chunks = row_groups[0]?.columns ?? [];
  const columns: ParquetColumn[] = [];
  for (let at = 1; at < schema.length; ) {
    const { name } = schema[at]!;
    const end = endOf(schema, at);
    const codec = chunks.find(({ meta_data }) => meta_data?.path_in_schema[0] === name)?.meta_data?.codec;
    const leaves = schema.slice(at, end).filter(({ type }) => type !== undefined);
    columns.push({ name, codec: codecOf(codec), hasStatistics: leaves.every(isOrderedAsStored) });
    at = end;
  }
  return columns;
}

/** Behind an element and all that is in it. */
function endOf(schema: readonly SchemaElement[], from: number): number {
  let at = from;
  for (let left = 1; left > 0 && at < schema.length; at++) left += (schema[at]!.num_children ?? 0) - 1;
  return at;
}

const WRITTEN: readonly CompressionCodec[] = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'];

/** What is not written here becomes zstd. */
const codecOf = (codec: CompressionCodec | undefined): CompressionCodec =>
  codec !== undefined && WRITTEN.includes(codec) ? codec : 'ZSTD';

function isOrderedAsStored({ type, converted_type, logical_type }: SchemaElement): boolean {
  const means = converted_type ?? logical_type?.type;
  if (type === 'BYTE_ARRAY') return means === 'UTF8' || means === 'STRING';
  return type !== 'FIXED_LEN_BYTE_ARRAY' && (means === undefined || means === 'DATE' || means.startsWith('TIMESTAMP'));
}
