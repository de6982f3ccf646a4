import { Buffer } from 'node:buffer';
import { pathToFileURL } from 'node:url';
import { isPdf } from '../../extract/charset/media-type.ts';
import type { BulkOperation } from '../../service/api.ts';
import { underPrefix } from '../fields/url-prefix.ts';
import type { IngestLimits } from '../limits.ts';
import type { SourceReader } from '../port.ts';
import { Spots } from '../records/spots.ts';
import { fileOfName, unpackedName } from './file-names.ts';

interface ReadDocument {
  readonly bytes: Uint8Array;
  /** When it was changed last; null: not known. */
  readonly mtimeMs: number | null;
  readonly contentType: string | null;
}

/** A file that is a document. */
export function documentOf(
  { bytes, mtimeMs, contentType }: ReadDocument,
  url: string,
): { readonly operation: BulkOperation } {
  const observedAt = mtimeMs === null || mtimeMs < 0 ? null : Math.floor(mtimeMs);
  const wishes = { select: null, remove: null, meta: null, similar: 0, unless: null };
  return { operation: { op: 'put', url, body: { bytes, contentType }, observedAt, ...wishes } };
}

/**
 * The type of a file by its name, with the charset that was told.
 *
 * @param contentType null: not known
 */
export function typeWithCharset(contentType: string | null, bytes: Uint8Array, charset: string | null): string | null {
  if (charset === null || isPdf(contentType, bytes)) return contentType;
  return `${contentType ?? UNKNOWN_TYPE}; charset=${charset}`;
}

/** Of which the bytes say what it is. */
const UNKNOWN_TYPE = 'application/octet-stream';

export interface DocumentFileOptions {
  /** Before the name of the file; null: its file: URL. */
  readonly urlPrefix: string | null;
  readonly mtimeMs: number | null;
  /** As it was told; null: the document says, or its bytes do. */
  readonly charset?: string | null;
}

/** One file, named by itself, that is one document. */
export function documentReader(
  { urlPrefix, mtimeMs, charset = null }: DocumentFileOptions,
  { documentBytesMax }: Pick<IngestLimits, 'documentBytesMax'>,
): SourceReader {
  return async function* items(opened, from) {
    const spots = new Spots(opened, from, 'from the beginning');
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of opened.chunks) {
      const damage = spots.damage(chunk, 'the file');
      if (damage !== null) yield [damage];
      length += chunk.bytes.length;
      if (length > documentBytesMax) break;
      pieces.push(Uint8Array.from(chunk.bytes));
    }
    if (!spots.pass(0)) return;
    const { file } = opened;
    const name = unpackedName(file.slice(file.lastIndexOf('/') + 1));
    const url = urlPrefix === null ? pathToFileURL(file).href : underPrefix(urlPrefix, name);
    const item = { at: 'the file', next: spots.next(), bytes: length };
    if (length > documentBytesMax) {
      const detail = `It has more than ${documentBytesMax} bytes (documentBytesMax).`;
      yield [{ ...item, refused: 'too-large', detail, url }];
    } else if (length === 0) yield [{ ...item, refused: 'no-text', detail: 'It is empty.', url }];
    else {
      const bytes = Buffer.concat(pieces);
      const contentType = typeWithCharset(fileOfName(name).contentType, bytes, charset);
      yield [{ ...item, ...documentOf({ bytes, mtimeMs, contentType }, url) }];
    }
  };
}
