import { Buffer } from 'node:buffer';
import { ShingledError } from '../../errors.ts';
import { byteOrderMark } from '../../extract/charset/signatures.ts';
import { charsetOf, decodedHead } from '../decode/input-charset.ts';
import { JSON_FEED_VERSION } from '../lists/json-feed.ts';
import { endingOf, unpackedName } from './file-names.ts';

/*
 * What a file holds: as it was told, or by how it begins and, where that leaves a choice, by the ending of its name. What can
 * be read in two ways is not guessed.
 */

export const FORMATS = [
  ...(['ndjson', 'json', 'csv', 'tsv', 'parquet', 'warc', 'urls', 'sitemap', 'feed', 'document'] as const),
] as const;
export type Format = (typeof FORMATS)[number];

/** Which reader a file of bytes wants. */
export type ByteFormat = { readonly charset?: string } & (
  | { readonly format: 'ndjson' | 'json' | 'urls' | 'xml-list' | 'json-feed' | 'document' }
  | { readonly format: 'csv'; readonly delimiter: string }
);
/** `charset`: what the file was told to be, or what it looks like; absent: UTF-8, or as the file itself says. */
export type Detected = ByteFormat | { readonly format: 'parquet' } | { readonly format: 'warc' };

/** So many bytes of the beginning, unpacked, are enough to tell by. */
export const DETECT_BYTES = 64 * 1024;

export interface FileHead {
  readonly file: string;
  /** The first bytes, unpacked: DETECT_BYTES, or all there are. */
  readonly head: Uint8Array;
  readonly isWhole: boolean;
}

const BY_ENDING: Readonly<Record<string, Format>> = {
  ...{ ndjson: 'ndjson', jsonl: 'ndjson', jsonlines: 'ndjson', csv: 'csv', tsv: 'tsv', tab: 'tsv', parquet: 'parquet' },
  ...{ warc: 'warc', wet: 'warc', wat: 'warc', rss: 'feed', atom: 'feed', html: 'document', htm: 'document' },
  ...{ xhtml: 'document', pdf: 'document', md: 'document', markdown: 'document', rst: 'document' },
};
const DELIMITERS = [',', ';', '\t', '|'];

/** Of what charsets are guessed here: of documents and lists in XML, when they are read. */
const GUESSED: ReadonlySet<string> = new Set(['ndjson', 'json', 'csv', 'urls', 'json-feed']);

/**
 * @param charset as it was told; null: it was not
 * @throws ShingledError `invalid-request`, which names --format, for what cannot be told
 */
export function detectFormat(file: FileHead, told: Format | null, charset: string | null = null): Detected {
  const mark = byteOrderMark(file.head)?.charset ?? charset;
  const head = decodedHead(file.head, mark);
  const detected = detectIn({ ...file, head }, told);
  const { format } = detected;
  if (format === 'parquet' || format === 'warc') return detected;
  if (format === 'document' || format === 'xml-list') return charset === null ? detected : { ...detected, charset };
  const found = GUESSED.has(format) ? charsetOf(file.head, charset) : null;
  return found === null ? detected : { ...detected, charset: found };
}

function detectIn({ file, head, isWhole }: FileHead, told: Format | null): Detected {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  if (told !== null) return asTold(told, bytes);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const start = text.trimStart();
  const ending = endingOf(unpackedName(file));
  if (bytes.subarray(0, 4).equals(Buffer.from('PAR1'))) return { format: 'parquet' };
  if (/^WARC\/\d/.test(text)) return { format: 'warc' };
  if (text.startsWith('%PDF-')) return { format: 'document' };
  const byName = BY_ENDING[ending];
  if (start.startsWith('<')) return ofMarkup(file, start, byName === 'document' || ending === 'txt');
  if (byName !== undefined) return asTold(byName, bytes);
  if (start.startsWith('[')) return { format: 'json' };
  if (start.startsWith('{')) return ofObject(file, start, ending, isWhole);
  const lines = linesOf(text, isWhole);
  const urls = lines.filter((line) => /^https?:\/\/\S+$/i.test(line)).length;
  if (urls > 0 && urls === lines.length) return { format: 'urls' };
  if (ending === 'txt' && urls === 0 && bytes.length > 0) return { format: 'document' };
  throw untold(file, bytes.length === 0 ? 'it is empty' : 'neither its name nor its beginning says');
}

function asTold(told: Format, bytes: Buffer): Detected {
  if (told === 'csv') return { format: 'csv', delimiter: delimiterOf(bytes) };
  if (told === 'tsv') return { format: 'csv', delimiter: '\t' };
  if (told === 'sitemap') return { format: 'xml-list' };
  if (told === 'feed') return { format: /^\s*\{/.test(bytes.toString('latin1', 0, 1000)) ? 'json-feed' : 'xml-list' };
  return { format: told };
}

/** The one that stands most often in the first line, outside of quotes. */
function delimiterOf(bytes: Buffer): string {
  const [line] = bytes.toString('utf8').split('\n', 1) as [string];
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

function ofMarkup(file: string, start: string, isDocument: boolean): Detected {
  const bare = start.replace(/<\?[^>]*\?>|<!--[\s\S]*?-->|\s+(?=<)/g, '').trimStart();
  if (/^<(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>]/i.test(bare)) return { format: 'xml-list' };
  if (/^<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|article|main|table)\b/i.test(bare))
    return { format: 'document' };
  if (isDocument) return { format: 'document' };
  throw untold(file, 'it is XML, and neither a sitemap nor a feed');
}

function ofObject(file: string, start: string, ending: string, isWhole: boolean): Detected {
  if (start.slice(0, 2000).replaceAll('\\/', '/').includes(`"${JSON_FEED_VERSION}`)) return { format: 'json-feed' };
  const lf = start.indexOf('\n');
  const first = lf < 0 ? start : start.slice(0, lf);
  const isFirstWhole = isJson(first) && (lf >= 0 || isWhole);
  const isMore = lf >= 0 && start.slice(lf).trimStart().startsWith('{');
  if (isFirstWhole && isMore) return { format: 'ndjson' };
  // one object, on one line or on many: the reader of lists takes it as a record, too
  if (isFirstWhole || (lf >= 0 && ending === 'json')) return { format: 'json' };
  if (lf >= 0 && /^\{\s*$/.test(first)) return { format: 'json' };
  if (/^\{\s*"[^"\\]*"\s*:\s*\[\s*\{/.test(start)) return { format: 'json' };
  throw untold(file, 'it may be lines of JSON or one JSON file');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Those that are certain to be whole, blank ones and comments left out. */
function linesOf(text: string, isWhole: boolean): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  if (!isWhole) lines.pop();
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function untold(file: string, why: string): ShingledError {
  const detail = `What ${file} holds cannot be told: ${why}. Say it with --format ${FORMATS.join('|')}.`;
  return new ShingledError('invalid-request', detail, { field: 'format' });
}
