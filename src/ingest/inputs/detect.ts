import { Buffer } from 'node:buffer';
import { ShingledError } from '../../errors.ts';
import { fileKindOf } from '../../extract/charset/file-kind.ts';
import { byteOrderMark } from '../../extract/charset/signatures.ts';
import { zippedDocumentOf } from '../../extract/charset/zip-kind.ts';
import { charsetOf, decodedHead } from '../decode/input-charset.ts';
import { isTar, isZip } from '../kinds/archive-kinds.ts';
import { strangeKind, unreadKind } from '../kinds/unread-kinds.ts';
import { JSON_FEED_VERSION } from '../lists/json-feed.ts';
import { declaredListCharset, listDecoder } from '../lists/xml-charset.ts';
import { prologOf } from '../lists/xml-prolog.ts';
import { signsOf, type TableSigns } from '../records/tables/dialect.ts';
import { endingOf, unpackedName } from './file-names.ts';

/*
 * What a file holds: as it was told, or by how it begins and, where that leaves a choice, by the ending of its name. What can
 * be read in two ways is not guessed.
 */

export const FORMATS = [
  ...([
    'ndjson',
    'json',
    'csv',
    'tsv',
    'parquet',
    'warc',
    'urls',
    'sitemap',
    'feed',
    'document',
    'tar',
    'zip',
  ] as const),
] as const;
export type Format = (typeof FORMATS)[number];

/** Which reader a file of bytes wants. */
export type ByteFormat = InCharset &
  (
    | { readonly format: 'ndjson' | 'json' | 'urls' | 'xml-list' | 'json-feed' | 'document' }
    | { readonly format: 'csv'; readonly signs: TableSigns }
  );

/** Absent: UTF-8, or as the file itself says; of documents, whose charsets are found when they are read, it always is. */
export interface InCharset {
  readonly charset?: string;
}

export type Detected =
  | ByteFormat
  | { readonly format: 'warc' }
  | { readonly format: 'arc' }
  | { readonly format: 'parquet' }
  | { readonly format: 'tar' }
  | { readonly format: 'zip' };

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
  ...{
    warc: 'warc',
    wet: 'warc',
    wat: 'warc',
    arc: 'warc',
    rss: 'feed',
    atom: 'feed',
    html: 'document',
    htm: 'document',
  },
  ...{ xhtml: 'document', pdf: 'document', md: 'document', markdown: 'document', rst: 'document' },
  ...{ docx: 'document', docm: 'document', odt: 'document', epub: 'document', rtf: 'document' },
  ...{ eml: 'document', mht: 'document', mhtml: 'document' },
};

const DECODED: ReadonlySet<string> = new Set(['ndjson', 'json', 'csv', 'urls', 'xml-list', 'json-feed']);

/** Whether a file of another charset is decoded before, or while, it is read. */
const isDecoded = (detected: Detected): detected is ByteFormat => DECODED.has(detected.format);

/**
 * @param charset as it was told, by its WHATWG name; null: it was not
 * @throws ShingledError `invalid-request`, which names --format, for what cannot be told
 */
export function detectFormat(file: FileHead, told: Format | null, charset: string | null = null): Detected {
  const detected = detectIn(file, told, charset);
  if (!isDecoded(detected)) return detected;
  const isDeclared = detected.format === 'xml-list' && declaredListCharset(Buffer.from(file.head)) !== null;
  const found = isDeclared ? null : charsetOf(file.head, charset);
  if (found === null) return detected;
  // the delimiter of a table may look like the second byte of a letter
  const decoded = detectIn(file, told, found);
  return { ...(isDecoded(decoded) ? decoded : detected), charset: found };
}

function detectIn({ file, head, isWhole }: FileHead, told: Format | null, charset: string | null): Detected {
  const raw = Buffer.from(head.buffer, head.byteOffset, head.length);
  const ending = endingOf(unpackedName(file));
  // a binary file is no table, even if its name or --format says so
  const unread = told === 'document' ? null : unreadKind(raw);
  if (unread !== null) throw notRead(file, unread);
  const bytes = decodedHead(raw, byteOrderMark(raw)?.charset ?? charset);
  if (told !== null) return asTold(told, bytes, ending);
  if (isTar(raw)) return { format: 'tar' };
  if (isZip(raw)) return { format: zippedDocumentOf(raw) === null ? 'zip' : 'document' };
  if (raw.subarray(0, 4).equals(Buffer.from('PAR1'))) return { format: 'parquet' };
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n');
  const start = text.trimStart();
  if (/^(?:WARC\/\d|filedesc:\/\/)/.test(text)) return archiveOf(bytes, ending);
  if (fileKindOf(null, head) !== null) return { format: 'document' };
  if (isListOf(wideTextOf(raw))) return { format: 'xml-list' };
  const byName = BY_ENDING[ending];
  if (start.startsWith('<')) return ofMarkup(file, start, byName === 'document' || ending === 'txt');
  if (byName !== undefined) return asTold(byName, bytes, ending);
  if (start.startsWith('[')) return { format: 'json' };
  if (start.startsWith('{')) return ofObject(file, start, ending, isWhole);
  const lines = linesOf(text, isWhole);
  const urls = lines.filter((line) => /^https?:\/\/\S+$/i.test(line)).length;
  if (urls > 0 && urls === lines.length) return { format: 'urls' };
  if (ending === 'txt' && urls === 0 && bytes.length > 0) return { format: 'document' };
  // of any records there are none
  if (bytes.length === 0) return { format: 'ndjson' };
  const strange = strangeKind(raw, endingOf(file));
  if (strange !== null) throw notRead(file, strange);
  throw untold(file, 'neither its name nor its beginning says');
}

function asTold(told: Format, bytes: Buffer, ending: string): Detected {
  if (told === 'warc') return archiveOf(bytes, ending);
  if (told === 'csv' || told === 'tsv') return { format: 'csv', signs: signsOf(bytes, told === 'tsv') };
  if (told === 'sitemap') return { format: 'xml-list' };
  if (told === 'feed') return { format: /^\s*\{/.test(bytes.toString('latin1', 0, 1000)) ? 'json-feed' : 'xml-list' };
  return { format: told };
}

/** If the beginning of an archive is damaged, its next record tells what it is, and if there is none, its name. */
function archiveOf(bytes: Buffer, ending: string): Detected {
  const begun = /^(?:WARC\/\d|filedesc:\/\/)/m.exec(bytes.toString('latin1'))?.[0];
  const isArc = begun === undefined ? ending === 'arc' : begun.startsWith('filedesc');
  return { format: isArc ? 'arc' : 'warc' };
}

function ofMarkup(file: string, start: string, isDocument: boolean): Detected {
  const prolog = prologOf(start);
  if (isListOf(start)) return { format: 'xml-list' };
  const root = start.slice(prolog?.end ?? 0);
  if (prolog?.doctype === 'html') return { format: 'document' };
  if (/^<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|article|main|table)\b/i.test(root))
    return { format: 'document' };
  if (isDocument) return { format: 'document' };
  throw untold(file, 'it is XML, and neither a sitemap nor a feed');
}

const LIST = /^<(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>]/i;

/** Whether the first element, behind a DOCTYPE and comments, is one of a sitemap or of a feed. */
function isListOf(text: string): boolean {
  const start = text.trimStart();
  const prolog = start.startsWith('<') ? prologOf(start) : null;
  return prolog !== null && LIST.test(start.slice(prolog.end, prolog.end + 200));
}

/** Text in UTF-16, which lists in XML may have; '': it is none. */
function wideTextOf(bytes: Buffer): string {
  const decoder = listDecoder(bytes);
  return decoder.encoding.startsWith('utf-16') ? decoder.decode(bytes) : '';
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

const notRead = (file: string, kind: string) =>
  new ShingledError('invalid-request', `${file} is not read: it is ${kind}`, { field: 'format' });

function untold(file: string, why: string): ShingledError {
  const detail = `What ${file} holds cannot be told: ${why}. Say it with --format ${FORMATS.join('|')}.`;
  return new ShingledError('invalid-request', detail, { field: 'format' });
}
