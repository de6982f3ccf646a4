import { createHash } from 'node:crypto';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { IngestItem, Position } from '../../../src/ingest/port.ts';
import { openBytes } from '../../../src/ingest/unpack/open-bytes.ts';
import { readWarc } from '../../../src/ingest/warc/warc.ts';

/* Archives made for tests, and what our reader makes of their bytes. */

export interface RecordFields {
  readonly type?: string;
  readonly url?: string | null;
  readonly date?: string;
  readonly contentType?: string | null;
  /** Beside those: whole lines without their ends. */
  readonly more?: readonly string[];
}

/** A record as it lies in a file that is not packed. */
export function recordOf(block: Buffer | string, fields: RecordFields = {}): Buffer {
  const { type = 'response', url = 'http://a.example/', date = '2020-01-02T03:04:05Z', more = [] } = fields;
  const { contentType = 'application/http; msgtype=response' } = fields;
  const bytes = Buffer.from(block);
  const lines = [
    'WARC/1.0',
    `WARC-Type: ${type}`,
    ...(url === null ? [] : [`WARC-Target-URI: ${url}`]),
    `WARC-Record-ID: <urn:uuid:${createHash('md5').update(bytes).digest('hex')}>`,
    `WARC-Date: ${date}`,
    ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
    ...more,
    `Content-Length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes, Buffer.from('\r\n\r\n')]);
}

/** The answer of a server, as the block of a record. */
export function answerOf(body: Buffer | string, more: readonly string[] = [], status = '200 OK'): Buffer {
  const head = [`HTTP/1.1 ${status}`, 'Content-Type: text/html; charset=utf-8', ...more].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)]);
}

export const blockDigest = (block: Buffer) =>
  `WARC-Block-Digest: sha1:${createHash('sha1').update(block).digest('hex')}`;

const zstd = (bytes: Buffer) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
const PACK = { plain: (bytes: Buffer) => bytes, gzip: (bytes: Buffer) => gzipSync(bytes, { level: 1 }), zstd } as const;

/** How an archive is packed: plain, or record by record, or all records in one member. */
export const FORMS = ['plain', 'gzip', 'zstd', 'gzip, one member', 'zstd, one frame'] as const;
export type Form = (typeof FORMS)[number];

export interface Archive {
  readonly bytes: Buffer;
  /** Where each record lies in `bytes`; of one member null. */
  readonly places: readonly { readonly from: number; readonly to: number }[] | null;
}

export function archiveOf(records: readonly Buffer[], form: Form): Archive {
  if (form === 'gzip, one member') return { bytes: PACK.gzip(Buffer.concat(records)), places: null };
  if (form === 'zstd, one frame') return { bytes: PACK.zstd(Buffer.concat(records)), places: null };
  const packed = records.map(PACK[form]);
  const ends = endsOf(packed);
  const places = packed.map(({ length }, i) => ({ from: ends[i]! - length, to: ends[i]! }));
  return { bytes: Buffer.concat(packed), places };
}

/** Where each part ends, one after the other. */
export function endsOf(parts: readonly Buffer[]): number[] {
  let end = 0;
  return parts.map(({ length }) => {
    end += length;
    return end;
  });
}

/** Bytes as a stream gives them, in pieces of `pieceBytes`. */
export async function* streamOf(bytes: Buffer, pieceBytes = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** All items of an archive, from a position on. */
export function itemsOf(bytes: Buffer, from: Position | null = null, name = '-'): Promise<IngestItem[]> {
  return Array.fromAsync(readWarc(openBytes(name, streamOf(bytes), from?.byte ?? 0), from));
}

/** A put, by its URL and text; else what kind of item it is. */
export function told(item: IngestItem): string {
  if ('refused' in item) return `${item.refused}: ${item.detail}`;
  if (!('operation' in item)) return 'wanted';
  const { operation } = item;
  if (operation.op !== 'put') return `${operation.op} ${operation.url}`;
  return `put ${operation.url} ${Buffer.from(operation.body!.bytes).toString('latin1')}`;
}
