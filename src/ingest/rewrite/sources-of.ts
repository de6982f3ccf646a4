import { open } from 'node:fs/promises';
import { ShingledError } from '../../errors.ts';
import { headOf } from '../head.ts';
import { DETECT_BYTES, type Detected, detectFormat, type FileHead, type InCharset } from '../inputs/detect.ts';
import type { WalkOptions } from '../inputs/folder-walk.ts';
import type { Input } from '../inputs/inputs.ts';
import { type OpenParts, walkOf } from '../open-inputs.ts';
import type { UnpackedChunk } from '../port.ts';
import type { TableSigns } from '../records/tables/dialect.ts';
import { openBytes } from '../unpack/open-bytes.ts';
import { openParquet } from './copiers/copy-parquet.ts';
import type { PackingName } from './outputs/packed-output.ts';
import { whyNotCopied } from './outputs/parquet-schema.ts';
import { FolderMarks, unreadable } from './unchanged.ts';

/** An input that can be copied. */
export type Source =
  | { readonly is: 'records'; readonly input: Input; readonly detected: RecordFormat; readonly packing: FilePacking }
  | { readonly is: 'parquet'; readonly input: Input; readonly schema: string }
  | { readonly is: 'document' | 'nothing'; readonly input: Input }
  /** It counts as one record, which ingest refuses. */
  | { readonly is: 'broken'; readonly input: Input }
  | { readonly is: 'folder'; readonly input: Input; readonly walk: WalkOptions; readonly marks: FolderMarks };

/** Of whose records a file can be made without some. */
export type RecordFormat = InCharset &
  (
    | { readonly format: 'ndjson' | 'json' | 'urls' | 'warc' | 'arc' }
    | { readonly format: 'csv'; readonly signs: TableSigns }
  );

interface FilePacking {
  readonly name: PackingName | null;
  /** Whether its members can be read without what stands before them in the file: a dictionary. */
  readonly isSelfContained: boolean;
}

/** Looks at an input. @throws ShingledError `invalid-request` for what cannot be copied, `input-unreadable` */
export async function sourceOf(input: Input, parts: OpenParts): Promise<Source> {
  const { kind, name } = input;
  if (kind === 'stream') throw refused(name, 'it comes but once, and is read twice: name a file');
  if (kind === 'url') throw refused(name, 'it is fetched: name a file');
  if (kind === 'folder') {
    const walk = walkOf(name, parts);
    return { is: 'folder', input, walk, marks: await FolderMarks.of(walk, parts.limits) };
  }
  try {
    return await fileSource(input, parts);
  } catch (error) {
    throw unreadable(name, error);
  }
}

async function fileSource(input: Input, parts: OpenParts): Promise<Source> {
  const { name } = input;
  let first: UnpackedChunk | null = null;
  async function* noted() {
    for await (const chunk of openBytes(name).chunks) {
      first ??= chunk;
      yield chunk;
    }
  }
  const { head, isWhole, close } = await headOf(noted(), DETECT_BYTES);
  await close();
  const detected = detectedIn({ file: name, head, isWhole }, parts);
  if (detected === null) return { is: 'nothing', input };
  switch (detected.format) {
    case 'document':
      return { is: 'document', input };
    case 'parquet':
      return parquetSource(input, parts);
    case 'tar':
    case 'zip':
      throw refused(name, 'it is an archive: unpack it into a folder, and name that');
    case 'xml-list':
    case 'json-feed':
      throw refused(name, 'it is a list of documents, and holds none: ingest what it lists');
    case 'csv':
      return { is: 'records', input, detected, packing: await packingOf(name, first) };
    default: {
      if (detected.format === 'json' && isWide(detected)) {
        throw refused(name, `it is one list in ${detected.charset}: make it UTF-8, or lines of JSON`);
      }
      const { format } = detected;
      return { is: 'records', input, detected: { ...detected, format }, packing: await packingOf(name, first) };
    }
  }
}

/** Whether what goes between records, which is ASCII, would be none in a file. */
export const isWide = ({ charset }: InCharset) => charset?.startsWith('utf-16') === true;

/** What a file holds; null where nothing is in it that says so. */
function detectedIn(file: FileHead, { format, charset }: OpenParts): Detected | null {
  try {
    return detectFormat(file, format, charset);
  } catch (error) {
    if (file.head.length === 0 && file.isWhole) return null;
    throw error;
  }
}

async function parquetSource(input: Input, { limits }: OpenParts): Promise<Source> {
  const { name } = input;
  const opened = await openParquet(name, limits);
  if (opened === null) return { is: 'broken', input };
  await opened.close();
  const { metadata } = opened.footer;
  const problem = whyNotCopied(metadata, limits);
  if (problem !== null) throw refused(name, `${problem}. It could be after it was made NDJSON`);
  return { is: 'parquet', input, schema: JSON.stringify(metadata.schema) };
}

const refused = (name: string, why: string) =>
  new ShingledError('invalid-request', `${name} cannot be copied without some of its records: ${why}.`, {
    field: name,
  });

async function packingOf(name: string, first: UnpackedChunk | null): Promise<FilePacking> {
  if (first?.begins !== true) return { name: null, isSelfContained: true };
  const file = await open(name);
  try {
    const magic = new Uint8Array(1);
    await file.read(magic, 0, 1, first.byte);
    return { name: BY_FIRST_BYTE[magic[0]!] ?? 'zstd', isSelfContained: first.byte === 0 };
  } finally {
    await file.close();
  }
}

const BY_FIRST_BYTE: Readonly<Record<number, PackingName>> = { 31: 'gzip', 66: 'bzip2', 253: 'xz' };
