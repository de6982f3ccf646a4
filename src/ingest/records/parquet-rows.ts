import {
  type AsyncBuffer,
  type FileMetaData,
  type ParquetParsers,
  parquetReadObjects,
  type RowGroup,
  type SchemaElement,
} from 'hyparquet';
import { checkJsonBounds } from '../../json/json.ts';
import { DEFAULT_INGEST_LIMITS } from '../limits.ts';
import { leavesOf } from './parquet-leaves.ts';
import { checkedFile, checkedGroup, type PageColumn } from './parquet-pages.ts';

/*
 * The rows of a row group, some at a time:
 *
 *   columns, as they are packed   [ page | page | page | … ]      held until the last of their rows is read
 *   rows                            ▲ unpacked for one slice: pages before it are passed over, those behind it not reached
 *
 * Cost: the packed bytes of the columns that are read, or of some pages, where the file says where those lie. Beside that
 * some times SLICE_BYTES; of a page, where that is larger. The pages at both ends of a slice are unpacked twice, those of
 * columns with little in them more often. Where values are lists or structures, pages do not say how many rows they have: such
 * a row group is one slice.
 */

/** Rows of a page that was unpacked. */
interface PageRows {
  readonly pathInSchema: readonly string[];
  readonly rowStart: number;
  readonly rowEnd: number;
}

export interface RowRange {
  readonly group: RowGroup;
  /** Rows from..to-1 of the file, of that group. */
  readonly from: number;
  readonly to: number;
  /** Unpacked bytes that one of its columns may have. */
  readonly bytesMax: number;
}

/** Unpacked bytes of a slice: some hundreds of documents. */
const SLICE_BYTES = 2 * 2 ** 20;
/** Rows that are in memory at once, however few bytes they have: each is an object. */
const SLICE_ROWS_MAX = 2 ** 20;

/** @throws what reading the file throws, and what its library says of bytes that are no rows: after the rows before */
export async function* rowSlices(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  { group, from, to, bytesMax }: RowRange,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const readable = readableGroup(metadata, group);
  const pages = pageColumns(metadata, readable, columns, bytesMax);
  const held = new HeldParts(checkedFile(file, pages));
  const { group: checked, compressors } = checkedGroup(readable, pages);
  const understood = {
    ...metadata,
    schema: metadata.schema.map(understoodAs),
    row_groups: metadata.row_groups.map((one) => (one === group ? checked : one)),
  };
  const bytes = bytesByColumn(group, columns);
  const rowsOf = (sliceBytes: number, columnBytes: number) =>
    sliceBytes / Math.max(1, columnBytes / Number(group.num_rows));
  const all = bytes.values().reduce((sum, one) => sum + one, 0);
  const isFlat = areFlat(metadata, group, columns);
  if (!isFlat && to - from > SLICE_ROWS_MAX) throw new Error(`it has more than ${SLICE_ROWS_MAX} rows of lists`);
  let size = isFlat ? Math.max(1, Math.ceil(rowsOf(SLICE_BYTES, all))) : to - from;
  const ends = new Map<string, number>();
  const onPage = ({ pathInSchema, rowStart, rowEnd }: PageRows) => {
    ends.set(pathInSchema[0]!, rowEnd);
    // a page of more than that would be unpacked for every slice of it
    if (rowEnd - rowStart > rowsOf(SLICE_BYTES, bytes.get(pathInSchema[0]!) ?? 0))
      size = Math.max(size, rowEnd - rowStart);
  };
  for (let start = from; start < to; ) {
    const end = Math.min(to, start + Math.min(size, SLICE_ROWS_MAX));
    const some = { file: held, metadata: understood, columns, compressors, parsers, useOffsetIndex: true, onPage };
    const rows = await parquetReadObjects({ ...some, rowStart: start, rowEnd: end });
    if (rows.length !== end - start) throw new Error(`it has ${rows.length} rows in place of ${end - start}`);
    const short = isFlat && [...ends].find(([, rowEnd]) => rowEnd < end);
    if (short) throw new Error(`its column ${short[0]} ends at row ${short[1]}`);
    ends.clear();
    held.next();
    yield rows;
    start = end;
  }
}

/**
 * A row group with one column of each name. The library begins to read all that it is given. Where it then meets a column that
 * it does not know, or two of one name, nobody hears that another one is damaged, and that ends the process.
 *
 * @throws Error where a column is none of the schema
 */
function readableGroup({ schema }: FileMetaData, group: RowGroup): RowGroup {
  // of several of one name the first
  const leaves = leavesOf(schema).toReversed();
  const types = new Map(leaves.map(({ path, element }) => [path.join('\0'), element.type]));
  const met = new Set<string>();
  const columns = group.columns.filter(({ meta_data }) => {
    if (meta_data === undefined) throw new Error('it has an encrypted column');
    const path = meta_data.path_in_schema.join('\0');
    if (met.has(path)) return false;
    if (types.get(path) !== meta_data.type) throw new Error('its columns are not those of the schema');
    met.add(path);
    return true;
  });
  return { ...group, columns };
}

/** The columns of a group that are read, of which the pages are checked. */
function pageColumns(
  { schema }: FileMetaData,
  group: RowGroup,
  columns: readonly string[],
  bytesMax: number,
): PageColumn[] {
  const leaves = new Map(leavesOf(schema).map((leaf) => [leaf.path.join('\0'), leaf]));
  return group.columns.flatMap(({ meta_data: chunk }) => {
    const leaf = leaves.get(chunk!.path_in_schema.join('\0'));
    return leaf !== undefined && columns.includes(leaf.path[0]!) ? [{ leaf, chunk: chunk!, bytesMax }] : [];
  });
}

/** What a column is read as: of what the library does not know, the bytes. */
function understoodAs(element: SchemaElement): SchemaElement {
  const { converted_type, logical_type, ...stored } = element;
  if (converted_type === 'INTERVAL') return stored;
  return converted_type === 'BSON' ? { ...stored, converted_type: 'JSON' } : element;
}

const parsers: Partial<ParquetParsers> = { jsonFromBytes };

/** What JSON says; its bytes where it is none, or more than a record may have: one value that is wrong costs no other row. */
function jsonFromBytes(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return;
  try {
    checkJsonBounds(bytes, DEFAULT_INGEST_LIMITS);
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return bytes;
  }
}

/** Unpacked bytes of each of these columns, of which there may be several parts. */
export function bytesByColumn(group: RowGroup, columns: readonly string[]): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const { meta_data } of group.columns) {
    const name = meta_data?.path_in_schema[0];
    if (name === undefined || !columns.includes(name)) continue;
    bytes.set(name, (bytes.get(name) ?? 0) + Number(meta_data!.total_uncompressed_size));
  }
  return bytes;
}

/** Whether all columns have one value a row. */
function areFlat({ schema }: FileMetaData, group: RowGroup, columns: readonly string[]): boolean {
  const isOne = (column: string) =>
    group.columns.filter(({ meta_data }) => meta_data?.path_in_schema[0] === column).length === 1 &&
    !schema.some(
      ({ name, repetition_type, num_children }) =>
        name === column && (repetition_type === 'REPEATED' || (num_children ?? 0) > 0),
    );
  return columns.every(isOne);
}

/** A file of which what one slice was read from is there for the next one. */
class HeldParts implements AsyncBuffer {
  readonly byteLength: number;
  private readonly file: AsyncBuffer;
  private before = new Map<string, Promise<ArrayBuffer>>();
  private now = new Map<string, Promise<ArrayBuffer>>();

  constructor(file: AsyncBuffer) {
    this.file = file;
    this.byteLength = file.byteLength;
  }

  slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    const name = `${start} ${end}`;
    const part = this.now.get(name) ?? this.before.get(name) ?? Promise.resolve(this.file.slice(start, end));
    this.now.set(name, part);
    return part;
  }

  /** What was not read again is let go of. */
  next(): void {
    this.before = this.now;
    this.now = new Map();
  }
}
