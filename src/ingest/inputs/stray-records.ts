import { Buffer } from 'node:buffer';

/*
 * Files of records among documents, under names that do not say so: part-00000 of Spark, wiki_00 of WikiExtractor, a WARC that
 * is called page.html. Each would be one document of all its records. Only what is certain is named.
 */

const MAGICS = [
  ['WARC/', 'a web archive (WARC)'],
  ['filedesc://', 'a web archive (ARC)'],
  ['PAR1', 'a Parquet file'],
] as const;
/** Lines that are looked at; a longer first line tells nothing. */
const HEAD_BYTES = 64 * 1024;
const OPENING = 0x7b;

/** What a document is that holds records, such as "a Parquet file"; null of all others. @param bytes all of it, unpacked */
export function recordsIn(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES));
  for (const [magic, kind] of MAGICS) if (head.toString('latin1', 0, magic.length) === magic) return kind;
  return head[0] === OPENING && areLines(head) ? 'lines of JSON (NDJSON)' : null;
}

/** Whether the first two lines are an object of JSON each. */
function areLines(head: Buffer): boolean {
  const first = head.indexOf(0x0a);
  const second = first < 0 ? -1 : head.indexOf(0x0a, first + 1);
  const end = second < 0 && head.length < HEAD_BYTES ? head.length : second;
  return (
    first > 0 && end > first && isObject(head.toString('utf8', 0, first)) && isObject(head.toString('utf8', first, end))
  );
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** What is said of such a file. */
export const strayRecordsText = (kind: string): string =>
  `It is ${kind}, and no document. Name it by itself, or all of them by a pattern in quotes, and their records are read.`;
