import type { AsyncBuffer, ColumnMetaData, CompressionCodec, Compressors, PageHeader, RowGroup } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { compressors as unpackers } from 'hyparquet-compressors';
import type { ParquetLeaf } from './parquet-leaves.ts';
import { structEnd } from './thrift-fields.ts';

/*
 * Pages of columns, before the library takes them apart. It believes what they say: a run that claims 2^31 values is written
 * out to the last of them, whatever the page has. So that damage costs no more than reading does, each page is checked first:
 *
 *   head                              sizes and counts are those of its column      when its bytes are read from the file
 *   levels and values as they lie     runs are no longer than the page              the same
 *   levels and values unpacked        the same                                      by what unpacks them
 */

/** A column chunk whose pages are checked. */
export interface PageColumn {
  readonly leaf: ParquetLeaf;
  readonly chunk: ColumnMetaData;
  /** Bytes that its pages may have together, unpacked. */
  readonly bytesMax: number;
}

/** Values of one page, which are all in memory at once. Writers make pages of some 20,000; runs of one value, longer ones. */
const PAGE_VALUES_MAX = 2 ** 24;

/** A page with its head. `start`, `end`: of what is behind the head, in `bytes`. */
interface Page {
  readonly header: PageHeader;
  readonly start: number;
  readonly end: number;
}

/** @returns null where no page is: it is for the library to say so */
function pageAt(bytes: Uint8Array, at: number): Page | null {
  try {
    const start = structEnd(bytes, at);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const header = parquetHeader({ view, offset: at });
    const end = start + header.compressed_page_size;
    return end >= start && end <= bytes.length ? { header, start, end } : null;
  } catch {
    return null;
  }
}

const countOf = ({ data_page_header, data_page_header_v2, dictionary_page_header }: PageHeader): number =>
  (data_page_header ?? data_page_header_v2 ?? dictionary_page_header)?.num_values ?? 0;

/**
 * The pages that lie between two places of the bytes of a column.
 *
 * @throws Error where one is no page, or claims what cannot be
 */
function checkHeads(bytes: Uint8Array, from: number, to: number, { leaf, chunk, bytesMax }: PageColumn): void {
  let unpacked = 0;
  for (let at = from; at < to; ) {
    const page = pageAt(bytes, at);
    if (page === null) {
      // a struct that the library would not survive is none of a page
      if (at + 1 < to) throw new Error('it has a page whose head is none');
      return;
    }
    const { header, start, end } = page;
    unpacked += header.uncompressed_page_size;
    if (!(header.uncompressed_page_size >= 0) || unpacked > bytesMax) throw new Error('it has pages of too many bytes');
    const count = countOf(header);
    if (!(count >= 0) || count > PAGE_VALUES_MAX) throw new Error('it has a page of too many values');
    const isData = header.dictionary_page_header === undefined;
    if (isData && count > Number(chunk.num_values)) throw new Error('it has a page of more values than its column');
    const v2 = header.data_page_header_v2;
    if (v2 !== undefined) checkLevelsV2(bytes.subarray(start, end), v2, leaf);
    if (v2?.is_compressed === false) checkPage(bytes.subarray(valuesStart(page), end), header, leaf, bytesMax);
    at = end;
  }
}

const valuesStart = ({ header: { data_page_header_v2: v2 }, start }: Page) =>
  start + (v2 === undefined ? 0 : v2.repetition_levels_byte_length + v2.definition_levels_byte_length);

/** What is unpacked of a page: of version 1 its levels too. @throws Error where a run is longer than the page */
function checkPage(bytes: Uint8Array, header: PageHeader, leaf: ParquetLeaf, bytesMax: number): void {
  const { data_page_header: v1, data_page_header_v2: v2 } = header;
  const data = v1 ?? v2;
  if (data === undefined) return;
  let at = 0;
  const count = data.num_values;
  const levels = v1 === undefined ? [] : [leaf.repetitionMax, leaf.definitionMax].filter((max) => max > 0);
  for (const max of levels) at = checkSized(bytes, at, widthOf(max), count);
  const { encoding } = data;
  if (encoding.endsWith('_DICTIONARY')) checkRuns(bytes, { at: at + 1, end: bytes.length }, bytes[at] ?? 0, count);
  else if (encoding === 'RLE') checkSized(bytes, at, 1, count);
  else if (encoding.startsWith('DELTA_')) checkDeltas(bytes, at, data, bytesMax);
}

/** Runs behind the number of their bytes. @returns the place behind them */
function checkSized(bytes: Uint8Array, at: number, width: number, count: number): number {
  if (at + 4 > bytes.length) throw new Error('it has a page that ends in its levels');
  const end = at + 4 + new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0, true);
  checkRuns(bytes, { at: at + 4, end: Math.min(end, bytes.length) }, width, count);
  return end;
}

function checkLevelsV2(
  bytes: Uint8Array,
  head: NonNullable<PageHeader['data_page_header_v2']>,
  { repetitionMax, definitionMax }: ParquetLeaf,
): void {
  const { repetition_levels_byte_length: first, definition_levels_byte_length: second, num_values, num_nulls } = head;
  if (!(first >= 0 && second >= 0) || first + second > bytes.length)
    throw new Error('it has a page without its levels');
  if (!(num_nulls >= 0) || num_nulls > num_values) throw new Error('it has a page of more nulls than values');
  if (repetitionMax > 0) checkRuns(bytes, { at: 0, end: first }, widthOf(repetitionMax), num_values);
  if (definitionMax > 0) checkRuns(bytes, { at: first, end: first + second }, widthOf(definitionMax), num_values);
}

const widthOf = (max: number) => 32 - Math.clz32(max);

/** Runs of one value have their count, and the value; others are as long as their bytes. @throws Error */
function checkRuns(bytes: Uint8Array, { at, end }: { at: number; end: number }, width: number, count: number): void {
  if (width === 0) return;
  for (let seen = 0; seen < count && at < end; ) {
    let head = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      head += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80 || shift > 28) break;
    }
    const length = Math.floor(head / 2);
    if (head % 2 === 1) {
      seen += 8 * length;
      at += width * length;
    } else {
      if (length > count) throw new Error(`it has a run of ${length} values in a page of ${count}`);
      seen += length;
      at += (width + 7) >> 3;
    }
  }
}

/** @throws Error where values would be longer than all pages of the column may be */
function checkDeltas(
  bytes: Uint8Array,
  at: number,
  { encoding, num_values }: { readonly encoding: string; readonly num_values: number },
  bytesMax: number,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (num_values === 0 || at >= bytes.length) return;
  const [blockValues, blocks, count] = varInts(bytes, at);
  if (blockValues > PAGE_VALUES_MAX || blocks > blockValues || count > num_values)
    throw new Error('it has a page of too many differences');
  if (encoding !== 'DELTA_BYTE_ARRAY') return;
  const reader = { view, offset: at };
  const [shared, own] = [new Int32Array(count), new Int32Array(count)];
  deltaBinaryUnpack(reader, count, shared);
  deltaBinaryUnpack(reader, count, own);
  let [before, all] = [0, 0];
  for (const [i, length] of shared.entries()) {
    if (length < 0 || length > before || own[i]! < 0) throw new Error('it has a value that begins as none before it');
    before = length + own[i]!;
    all += before;
    if (all > bytesMax) throw new Error('it has values of too many bytes');
  }
}

/** The first three numbers. */
function varInts(bytes: Uint8Array, from: number): [number, number, number] {
  let at = from;
  const next = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80 || shift > 28) return value;
    }
  };
  return [next(), next(), next()];
}

/** The bytes of a file, of whose columns the pages are checked once they are read. */
export function checkedFile(file: AsyncBuffer, columns: readonly PageColumn[]): AsyncBuffer {
  const places = columns.map((column) => ({ column, ...placeOf(column.chunk) }));
  return {
    byteLength: file.byteLength,
    slice: async (start, end = file.byteLength) => {
      const bytes = await file.slice(start, end);
      for (const place of places) {
        const [from, to] = [Math.max(start, place.start), Math.min(end, place.end)];
        if (from < to) checkHeads(new Uint8Array(bytes), from - start, to - start, place.column);
      }
      return bytes;
    },
  };
}

/** As the library takes it. */
function placeOf({ dictionary_page_offset, data_page_offset, total_compressed_size }: ColumnMetaData) {
  const start = Number(dictionary_page_offset || data_page_offset);
  return { start, end: start + Number(total_compressed_size) };
}

/**
 * A row group whose columns are packed in ways of their own, and what unpacks them: it knows of which column a page is, and
 * checks it.
 */
export function checkedGroup(group: RowGroup, columns: readonly PageColumn[]) {
  const compressors: Compressors = {};
  const checked = group.columns.map((one, at) => {
    const column = columns.find(({ chunk }) => chunk === one.meta_data);
    if (column === undefined) return one;
    const codec = `${column.chunk.codec} ${at}` as CompressionCodec;
    compressors[codec] = checkedUnpacking(column);
    return { ...one, meta_data: { ...column.chunk, codec } };
  });
  return { group: { ...group, columns: checked }, compressors };
}

/** What unpacks the pages of a column, whose bytes begin with the head of a page; it throws where one claims what cannot be. */
export function checkedUnpacking({ chunk: { codec }, leaf, bytesMax }: PageColumn) {
  let walk: { readonly bytes: ArrayBufferLike; at: number } | null = null;
  return (input: Uint8Array, length: number): Uint8Array => {
    // the same bytes are read again for the next rows
    if (walk?.bytes !== input.buffer || walk.at > input.byteOffset) walk = { bytes: input.buffer, at: 0 };
    const all = new Uint8Array(input.buffer);
    for (;;) {
      const page = pageAt(all, walk.at);
      if (page === null) throw new Error('its pages do not follow one on the other');
      walk.at = page.end;
      // the library passes over pages before the first row that it wants
      if (valuesStart(page) !== input.byteOffset) continue;
      const bytes = unpacked(codec, input, length);
      checkPage(bytes, page.header, leaf, bytesMax);
      return bytes;
    }
  };
}

/** @throws Error where it cannot be unpacked */
function unpacked(codec: CompressionCodec, input: Uint8Array, length: number): Uint8Array {
  if (codec === 'UNCOMPRESSED') return input;
  const unpack = unpackers[codec];
  if (unpack === undefined) throw new Error(`it is packed by ${codec}, which is not read`);
  return unpack(input, length);
}
