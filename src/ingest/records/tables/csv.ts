import type { Buffer } from 'node:buffer';
import type { MappedRecord, RecordMap } from '../../fields/record-map.ts';
import { shown } from '../../fields/shown.ts';
import type { IngestLimits } from '../../limits.ts';
import type { IngestItem, Position, SourceReader, Span, UnpackedChunk } from '../../port.ts';
import { FOUND, Spans } from '../../traced.ts';
import { inRuns } from '../runs.ts';
import { Spots } from '../spots.ts';
import { type Dialect, toldDelimiter } from './dialect.ts';
import type { RowFault, SplitRow } from './row-bytes.ts';
import { RowFields } from './row-fields.ts';
import { RowSplitter } from './row-splitter.ts';

/*
 * CSV and TSV (RFC 4180, and what programs write). Rows are cut here, so that each can be bounded, named and gone on from.
 *
 *   sep=;                    Excel's, in the first line     ┐
 *   # exported yesterday     a comment                      ├ before the table: passed over, and counted as rows
 *                            a blank line                   ┘
 *   url;text                 the head: names of columns; of a table without it they are 1, 2, 3 …
 *   https://a.example/;…     a record
 *
 * A line that begins with # is the head if it holds the name of a field that is looked for. To go on, a file is read from its
 * beginning: its rows are cut again, which costs little, and are not taken apart.
 */

type CsvLimits = Pick<IngestLimits, 'recordBytesMax' | 'fieldsMax'>;

interface Row {
  readonly bytes: Buffer;
  readonly record: number;
  readonly next: Position;
  readonly span: Span | null;
}

/** How many bytes of rows are taken apart together. */
const TOGETHER_BYTES_MAX = 64 * 1024;

export function csvReader(map: RecordMap, dialect: Dialect, limits: CsvLimits): SourceReader {
  return async function* items(bytes, from) {
    const spots = new Spots(bytes, from, 'from the beginning');
    const rows = new RowSplitter(dialect, limits.recordBytesMax, limits.fieldsMax);
    const spans = new Spans(bytes);
    const isTraced = bytes.isTraced === true;
    const table = new Table({ map, file: bytes.file, isTraced }, dialect, rows);
    let behind = 0;

    function* take({ bytes: row, fault, blank = 0, end }: SplitRow): Generator<IngestItem> {
      if (blank > 0) {
        spots.passUntold(blank);
        spans.to(end);
        return;
      }
      const isTold = spots.pass(end);
      if (table.isUnusable) return;
      const { record } = spots;
      // a row that is given up may have swallowed others, and would do so again in another file
      const span = spans.to(end, fault !== null);
      const place = { record, next: spots.next(), span };
      if (row !== null) yield* table.add({ bytes: row, ...place }, isTold);
      else {
        yield* table.takeApart();
        const refused = faultOf(fault!, limits);
        if (table.isAhead) yield* table.loseHead(place, refused, isTold);
        else if (isTold) yield { at: `row ${record}`, next: place.next, bytes: 0, span, ...refused };
      }
    }

    function* itemsIn(chunk: UnpackedChunk): Generator<IngestItem> {
      if (chunk.damage !== null) {
        for (const row of rows.giveUp(behind)) yield* take(row);
        yield* table.takeApart();
        const span = spans.to(behind, true);
        const damage = spots.damage(chunk, `behind row ${spots.record}`);
        if (damage !== null) yield { ...damage, span };
      }
      spots.enter(chunk, rows.isClean);
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
  /** Its head cannot be read: nothing of it can be. */
  isUnusable = false;
  readonly #reading: Reading;
  readonly #dialect: Dialect;
  readonly #splitter: RowSplitter;
  readonly #fields: RowFields;
  #columns: readonly string[] | null = null;
  #isFirst = true;
  #rows: Row[] = [];
  #bytes = 0;

  constructor(reading: Reading, dialect: Dialect, splitter: RowSplitter) {
    this.#reading = reading;
    this.#dialect = dialect;
    this.#splitter = splitter;
    this.#fields = new RowFields(dialect);
  }

  /** Whether its columns are not known. */
  get isAhead(): boolean {
    return this.#columns === null;
  }

  *add(row: Row, isTold: boolean): Generator<IngestItem, void, undefined> {
    const isFirst = this.#isFirst;
    const bytes = isFirst && hasMark(row.bytes) ? row.bytes.subarray(3) : row.bytes;
    this.#isFirst = false;
    if (this.isUnusable || isBlank(bytes)) return;
    if (this.#columns === null) {
      const isHead = yield* this.#begin({ ...row, bytes }, isFirst, isTold);
      if (isHead || this.#columns === null) return;
    }
    if (!isTold) return;
    this.#rows.push({ ...row, bytes });
    this.#bytes += bytes.length;
    if (this.#bytes > TOGETHER_BYTES_MAX) yield* this.takeApart();
  }

  /** Takes a row before which there was none of the table. @returns whether it is the head */
  *#begin(row: Row, isFirst: boolean, isTold: boolean): Generator<IngestItem, boolean, undefined> {
    const { bytes } = row;
    if (isFirst && toldDelimiter(bytes.toString('latin1', 0, 20)) !== null) return false;
    const isMarked = bytes[0] === 0x23;
    const [fields] = this.#fields.of([isMarked ? bytes.subarray(1) : bytes], this.#splitter.isCrEnd);
    const { hasHead } = this.#dialect;
    if (isMarked && !(hasHead && typeof fields !== 'string' && this.#isHead(fields!))) return false;
    if (typeof fields === 'string') {
      const refused = malformed(`The first row of the table cannot be read: ${fields}`);
      yield* this.loseHead(row, refused, isTold);
      return true;
    }
    this.#columns = fields!.map((name, index) => (hasHead ? name.trim() : String(index + 1)));
    this.#splitter.isAhead = false;
    return hasHead;
  }

  #isHead(fields: readonly string[]): boolean {
    return fields.length > 1 && this.#reading.map.knows(fields.map((name) => name.trim()));
  }

  /** Gives up the whole table. */
  *loseHead({ record, next, span }: Omit<Row, 'bytes'>, refused: MappedRecord, isTold: boolean): Generator<IngestItem> {
    this.isUnusable = true;
    const whole = span && { ...span, end: Number.POSITIVE_INFINITY, isLost: true };
    if (isTold) yield { at: `row ${record}`, next, bytes: 0, span: whole, ...refused };
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
    for (const [index, fields] of this.#fields.of(all, this.#splitter.isCrEnd).entries()) {
      const row = rows[index]!;
      yield itemOf(row, typeof fields === 'string' ? malformed(fields) : this.#mapped(fields, row.record));
    }
  }

  #mapped(fields: readonly string[], record: number): MappedRecord {
    // without a head, a first row that is short says nothing of the others
    const columns = this.#dialect.hasHead ? this.#columns! : fields.map((_, index) => String(index + 1));
    if (fields.length !== columns.length)
      return malformed(`The row has ${fields.length} fields, and there are ${columns.length} columns.`);
    const value = Object.fromEntries(
      columns.map((column, index) => [column, fields[index] === NO_VALUE ? null : fields[index]]),
    );
    return this.#reading.map.map(value, { file: this.#reading.file, record });
  }
}

/** How databases write a field that has none. */
const NO_VALUE = '\\N';

const itemOf = ({ bytes, record, next, span }: Row, made: MappedRecord): IngestItem => ({
  ...{ at: `row ${record}`, next, bytes: bytes.length, span },
  ...made,
});

const malformed = (detail: string): MappedRecord => ({ refused: 'malformed', detail, url: null });

function faultOf({ is, begin }: RowFault, { recordBytesMax, fieldsMax }: CsvLimits): MappedRecord {
  if (is === 'open-quote') {
    const detail = `A quote is opened in the line ${shown(begin)} and not closed before the end of a field, of the file, or of ${recordBytesMax} bytes (INGEST_RECORD_BYTES_MAX). Reading went on at the next line. If quotes mean nothing here, give --quote none; if a backslash stands before them, --escape '\\'.`;
    return malformed(detail);
  }
  const [count, unit] = is === 'too-wide' ? [fieldsMax, 'fields'] : [recordBytesMax, 'bytes (INGEST_RECORD_BYTES_MAX)'];
  return { refused: 'too-large', detail: `The row has more than ${count} ${unit}.`, url: null };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length <= 2 && bytes.every((byte) => byte === 0x0a || byte === 0x0d);
}

function hasMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
