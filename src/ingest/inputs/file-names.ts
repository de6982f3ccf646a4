import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FILE_TYPES } from '../../features/file-types.ts';
import { onDisk } from './byte-names.ts';

/*
 * What the ending of a file's name says of a file in a folder of documents. Endings that are not known say nothing: the bytes
 * do, when they are read.
 */

const TYPES: Readonly<Record<string, string>> = {
  ...{
    html: 'text/html',
    htm: 'text/html',
    shtml: 'text/html',
    xhtml: 'application/xhtml+xml',
    xht: 'application/xhtml+xml',
  },
  ...{ txt: 'text/plain', text: 'text/plain', md: 'text/plain', markdown: 'text/plain', rst: 'text/plain' },
  ...{ adoc: 'text/plain', org: 'text/plain', tex: 'text/plain' },
  ...{ pdf: FILE_TYPES.pdf, docx: FILE_TYPES.docx, docm: FILE_TYPES.docx, odt: FILE_TYPES.odt, epub: FILE_TYPES.epub },
  ...{ rtf: FILE_TYPES.rtf, eml: FILE_TYPES.mail, mht: FILE_TYPES.mail, mhtml: FILE_TYPES.mail },
};

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const RECORDS = setOf('ndjson jsonl jsonlines json csv tsv tab parquet warc wet wat arc wacz arrow feather avro orc');
const ARCHIVES = setOf('tar tgz tbz tbz2 txz tzst zip');
const PACKED = setOf('lz4 lzma lz br z 7z rar jar cab iso');
const NO_DOCUMENTS = setOf(
  'png jpg jpeg jpe gif bmp ico webp avif svg tif tiff psd mp3 mp4 m4a m4v mov avi mkv webm ogg ogv oga wav flac aac wasm exe dll so dylib o a bin class pyc woff woff2 ttf otf eot css js mjs map db sqlite iso img dmg deb rpm',
);

export interface NamedFile {
  /** null: not known. */
  readonly contentType: string | null;
  /** Why it is no document; null: it may be one. */
  readonly refusal: string | null;
}

/** @param name as it is when unpacked */
export function fileOfName(name: string): NamedFile {
  const ending = endingOf(name);
  const contentType = TYPES[ending] ?? null;
  if (contentType !== null) return { contentType, refusal: null };
  const refusal = RECORDS.has(ending)
    ? `A file of records (.${ending}) is no document. Name it by itself, or all of them by a pattern such as **/*.${ending}, and their records are read.`
    : ARCHIVES.has(ending)
      ? `An archive (.${ending}) among documents is not read. Name it by itself, and what is in it is read.`
      : PACKED.has(ending)
        ? `Files that are packed so (.${ending}) are not read: unpack it.`
        : NO_DOCUMENTS.has(ending)
          ? `A file of this kind (.${ending}) has no text.`
          : null;
  return { contentType: null, refusal };
}

/** A name without the ending that says that it is packed, where that is one that is read. */
export function unpackedName(name: string): string {
  return name.replace(/\.(?:gz|gzip|zst|zstd|bz2|xz)$/i, '');
}

/** Whether beside a packed file lies one of the name that it has unpacked. */
export function hasUnpacked(path: string, name: string): boolean {
  const unpacked = unpackedName(name);
  return unpacked !== name && existsSync(onDisk(join(dirname(path), unpacked)));
}

/** What is behind the last dot of a name, in small letters; empty where there is none. */
export function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Whether a file, by its name, is an archive of documents: a space of names as a folder is. */
export function isArchiveName(name: string): boolean {
  return ARCHIVES.has(endingOf(unpackedName(name)));
}
