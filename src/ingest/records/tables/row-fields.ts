import { Buffer, isUtf8 } from 'node:buffer';
import { CsvError, type Options, parse } from 'csv-parse/sync';
import type { Dialect } from './dialect.ts';

/*
 * Rows to fields, by csv-parse, many at a time; if it finds other rows in them than were cut, each by itself.
 *
 * csv-parse takes an escape in quotes only. With an escape a row is taken apart here, as MySQL, PostgreSQL and Spark write
 * it. Behind an escape a letter means a control character outside of quotes, and itself in quotes.
 */

/** What letters behind an escape mean outside of quotes. */
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' };

/** Takes rows apart. */
export class RowFields {
  readonly #dialect: Dialect;
  readonly #options: Options;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    const { delimiter, quote } = dialect;
    this.#options = { delimiter, quote, escape: quote, relax_quotes: true, relax_column_count: true };
  }

  /**
   * The fields of each row, or why it has none.
   *
   * @param rows with their ends
   * @param isCrEnd whether a CR alone ends rows
   */
  of(rows: readonly Buffer[], isCrEnd: boolean): (string[] | string)[] {
    const whole = rows.length === 1 ? rows[0]! : Buffer.concat(rows);
    if (isUtf8(whole)) {
      const parsed = this.#parsed(rows, whole, isCrEnd);
      if (parsed.length === rows.length) return parsed;
      if (rows.length === 1) return ['It is not one row.'];
    } else if (rows.length === 1)
      return ['It is not UTF-8; if the file is in another charset, --charset says in which.'];
    return rows.flatMap((row) => this.of([row], isCrEnd));
  }

  #parsed(rows: readonly Buffer[], whole: Buffer, isCrEnd: boolean): (string[] | string)[] {
    const { quote, escapedBy } = this.#dialect;
    if (escapedBy !== null && escapedBy !== quote)
      return rows.map((row) => this.#escaped(row.toString('utf8'), escapedBy));
    try {
      const ends = { record_delimiter: isCrEnd ? CR_ENDS : ENDS };
      return parse(whole, { ...this.#options, ...ends }) as unknown as string[][];
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      return rows.length === 1 ? [`It is no row: ${error.code}.`] : [];
    }
  }

  /** The fields of a row in which an escape has a meaning. */
  #escaped(row: string, escapedBy: string): string[] {
    const { delimiter, quote } = this.#dialect;
    const end = row.length - /(?:\r?\n|\r)?$/.exec(row)![0].length;
    const fields: string[] = [];
    let [field, isBegin, isQuoted] = ['', true, false];
    for (let at = 0; at < end; at++) {
      const char = row[at]!;
      if (char === escapedBy && at + 1 < row.length) {
        const next = row[++at]!;
        if (isQuoted) field += next === quote || !/[a-z0-9]/i.test(next) ? next : char + next;
        else field += next === 'N' ? char + next : (CONTROLS[next] ?? next);
        isBegin = false;
      } else if (isQuoted && char === quote) {
        if (row[at + 1] === quote) field += row[++at]!;
        else isQuoted = false;
      } else if (isQuoted) field += char;
      else if (char === delimiter) {
        fields.push(field);
        [field, isBegin] = ['', true];
      } else if (isBegin && char === quote) [isQuoted, isBegin] = [true, false];
      else {
        field += char;
        isBegin = false;
      }
    }
    return [...fields, field];
  }
}

const ENDS = ['\r\n', '\n'];
const CR_ENDS = ['\r\n', '\n', '\r'];
