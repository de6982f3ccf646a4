import type { AsyncBuffer, ColumnMetaData, CompressionCodec } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import type { ParquetLeaf } from '../../records/parquet-leaves.ts';
import { checkedFile, checkedUnpacking, type PageColumn } from '../../records/parquet-pages.ts';
import type { ColumnRows } from '../outputs/waiting-rows.ts';

/*
 * The values of a column in a row group, with their levels, page by page:
 *
 *   [ dictionary page ][ data page | data page | … ]      a page is levels, and values or their places in the dictionary
 *
 * What does not fit together is an error: levels that cannot be, values that are missing, too few rows. A row group that is
 * lost is told; a value that is made up is not.
 */

type Page = ReturnType<typeof readDataPage> & { readonly count: number; readonly isIndexed: boolean };

const OTHER_ROWS = 'it has other rows than its row group';
/** Files of old writers leave the head of the dictionary page out of a column's length. */
const SPARE_BYTES = 100;

/**
 * @param stays of each row of the group whether it is wanted
 * @throws Error, also one of the library's, where it cannot be read
 */
export async function readColumn(
  file: AsyncBuffer,
  column: PageColumn,
  stays: readonly boolean[],
): Promise<ColumnRows> {
  const { leaf, chunk } = column;
  if (leaf.repetitionMax === 0 && Number(chunk.num_values) !== stays.length) throw new Error(OTHER_ROWS);
  const { start, end } = placeOf(chunk);
  const bytes = await checkedFile(file, [column]).slice(start, Math.min(end + SPARE_BYTES, file.byteLength));
  const into = new Selection(leaf, stays);
  for (const [page, dictionary] of pagesOf(bytes, column)) into.add(page, dictionary);
  return into.end();
}

function placeOf({ dictionary_page_offset, data_page_offset, total_compressed_size }: ColumnMetaData) {
  const data = Number(data_page_offset);
  const dictionary = Number(dictionary_page_offset ?? 0);
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  return { start, end: start + Number(total_compressed_size) };
}

/** Data pages, each with the dictionary of its column. */
function* pagesOf(bytes: ArrayBuffer, column: PageColumn): Generator<readonly [Page, ArrayLike<unknown> | null]> {
  const { leaf } = column;
  const { num_values } = column.chunk;
  const { type, type_length } = leaf.stored;
  const codec = 'checked' as CompressionCodec;
  const compressors = { [codec]: checkedUnpacking(column) };
  const decoder = {
    ...{ element: leaf.stored, type: type!, schemaPath: [...leaf.nodes], pathInSchema: [...leaf.path] },
    ...{ codec, compressors, parsers: DEFAULT_PARSERS },
  };
  const reader = { view: new DataView(bytes), offset: 0 };
  let dictionary: ArrayLike<unknown> | null = null;
  for (let left = Number(num_values); left > 0; ) {
    const header = parquetHeader(reader);
    const packed = new Uint8Array(bytes, reader.offset, header.compressed_page_size);
    reader.offset += packed.length;
    const unpacked = () => decompressPage(packed, header.uncompressed_page_size, codec, compressors);
    const { data_page_header: data, data_page_header_v2: dataV2, dictionary_page_header: words } = header;
    if (words !== undefined) {
      const page = unpacked();
      const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
      dictionary = readPlain({ view, offset: 0 }, type!, words.num_values, type_length);
      continue;
    }
    const some = data ?? dataV2;
    if (some === undefined) continue;
    // before so many are made room for
    if (some.num_values > left) throw new Error(OTHER_ROWS);
    if (data !== undefined) refuseOldLevels(data, leaf);
    const read = data === undefined ? readDataPageV2(packed, header, decoder) : readDataPage(unpacked(), data, decoder);
    yield [{ ...read, count: some.num_values, isIndexed: some.encoding.endsWith('_DICTIONARY') }, dictionary];
    left -= some.num_values;
  }
}

/** Levels in the form of before 2013, which the library takes for those of today. */
function refuseOldLevels(
  head: { readonly definition_level_encoding: string; readonly repetition_level_encoding: string },
  { definitionMax, repetitionMax }: ParquetLeaf,
): void {
  const isOld =
    (definitionMax > 0 && head.definition_level_encoding === 'BIT_PACKED') ||
    (repetitionMax > 0 && head.repetition_level_encoding === 'BIT_PACKED');
  if (isOld) throw new Error('its levels are in an old form (BIT_PACKED)');
}

/** Rows that are wanted, out of pages. */
class Selection {
  readonly #leaf: ParquetLeaf;
  readonly #stays: readonly boolean[];
  readonly #rows: ColumnRows = { values: [], definition: [], repetition: [] };
  /** The row that was begun last. */
  #row = -1;

  constructor(leaf: ParquetLeaf, stays: readonly boolean[]) {
    this.#leaf = leaf;
    this.#stays = stays;
  }

  add({ definitionLevels, repetitionLevels, dataPage, count, isIndexed }: Page, dictionary: ArrayLike<unknown> | null) {
    const { definitionMax, repetitionMax } = this.#leaf;
    const { values, definition, repetition } = this.#rows;
    if (isIndexed && dictionary === null) throw new Error('its dictionary is missing');
    // where all values of a page are there, the library leaves their levels out
    const levels = definitionLevels === undefined || definitionLevels.length === 0 ? null : definitionLevels;
    let next = 0;
    for (let at = 0; at < count; at++) {
      const defined = levels === null ? definitionMax : levels[at];
      const repeated = repetitionMax === 0 ? 0 : repetitionLevels[at];
      if (!isLevel(defined, definitionMax) || !isLevel(repeated, repetitionMax)) throw new Error('it has wrong levels');
      if (repeated === 0) this.#row++;
      let value: unknown = null;
      if (defined === definitionMax) {
        value = isIndexed ? dictionary![dataPage[next++] as number] : dataPage[next++];
        if (value === undefined) throw new Error('values are missing');
      }
      const isWanted = this.#stays[this.#row];
      if (isWanted === undefined) throw new Error(OTHER_ROWS);
      if (!isWanted) continue;
      values.push(value);
      if (definitionMax > 0) definition.push(defined);
      if (repetitionMax > 0) repetition.push(repeated);
    }
    if (next !== dataPage.length) throw new Error('it has more values than levels');
  }

  end(): ColumnRows {
    if (this.#row !== this.#stays.length - 1) throw new Error('it has fewer rows than its row group');
    return this.#rows;
  }
}

const isLevel = (level: number | undefined, max: number): level is number =>
  level !== undefined && level >= 0 && level <= max;
