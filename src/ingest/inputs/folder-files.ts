import { Buffer } from 'node:buffer';
import { realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { underPrefix } from '../fields/url-prefix.ts';
import type { IngestLimits } from '../limits.ts';
import type { IngestItem, Position, RefusedReason } from '../port.ts';
import { openBytes } from '../unpack/open-bytes.ts';
import { documentOf, typeWithCharset } from './document-file.ts';
import { fileOfName, hasUnpacked, unpackedName } from './file-names.ts';
import { type WalkedFile, type WalkOptions, walkFolder } from './folder-walk.ts';
import { codeOf, readWholeFile, specialKind } from './whole-file.ts';

/*
 * A folder: each file is a document. Its URL is the prefix and its path, percent-encoded, or its file: URL without a prefix.
 * Its date is that of its last change. A packed file is what is in it, by the name that it has unpacked: page.html.gz is
 * page.html, and passed over where that lies beside it, as servers keep both. Files of records, packed or not, are not read:
 * their records would not be told from documents of the same names.
 *
 * A position names the file that was read last: what comes behind it in the order of names is still to be read, whatever was
 * added or removed before. Its byte is how many were read of all files up to there.
 */

export interface FolderOptions extends WalkOptions {
  /** null: file: URLs. */
  readonly urlPrefix: string | null;
  /** As it was told; null: the documents say, or their bytes do. */
  readonly charset?: string | null;
}

type FolderLimits = Pick<IngestLimits, 'documentBytesMax' | 'folderDepthMax' | 'ignoreFileBytesMax'>;

/** @throws what finding the root itself throws */
export async function* readFolder(
  options: FolderOptions,
  limits: FolderLimits,
  from: Position | null,
): AsyncGenerator<IngestItem, void, undefined> {
  const root = realpathSync(options.root);
  const urlPrefix = options.urlPrefix ?? `${pathToFileURL(root).href}/`;
  let [record, byte] = [from?.record ?? 0, from?.byte ?? 0];
  for (const step of walkFolder({ ...options, root }, limits, from?.file ?? null)) {
    const { path } = step;
    record++;
    const url = underPrefix(urlPrefix, 'entry' in step ? unpackedName(path) : path);
    const read =
      'entry' in step ? readEntry(root, step, limits.documentBytesMax) : refusal('unreadable', step.unreadable);
    byte += 'bytes' in read ? read.bytes.length : 0;
    const made = 'bytes' in read && url !== underPrefix(urlPrefix, path) ? await unpack(path, read, limits) : read;
    const bytes = 'bytes' in made ? made.bytes.length : 0;
    const next: Position = { file: path, byte, skip: 0, record };
    yield {
      at: path,
      next,
      bytes,
      ...('bytes' in made ? documentOf(inCharset(made, options.charset), url) : { ...made, url }),
    };
  }
}

function inCharset(file: ReadFile, charset: string | null = null): ReadFile {
  return { ...file, contentType: typeWithCharset(file.contentType, file.bytes, charset) };
}

const refusal = (refused: RefusedReason, detail: string) => ({ refused, detail });

/** The file of an entry, for which a link may stand; or why there is none. */
export function fileOfEntry(root: string, { path, entry }: WalkedFile) {
  const place = join(root, path);
  if (entry.isSymbolicLink()) return targetOf(root, place);
  const kind = specialKind(entry);
  return kind === null ? { path: place } : refusal('unreadable', `It is ${kind}, not a file.`);
}

function readEntry(root: string, walked: WalkedFile, bytesMax: number) {
  const { path, entry } = walked;
  const unpacked = unpackedName(entry.name);
  const { contentType, refusal: told } = fileOfName(unpacked);
  const target = fileOfEntry(root, walked);
  if ('refused' in target) return target;
  if (told !== null) return refusal('unusable-type', told);
  if (hasUnpacked(join(root, path), entry.name)) {
    return refusal('no-document', `It is a packed copy of ${unpacked}, which lies beside it.`);
  }
  const file = readWholeFile(target.path, bytesMax);
  return 'bytes' in file ? { ...file, contentType } : file;
}

interface ReadFile {
  readonly bytes: Uint8Array;
  readonly mtimeMs: number;
  readonly contentType: string | null;
}

/** What is in a packed file: all of it, or why it is not read. */
async function unpack(path: string, file: ReadFile, { documentBytesMax }: Pick<FolderLimits, 'documentBytesMax'>) {
  const pieces: Uint8Array[] = [];
  let length = 0;
  async function* packed() {
    yield file.bytes;
  }
  for await (const { bytes, damage } of openBytes(path, packed()).chunks) {
    if (damage !== null) return refusal('damaged', damage);
    length += bytes.length;
    if (length > documentBytesMax) {
      return refusal('too-large', `Unpacked it has more than ${documentBytesMax} bytes (documentBytesMax).`);
    }
    pieces.push(Uint8Array.from(bytes));
  }
  return length === 0 ? refusal('no-text', 'It is empty.') : { ...file, bytes: Buffer.concat(pieces) };
}

/** Where a link leads, if that is a file of the folder. */
function targetOf(root: string, link: string): { readonly path: string } | ReturnType<typeof refusal> {
  try {
    const path = realpathSync(link);
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
      return refusal('unreadable', 'It is a link that leads out of the folder.');
    }
    const kind = specialKind(statSync(path));
    return kind === null ? { path } : refusal('unreadable', `It is a link to ${kind}, which is not followed.`);
  } catch (error) {
    return refusal('unreadable', `It is a link that leads nowhere: ${codeOf(error)}.`);
  }
}
