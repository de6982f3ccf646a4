import { Buffer } from 'node:buffer';
import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { LONE_BYTE } from '../fields/percent-encoded.ts';

/*
 * Names of files. To Linux a name is bytes, and not all are UTF-8: an archive of 1998 has caf\xe9.txt. Here such a name is
 * a text in which each byte that is not UTF-8 stands as the lone surrogate U+DC00 + byte, as Python has it (PEP 383). No
 * other name has lone surrogates, so it leads back to the same bytes: to the file, to its URL, to a copy of it.
 *
 *   63 61 66 e9 2e 74 78 74  ─ nameOfBytes ─  "caf\udce9.txt"  ─ onDisk ─  63 61 66 e9 2e 74 78 74
 */

const UTF8_OR_BYTE =
  /[\0-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;
const REPLACEMENT = '\ufffd';

export function nameOfBytes(bytes: Buffer): string {
  const text = bytes.toString();
  if (!text.includes(REPLACEMENT)) return text;
  return bytes.toString('latin1').replace(UTF8_OR_BYTE, (part) => {
    const isByte = part.length === 1 && part > '\x7f';
    return isByte ? String.fromCharCode(0xdc00 + part.charCodeAt(0)) : Buffer.from(part, 'latin1').toString();
  });
}

/** A path as the functions of node:fs take it. */
export function onDisk(path: string): string | Buffer {
  if (!LONE_BYTE.test(path)) return path;
  const parts = path.match(/[\udc80-\udcff]|[^\udc80-\udcff]+/gu)!;
  return Buffer.concat(
    parts.map((part) => (LONE_BYTE.test(part) ? Buffer.of(part.charCodeAt(0) - 0xdc00) : Buffer.from(part))),
  );
}

/** What of an entry of a folder is looked at. */
export interface FolderEntry extends Pick<Dirent, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket' | 'isSymbolicLink'> {
  readonly name: string;
}

/** The entries of a folder, in no order. @throws what the file system throws */
export function entriesOf(path: string): FolderEntry[] {
  const place = onDisk(path);
  const entries: FolderEntry[] = readdirSync(place, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes(REPLACEMENT))) return entries;
  return readdirSync(place, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
    name: nameOfBytes(entry.name as Buffer),
    isFile: () => entry.isFile(),
    isDirectory: () => entry.isDirectory(),
    isFIFO: () => entry.isFIFO(),
    isSocket: () => entry.isSocket(),
    isSymbolicLink: () => entry.isSymbolicLink(),
  }));
}

/** Where a link leads. @throws what the file system throws */
export function realPathOf(path: string): string {
  return nameOfBytes(realpathSync(onDisk(path), 'buffer') as Buffer);
}
