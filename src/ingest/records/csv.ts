import { Buffer, isUtf8 } from 'node:buffer';
import { CsvError, type Options, parse } from 'csv-parse/sync';
import type { MappedRecord, RecordMap } from '../fields/record-map.ts';
import type { IngestLimits } from '../limits.ts';
import type { IngestItem, Position, SourceReader, Span, UnpackedChunk } from '../port.ts';
import { FOUND, Spans } from '../traced.ts';
import { RowSplitter, type SplitRow } from './row-splitter.ts';
import { inRuns } from './runs.ts';
import { Spots } from './spots.ts';

/*
 * CSV and TSV (RFC 4180, and what programs write). Rows are cut here, so that each can be bounded, named and gone on from.
 * They are taken apart by csv-parse, many at a time; where it finds other rows in them than were cut, each by itself.
 *
 * The first row names the columns, unless they are told. With that row a file is read from its beginning to go on: its rows
 * are cut again, which costs little, and are not taken apart.
 */

export interface CsvOptions {
  /** One character of ASCII. */
  readonly delimiter: string;
  /** null: the first row names them. */
  readonly columns: readonly string[] | null;
}

type CsvLimits = Pick<IngestLimits, 'recordBytesMax' | 'fieldsMax'>;

interface Row {
  readonly bytes: Buffer;
  readonly record: number;
  readonly next: Position;
  readonly span: Span | null;
}

/** Rows are taken apart together up to so many bytes. */
const TOGETHER_BYTES_MAX = 64 * 1024;

export function csvReader(map: RecordMap, options: CsvOptions, limits: CsvLimits): SourceReader {
  return async function* items(bytes, from) {
    const spots = options.columns === null ? new Spots(bytes, from, 'from the beginning') : new Spots(bytes, from);
    const rows = new RowSplitter(options.delimiter, limits.recordBytesMax, limits.fieldsMax);
    const spans = new Spans(bytes);
    const isTraced = bytes.isTraced === true;
    const table = new Table({ map, file: bytes.file, isTraced }, options, from === null || from.byte === 0);
    let behind = from?.byte ?? 0;

    function* take({ bytes: row, fault, end }: SplitRow): Generator<IngestItem> {
      const isTold = spots.pass(end);
      const { record } = spots;
      // a row that is given up may have swallowed others, and would do so again in another file
      const span = spans.to(end, fault !== null);
      if (fault === null && row !== null) yield* table.add({ bytes: row, record, next: spots.next(), span }, isTold);
      else {
        yield* table.takeApart();
        const refused = faultOf(fault, limits);
        if (isTold) yield { at: `row ${record}`, next: spots.next(), bytes: 0, span, ...refused };
      }
    }

    function* itemsIn(chunk: UnpackedChunk): Generator<IngestItem> {
      if (chunk.damage !== null) {
        rows.drop();
        const span = spans.to(behind, true);
        const damage = spots.damage(chunk, `behind row ${spots.record}`);
        if (damage !== null) yield { ...damage, span };
      }
      spots.enter(chunk, rows.isClean);
      if (!spots.isPacked) behind = chunk.byte;
      for (const row of rows.push(chunk.bytes, behind)) yield* take(row);
      // what they lie in may be written over
      yield* table.takeApart();
      behind += chunk.bytes.length;
    }

    function* lastItems(): Generator<IngestItem> {
      for (const row of rows.end(behind)) yield* take(row);
      yield* table.takeApart();
    }

    for await (const chunk of bytes.chunks) {
      yield* inRuns(itemsIn(chunk));
      if (table.isUnusable) return;
    }
    yield* inRuns(lastItems());
  };
}

interface Reading {
  readonly map: RecordMap;
  readonly file: string;
  readonly isTraced: boolean;
}

/** Rows on their way to records. */
class Table {
  /** Its first row names no columns: nothing of it can be read. */
  isUnusable = false;
  readonly #reading: Reading;
  readonly #options: Options;
  #columns: readonly string[] | null;
  #isFirst: boolean;
  #rows: Row[] = [];
  #bytes = 0;

  constructor(reading: Reading, { delimiter, columns }: CsvOptions, isFromStart: boolean) {
    this.#reading = reading;
    this.#columns = columns;
    this.#isFirst = isFromStart;
    this.#options = { delimiter, record_delimiter: ['\r\n', '\n'], relax_quotes: true, relax_column_count: true };
  }

  *add(row: Row, isTold: boolean): Generator<IngestItem, void, undefined> {
    const bytes = this.#isFirst && hasMark(row.bytes) ? row.bytes.subarray(3) : row.bytes;
    this.#isFirst = false;
    if (this.isUnusable || isBlank(bytes)) return;
    if (this.#columns === null) {
      const [columns] = fieldsOf([bytes], this.#options);
      if (typeof columns !== 'string') this.#columns = columns!;
      else {
        this.isUnusable = true;
        const refused = malformed(`The row that names the columns cannot be read: ${columns}`);
        const span = row.span && { ...row.span, end: Number.POSITIVE_INFINITY, isLost: true };
        if (isTold) yield itemOf({ ...row, span }, refused);
      }
      return;
    }
    if (!isTold) return;
    this.#rows.push({ ...row, bytes });
    this.#bytes += bytes.length;
    if (this.#bytes > TOGETHER_BYTES_MAX) yield* this.takeApart();
  }

  *takeApart(): Generator<IngestItem, void, undefined> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    this.#bytes = 0;
    if (this.#reading.isTraced) {
      for (const row of rows) yield itemOf(row, FOUND);
      return;
    }
    const all = rows.map(({ bytes }) => bytes);
    for (const [index, fields] of fieldsOf(all, this.#options).entries()) {
      const row = rows[index]!;
      yield itemOf(row, typeof fields === 'string' ? malformed(fields) : this.#mapped(fields, row.record));
    }
  }

  #mapped(fields: readonly string[], record: number): MappedRecord {
    const columns = this.#columns!;
    if (fields.length !== columns.length)
      return malformed(`The row has ${fields.length} fields, and there are ${columns.length} columns.`);
    const value = Object.fromEntries(columns.map((column, index) => [column, fields[index]]));
    return this.#reading.map.map(value, { file: this.#reading.file, record });
  }
}

const itemOf = ({ bytes, record, next, span }: Row, made: MappedRecord): IngestItem => ({
  ...{ at: `row ${record}`, next, bytes: bytes.length, span },
  ...made,
});

const malformed = (detail: string): MappedRecord => ({ refused: 'malformed', detail, url: null });

function faultOf(fault: SplitRow['fault'], { recordBytesMax, fieldsMax }: CsvLimits): MappedRecord {
  if (fault === 'open-quote') {
    const detail = `A quote is opened and not closed within ${recordBytesMax} bytes (INGEST_RECORD_BYTES_MAX); reading went on at the next line.`;
    return malformed(detail);
  }
  const [count, unit] =
    fault === 'too-wide' ? [fieldsMax, 'fields'] : [recordBytesMax, 'bytes (INGEST_RECORD_BYTES_MAX)'];
  return { refused: 'too-large', detail: `The row has more than ${count} ${unit}.`, url: null };
}

/** The fields of each row, or why it has none. */
function fieldsOf(rows: readonly Buffer[], options: Options): (string[] | string)[] {
  const whole = rows.length === 1 ? rows[0]! : Buffer.concat(rows);
  if (isUtf8(whole)) {
    try {
      const parsed = parse(whole, options) as unknown as string[][];
      if (parsed.length === rows.length) return parsed;
      if (rows.length === 1) return ['It is not one row.'];
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      if (rows.length === 1) return [`It is no row: ${error.code}.`];
    }
  } else if (rows.length === 1) return ['It is not UTF-8.'];
  return rows.flatMap((row) => fieldsOf([row], options));
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length <= 2 && bytes.every((byte) => byte === 0x0a || byte === 0x0d);
}

function hasMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
