import type { Buffer } from 'node:buffer';

/* What an archive is, by its first bytes: a tar, a zip of documents, or a zip that is one document. */

const BLOCK_BYTES = 512;
const CHECKSUM = { from: 148, to: 156 } as const;
const SPACE = 0x20;

const LOCAL_HEADER = 'PK\x03\x04';
const DIRECTORY_END = 'PK\x05\x06';

/** Whether a tar begins here: the checksum of its first head is right, whatever its dialect. */
export function isTar(head: Buffer): boolean {
  if (head.length < BLOCK_BYTES || head[0] === 0) return false;
  const told = Number.parseInt(head.toString('latin1', CHECKSUM.from, CHECKSUM.to).trimStart(), 8);
  let sum = 0;
  for (let at = 0; at < BLOCK_BYTES; at++) sum += at >= CHECKSUM.from && at < CHECKSUM.to ? SPACE : head[at]!;
  return told === sum;
}

/** Local file header, or the end of a directory without entries. */
export const isZip = (head: Buffer) =>
  [LOCAL_HEADER, DIRECTORY_END].includes(head.toString('latin1', 0, LOCAL_HEADER.length));

const LOCAL_HEADER_BYTES = 30;

/**
 * What a zip is that is one document, such as "a Word document"; null where its members are documents, or records.
 *
 * @param head as much of its beginning as there is: the names of the first members say it
 */
export function documentInZip(head: Buffer): string | null {
  const names = namesIn(head);
  if (names[0] === 'mimetype') {
    const type = head.toString('latin1', LOCAL_HEADER_BYTES + 'mimetype'.length, 200);
    if (/^.{0,64}application\/epub\+zip/s.test(type)) return 'an EPUB book';
    const kind = /^.{0,64}application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/s.exec(type)?.[1];
    return kind === undefined ? 'an OpenDocument file' : `an OpenDocument ${kind}`;
  }
  const has = (begin: string) => names.some((name) => name.startsWith(begin));
  if (has('[Content_Types].xml') || names[0] === '_rels/.rels') {
    if (has('xl/')) return 'an Excel workbook';
    return has('ppt/') ? 'a PowerPoint presentation' : 'a Word document';
  }
  if (names[0]?.startsWith('META-INF/') === true) return 'a Java archive';
  return has('AndroidManifest.xml') ? 'an Android package' : null;
}

function namesIn(head: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at >= 0 && at + LOCAL_HEADER_BYTES <= head.length; ) {
    const start = at + LOCAL_HEADER_BYTES;
    names.push(head.toString('latin1', start, start + head.readUInt16LE(at + 26)));
    at = head.indexOf(LOCAL_HEADER, start, 'latin1');
  }
  return names;
}
