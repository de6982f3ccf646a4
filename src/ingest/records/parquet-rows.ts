import { type AsyncBuffer, type FileMetaData, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

/*
 * The rows of a row group, some at a time:
 *
 *   columns, as they are packed   [ page | page | page | … ]      held until the last of their rows is read
 *   rows                            ▲ unpacked for one slice: pages before it are passed over, those behind it not reached
 *
 * Cost: the packed bytes of the columns that are read, where a file says where its pages lie those of some pages; and some
 * times SLICE_BYTES, or of a page where that is larger. The pages at both ends of a slice are unpacked twice. Where values
 * are lists or structures, pages do not say how many rows they have: such a row group is one slice.
 */

export interface RowRange {
  /** Rows from..to-1 of the file, of one row group. */
  readonly from: number;
  readonly to: number;
  /** About, unpacked. */
  readonly bytesEach: number;
}

/** Unpacked bytes of a slice: some hundreds of documents. */
const SLICE_BYTES = 4 * 2 ** 20;

/** @throws what reading the file throws, and what its library says of bytes that are no rows: after the rows before */
export async function* rowSlices(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  { from, to, bytesEach }: RowRange,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const held = new HeldParts(file);
  let size = areFlat(metadata, columns) ? Math.max(1, Math.ceil(SLICE_BYTES / Math.max(1, bytesEach))) : to - from;
  const onPage = ({ rowStart, rowEnd }: { readonly rowStart: number; readonly rowEnd: number }) => {
    // or each page would be unpacked for every slice of it
    size = Math.max(size, rowEnd - rowStart);
  };
  for (let start = from; start < to; ) {
    const end = Math.min(to, start + size);
    const some = { file: held, metadata, columns, compressors, useOffsetIndex: true, onPage };
    const rows = await parquetReadObjects({ ...some, rowStart: start, rowEnd: end });
    if (rows.length !== end - start) throw new Error(`it has ${rows.length} rows in place of ${end - start}`);
    held.next();
    yield rows;
    start = end;
  }
}

/** Whether all columns have one value a row. */
function areFlat({ schema, row_groups }: FileMetaData, columns: readonly string[]): boolean {
  const chunks = row_groups[0]?.columns ?? [];
  const isOne = (column: string) =>
    chunks.filter(({ meta_data }) => meta_data?.path_in_schema[0] === column).length === 1 &&
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
