import type { Buffer } from 'node:buffer';
import { binaryFormat, binaryKind, HEAD_BYTES } from '../../extract/charset/signatures.ts';
import { zippedDocumentOf } from '../../extract/charset/zip-kind.ts';
import { isTar, isZip } from './archive-kinds.ts';

/* What files are that are not read, by their first bytes: named, so that nobody tries one --format after the other. */

/** What extraction reads, or refuses, as the document that it is. */
const DOCUMENTS = /PDF|RTF|PostScript|old office/;

const ADVICE: readonly (readonly [kinds: RegExp, advice: string])[] = [
  [/Arrow|Feather|Avro|ORC|HDF5|netCDF|R data|pickle|NumPy|SPSS|database/, 'Make it Parquet, NDJSON or CSV.'],
  [/encrypted/, 'Decrypt it.'],
  [/Excel|spreadsheet/, 'Save it as CSV.'],
  [/old office/, 'Save it as PDF or HTML; a workbook as CSV.'],
  [/LZ4|LZMA|lzip|lzop|compress|Snappy|Brotli/, 'Unpack it; files packed by gzip, zstd, bzip2 and xz are read.'],
  [/gzip|Zstandard|bzip2|xz data/, 'It was packed twice: unpack it once.'],
  [/archive|cabinet|package|disk image/, 'Unpack it, and name the folder.'],
  [/mailbox/, 'Split it into messages.'],
  [/MARC/, 'Make it NDJSON or CSV.'],
];

const DISK_IMAGE = { bytes: 'CD001', at: 32_769 } as const;
const MAILBOX = /^From \S+ .*\d{4}.*\r?\n[\w-]+:/;
const MARC = /^\d{5}[acdnp][a-z]{2}[ a-z][ a]22\d{5}[\s\S]{3}4500/;

/**
 * What a file is that is not read, and what to do about it, such as "an Arrow file. Make it Parquet, NDJSON or CSV."; null if
 * it may be read.
 *
 * @param head its first bytes, unpacked
 */
export function unreadKind(head: Buffer): string | null {
  const kind = kindOf(head);
  return kind === null || DOCUMENTS.test(kind) ? null : withAdvice(kind);
}

function kindOf(head: Buffer): string | null {
  if (isTar(head)) return null;
  if (isZip(head)) {
    const document = zippedDocumentOf(head);
    return document?.read === null ? document.name : null;
  }
  if (head.toString('latin1', DISK_IMAGE.at, DISK_IMAGE.at + DISK_IMAGE.bytes.length) === DISK_IMAGE.bytes)
    return 'a disk image';
  return binaryFormat(beginOf(head));
}

const BY_ENDING: Readonly<Record<string, string>> = {
  br: 'a Brotli file',
  lzma: 'an LZMA file',
  pkl: 'a Python pickle',
};

/** The same of what has neither a known ending nor a known beginning. @param ending of its name */
export function strangeKind(head: Buffer, ending: string): string | null {
  const begin = beginOf(head);
  if (MAILBOX.test(begin)) return withAdvice('a mailbox (mbox)');
  if (MARC.test(begin)) return withAdvice('a MARC file');
  const kind = BY_ENDING[ending] ?? binaryKind(begin, () => false);
  return kind === null ? null : withAdvice(kind);
}

const beginOf = (head: Buffer) => head.toString('latin1', 0, HEAD_BYTES);

function withAdvice(kind: string): string {
  const advice = ADVICE.find(([kinds]) => kinds.test(kind))?.[1];
  return advice === undefined ? `${kind}.` : `${kind}. ${advice}`;
}
