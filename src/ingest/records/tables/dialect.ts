import { Buffer } from 'node:buffer';

/*
 * How the fields of a table are written, where nobody says so.
 *
 *   CSV   the character that stands most often in the first row, of , ; tab and |; fields may be in double quotes
 *   TSV   tabs; a quote is a character as any other, unless the beginning of the file shows that its fields are in quotes
 *
 * A backslash is a character as any other, unless an option says that it escapes.
 */

/** All are single characters of ASCII. */
export interface Dialect {
  readonly delimiter: string;
  /** null: a quote is a character as any other. */
  readonly quote: string | null;
  /** What takes the meaning from the character behind it, in quotes or not; null: only a doubled quote does. */
  readonly escapedBy: string | null;
  /** Whether a row names the columns; else their names are 1, 2, 3 … */
  readonly hasHead: boolean;
}

/** What a user said of it. Absent: what the file shows counts. */
export interface TableOptions {
  readonly delimiter?: string;
  readonly quote?: string | null;
  readonly escapedBy?: string | null;
  readonly noHeader?: true;
}

/** What the beginning of a file shows. */
export interface TableSigns {
  readonly delimiter: string;
  /** Whether its fields are in quotes if tabs part them. */
  readonly hasQuotes: boolean;
}

const DELIMITERS = [',', ';', '\t', '|'];
/** Excel's, in the first line. */
const TOLD = /^"?sep=([^\r\n])"?\s*$/i;

/** Options outrank what the file shows. */
export function dialectOf(signs: TableSigns, told: TableOptions): Dialect {
  const { delimiter = signs.delimiter, escapedBy = null, noHeader } = told;
  const quote = delimiter === '\t' && !signs.hasQuotes ? null : '"';
  return { delimiter, quote: told.quote === undefined ? quote : told.quote, escapedBy, hasHead: noHeader !== true };
}

/** The delimiter that a line before the table names, as Excel writes it; null: it names none. */
export function toldDelimiter(line: string): string | null {
  return TOLD.exec(line)?.[1] ?? null;
}

/**
 * @param head the beginning of a table, unpacked
 * @param isTabs whether tabs are known to part its fields
 */
export function signsOf(head: Uint8Array, isTabs: boolean): TableSigns {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  return { delimiter: isTabs ? '\t' : delimiterIn(text), hasQuotes: hasQuotedTabs(text) };
}

function delimiterIn(text: string): string {
  const lines = text.split(/\r\n?|\n/);
  const told = toldDelimiter(lines[0]!);
  if (told !== null) return told;
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? lines[0]!;
  const bare = first.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

/** A field in quotes, and one without; then what ends it. */
const TAB_FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^"\t\r\n][^\t\r\n]*|))(\t|\r\n?|\n|$)/y;

/**
 * Whether fields are in quotes between tabs. Then every field that a quote opens is closed by one, and all rows have as many
 * fields. There is also something that only a writer of quotes makes: a doubled quote, a tab or a line end in quotes, or
 * a first row all in quotes.
 */
function hasQuotedTabs(text: string): boolean {
  if (!/(?:^|[\t\r\n])"/.test(text)) return false;
  let [fields, quoted, width, isProven] = [0, 0, 0, false];
  TAB_FIELD.lastIndex = 0;
  while (TAB_FIELD.lastIndex < text.length) {
    const start = TAB_FIELD.lastIndex;
    const match = TAB_FIELD.exec(text);
    // the last field may be cut
    if (match === null)
      return (
        isProven &&
        !text
          .slice(start + 1)
          .replaceAll('""', '')
          .includes('"')
      );
    const [, inside, , end] = match;
    fields++;
    if (inside !== undefined) {
      quoted++;
      isProven ||= /""|[\t\r\n]/.test(inside);
    }
    if (end === '\t' || end === '') continue;
    if (width === 0) isProven ||= quoted === fields;
    else if (fields > 1 && fields !== width) return false;
    width ||= fields;
    [fields, quoted] = [0, 0];
  }
  return isProven;
}
