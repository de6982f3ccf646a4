import { Buffer } from 'node:buffer';

/*
 * What a ZIP archive is: an office document or a book, which are ZIP archives too, or just an archive. Told by the names of
 * its first entries, as their own headers give them, so that the first bytes of a file are enough.
 */

/** A ZIP archive that is one document: `read` as which kind, or what it is where it is not read. */
export type ZippedDocument =
  | { readonly read: 'docx' | 'odt' | 'epub' }
  | { readonly read: null; readonly name: string };

const ENTRY = Buffer.from('PK\x03\x04', 'latin1');
const HEADER_BYTES = 30;
/** So many names tell: writers put the parts that say what it is first. */
const ENTRIES_LOOKED_AT = 200;
/** An entry whose size stands behind it: the next one must be looked for. */
const SIZE_IS_BEHIND = 0x08;

const BY_MIMETYPE: ReadonlyMap<string, ZippedDocument> = new Map(
  Object.entries({
    'application/epub+zip': { read: 'epub' },
    'application/vnd.oasis.opendocument.text': { read: 'odt' },
    'application/vnd.oasis.opendocument.text-template': { read: 'odt' },
    'application/vnd.oasis.opendocument.spreadsheet': { read: null, name: 'an OpenDocument spreadsheet' },
    'application/vnd.oasis.opendocument.presentation': { read: null, name: 'an OpenDocument presentation' },
  }),
);
const OTHER_OPEN_DOCUMENT: ZippedDocument = { read: null, name: 'an OpenDocument file that is no text' };
const BY_FOLDER: ReadonlyMap<string, ZippedDocument> = new Map(
  Object.entries({
    word: { read: 'docx' },
    xl: { read: null, name: 'an Excel workbook' },
    ppt: { read: null, name: 'a PowerPoint presentation' },
    visio: { read: null, name: 'a Visio drawing' },
  }),
);
const JAVA: ZippedDocument = { read: null, name: 'a Java archive or an Android program' };

/** Whether bytes begin as a ZIP archive does. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

/**
 * Which document a ZIP archive is; null: none, just an archive, or no ZIP archive at all.
 *
 * @param head its first bytes: some 64 KiB tell almost always, all of them always
 */
export function zippedDocumentOf(head: Uint8Array): ZippedDocument | null {
  let hasContentTypes = false;
  let byFolder: ZippedDocument | null = null;
  for (const { name, content } of entriesOf(head)) {
    if (name === 'mimetype') {
      const said = BY_MIMETYPE.get(content.trim());
      if (said !== undefined) return said;
      if (content.startsWith('application/vnd.oasis.opendocument.')) return OTHER_OPEN_DOCUMENT;
    }
    if (name === 'META-INF/container.xml') return { read: 'epub' };
    if (name === 'META-INF/MANIFEST.MF' || name === 'AndroidManifest.xml') return JAVA;
    hasContentTypes ||= name === '[Content_Types].xml';
    byFolder ??= BY_FOLDER.get(name.slice(0, Math.max(0, name.indexOf('/')))) ?? null;
    if (hasContentTypes && byFolder !== null) return byFolder;
  }
  return null;
}

/** Names of entries, with the content where it is short and not packed. */
function* entriesOf(head: Uint8Array): Generator<{ readonly name: string; readonly content: string }> {
  if (!isZip(head)) return;
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  let at = 0;
  for (let count = 0; count < ENTRIES_LOOKED_AT && at >= 0 && at + HEADER_BYTES <= bytes.length; count++) {
    if (!bytes.subarray(at, at + ENTRY.length).equals(ENTRY)) return;
    const flags = bytes.readUInt16LE(at + 6);
    const method = bytes.readUInt16LE(at + 8);
    const packedBytes = bytes.readUInt32LE(at + 18);
    const nameEnd = at + HEADER_BYTES + bytes.readUInt16LE(at + 26);
    const start = nameEnd + bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + HEADER_BYTES, nameEnd).replaceAll('\\', '/');
    const isSizeBehind = (flags & SIZE_IS_BEHIND) !== 0 && packedBytes === 0;
    const end = isSizeBehind ? bytes.indexOf(ENTRY, start) : start + packedBytes;
    const content = method === 0 && end - start <= 200 ? bytes.toString('latin1', start, Math.max(start, end)) : '';
    yield { name: name.replace(/^\/+/, ''), content };
    at = end;
  }
}
