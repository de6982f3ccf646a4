import { Buffer } from 'node:buffer';
import { pathToFileURL } from 'node:url';
import type { BulkOperation } from '../../service/api.ts';
import { underPrefix } from '../fields/url-prefix.ts';
import type { IngestLimits } from '../limits.ts';
import type { SourceReader } from '../port.ts';
import { Spots } from '../records/spots.ts';
import { fileOfName, unpackedName } from './file-names.ts';
import { recordsIn, strayRecordsText } from './stray-records.ts';

export interface ReadDocument {
  readonly bytes: Uint8Array;
  /** When it was changed last; null: not known. */
  readonly mtimeMs: number | null;
  readonly contentType: string | null;
}

/** A file that is a document. */
function documentOf({ bytes, mtimeMs, contentType }: ReadDocument, url: string): { readonly operation: BulkOperation } {
  const observedAt = mtimeMs === null || mtimeMs < 0 ? null : Math.floor(mtimeMs);
  const wishes = { select: null, remove: null, meta: null, similar: 0, unless: null };
  return { operation: { op: 'put', url, body: { bytes, contentType }, observedAt, ...wishes } };
}

/** The same of one among many, unless it holds records under a name that does not say so. */
export function documentUnlessRecords(read: ReadDocument, url: string) {
  const kind = recordsIn(read.bytes);
  if (kind === null) return documentOf(read, url);
  return { refused: 'unusable-type', detail: strayRecordsText(kind), url } as const;
}

export interface DocumentFileOptions {
  /** Before the name of the file; null: its file: URL. */
  readonly urlPrefix: string | null;
  readonly mtimeMs: number | null;
}

/** One file, named by itself, that is one document. */
export function documentReader(
  { urlPrefix, mtimeMs }: DocumentFileOptions,
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
      const detail = `It has more than ${documentBytesMax} bytes (INGEST_DOCUMENT_BYTES_MAX).`;
      yield [{ ...item, refused: 'too-large', detail, url }];
    } else if (length === 0) yield [{ ...item, refused: 'no-text', detail: 'It is empty.', url }];
    else {
      const { contentType } = fileOfName(name);
      yield [{ ...item, ...documentOf({ bytes: Buffer.concat(pieces), mtimeMs, contentType }, url) }];
    }
  };
}
