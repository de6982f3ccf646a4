import type { CompressionCodec, FileMetaData, SchemaElement, SchemaTree } from 'hyparquet';
import type { IngestLimits } from '../../limits.ts';

/*
 * The columns of a Parquet file as they are stored: a value, or none, and two levels which say where it belongs in lists and
 * groups. Nothing of that is put together when rows are copied, and what values stand for is not looked at, so nothing is lost.
 *
 *   price       FIXED_LEN_BYTE_ARRAY(12), DECIMAL(20, 3)    12 bytes
 *   seen        INT96                                       12 bytes
 *   score       DOUBLE                                      64 bits, so that no NaN becomes another one
 *   words       MAP { key_value { key, value } }            two columns, words.key_value.key and words.key_value.value
 */

type RowGroup = FileMetaData['row_groups'][number];

/** A column that holds values. */
export interface ParquetLeaf {
  /** Its name, with those of the groups that it is in. */
  readonly path: readonly string[];
  /** What the file says of it. */
  readonly element: SchemaElement;
  /** What its values are read and written as: the type has the same bytes. */
  readonly stored: SchemaElement;
  /** From the root to it. */
  readonly nodes: readonly SchemaTree[];
  /** The levels of a value that is there: how many of these nodes may be absent, and how many are lists. */
  readonly definitionMax: number;
  readonly repetitionMax: number;
}

/** Groups within groups; data sets have fewer than ten. */
const DEPTH_MAX = 100;

/** The columns that hold values, in the order of the file. @throws Error where the schema is none */
export function leavesOf(schema: readonly SchemaElement[]): ParquetLeaf[] {
  const leaves: ParquetLeaf[] = [];
  const open: { readonly node: SchemaTree; left: number }[] = [];
  for (const [at, element] of schema.entries()) {
    while (open.at(-1)?.left === 0) open.pop();
    const parent = open.at(-1);
    if (parent !== undefined) parent.left--;
    if (open.length > DEPTH_MAX || (parent === undefined && at > 0)) throw new Error('its schema is no tree');
    // some files say of the root that it is repeated, which means nothing
    const own = at === 0 ? { name: element.name } : element;
    open.push({ node: { element: own, children: [], count: 1, path: [] }, left: element.num_children ?? 0 });
    if (element.type !== undefined) leaves.push(leafOf(element, open));
  }
  if (open.some(({ left }) => left > 0)) throw new Error('its schema ends too early');
  return leaves;
}

function leafOf(element: SchemaElement, open: readonly { readonly node: SchemaTree }[]): ParquetLeaf {
  const nodes = open.map(({ node }) => node);
  const below = nodes.slice(1).map((node) => node.element);
  return {
    ...{ path: below.map(({ name }) => name), element, stored: storedAs(element), nodes },
    definitionMax: below.filter(({ repetition_type }) => repetition_type !== 'REQUIRED').length,
    repetitionMax: below.filter(({ repetition_type }) => repetition_type === 'REPEATED').length,
  };
}

function storedAs({ name, type, type_length }: SchemaElement): SchemaElement {
  if (type === 'FLOAT') return { name, type: 'INT32' };
  if (type === 'DOUBLE') return { name, type: 'INT64' };
  if (type === 'INT96') return { name, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12 };
  return { name, type: type!, ...(type_length === undefined ? {} : { type_length }) };
}

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
      return `its row group ${at + 1} has ${bytes} bytes in all columns, of ${rowGroupBytesMax} at most (rowGroupBytesMax)`;
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
