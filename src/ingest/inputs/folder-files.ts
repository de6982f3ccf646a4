import { Buffer } from 'node:buffer';
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ShingledError } from '../../errors.ts';
import { systemFault } from '../../plain-words/system-faults.ts';
import { underPrefix } from '../fields/url-prefix.ts';
import type { IngestLimits } from '../limits.ts';
import type { FileMark, IngestItem, IsAsBefore, Position, RefusedReason } from '../port.ts';
import { openBytes } from '../unpack/open-bytes.ts';
import { onDisk, realPathOf } from './byte-names.ts';
import { documentUnlessRecords, type ReadDocument } from './document-file.ts';
import { fileOfName, hasUnpacked, unpackedName } from './file-names.ts';
import { type WalkedFile, type WalkOptions, walkFolder } from './folder-walk.ts';
import { readWholeFile, specialKind } from './whole-file.ts';

/*
 * A folder: each file is a document. Its URL is the prefix and its path, percent-encoded, or its file: URL without a prefix.
 * Its date is that of its last change. A packed file is what is in it, by the name that it has unpacked: page.html.gz is
 * page.html, and passed over where that lies beside it, as servers keep both. Files of records, packed or not, are not read:
 * their records would not be told from documents of the same names.
 *
 * A position names the file that was read last: what comes behind it in the order of names is still to be read, whatever was
 * added or removed before. Its byte is how many were read of all files up to there, or are as before.
 */

/**
 * A file that was changed so shortly before it was read may have been changed again within the same tick of its clock, which
 * nothing shows. The clock of FAT ticks every two seconds; all others tick more often.
 */
const TICK_MS = 2000;

export interface FolderOptions extends WalkOptions {
  /** null: file: URLs. */
  readonly urlPrefix: string | null;
  /** Absent: all files are read. */
  readonly isAsBefore?: IsAsBefore;
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
    const { isAsBefore } = options;
    const isKnown = isAsBefore === undefined ? null : (mark: FileMark) => isAsBefore(url, path, mark);
    const read =
      'entry' in step
        ? readEntry(root, step, limits.documentBytesMax, isKnown)
        : { ...refusal(step.refused, step.detail), ...(step.refused === 'unreadable' ? { hides: true as const } : {}) };
    byte += 'bytes' in read ? read.bytes.length : 'asBefore' in read ? read.mark.size : 0;
    const isPacked = 'bytes' in read && url !== underPrefix(urlPrefix, path);
    const made = isPacked ? await unpackDocument(path, read, limits) : read;
    const bytes = 'bytes' in made ? made.bytes.length : 0;
    const next: Position = { file: path, byte, skip: 0, record };
    const what = 'bytes' in made ? documentUnlessRecords(made, url) : { ...made, url };
    const mark = 'operation' in what && 'bytes' in read ? { mark: read.mark } : {};
    yield { at: path, next, bytes, ...mark, ...what };
  }
}

const refusal = (refused: RefusedReason, detail: string) => ({ refused, detail });

/** The file of an entry, for which a link may stand; or why there is none. */
export function fileOfEntry(root: string, { path, entry }: WalkedFile) {
  const place = join(root, path);
  if (entry.isSymbolicLink()) return targetOf(root, place);
  const kind = specialKind(entry);
  return kind === null ? { path: place } : refusal('no-document', `It is ${kind}, not a file.`);
}

function readEntry(
  root: string,
  walked: WalkedFile,
  bytesMax: number,
  isAsBefore: ((mark: FileMark) => boolean) | null,
) {
  const { path, entry } = walked;
  const unpacked = unpackedName(entry.name);
  const { contentType, refusal: told } = fileOfName(unpacked);
  const target = fileOfEntry(root, walked);
  if ('refused' in target) return target;
  if (told !== null) return refusal('unusable-type', told);
  if (hasUnpacked(join(root, path), entry.name)) {
    return refusal('no-document', `It is a packed copy of ${unpacked}, which lies beside it.`);
  }
  const found = isAsBefore === null ? null : markOf(target.path);
  if (found !== null && isAsBefore!(found)) return { asBefore: true as const, mark: found };
  const readAtMs = Date.now();
  const file = readWholeFile(target.path, bytesMax);
  if (!('bytes' in file)) return file;
  const { bytes, mtimeMs } = file;
  const mark = mtimeMs + TICK_MS > readAtMs ? null : { size: bytes.length, mtimeMs };
  return { ...file, contentType, mark };
}

function markOf(path: string): FileMark | null {
  try {
    const { size, mtimeMs } = lstatSync(onDisk(path));
    return { size, mtimeMs };
  } catch {
    // reading says why
    return null;
  }
}

/** What is in a packed file: all of it, or why it is not read. */
export async function unpackDocument(
  path: string,
  file: ReadDocument,
  { documentBytesMax }: Pick<FolderLimits, 'documentBytesMax'>,
) {
  const pieces: Uint8Array[] = [];
  let length = 0;
  async function* packed() {
    yield file.bytes;
  }
  try {
    for await (const { bytes, damage } of openBytes(path, packed()).chunks) {
      if (damage !== null) return refusal('damaged', damage);
      length += bytes.length;
      if (length > documentBytesMax) {
        return refusal('too-large', `Unpacked it has more than ${documentBytesMax} bytes (INGEST_DOCUMENT_BYTES_MAX).`);
      }
      pieces.push(Uint8Array.from(bytes));
    }
  } catch (error) {
    if (error instanceof ShingledError) return refusal('unreadable', error.message);
    throw error;
  }
  return length === 0 ? refusal('no-document', 'It is empty.') : { ...file, bytes: Buffer.concat(pieces) };
}

/** Where a link leads, if that is a file of the folder. */
function targetOf(root: string, link: string): { readonly path: string } | ReturnType<typeof refusal> {
  try {
    const path = realPathOf(link);
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
      return refusal('no-document', 'It is a link that leads out of the folder, which is not followed.');
    }
    const kind = specialKind(statSync(onDisk(path)));
    return kind === null ? { path } : refusal('no-document', `It is a link to ${kind}, which is not followed.`);
  } catch (error) {
    return refusal('unreadable', `It is a link that leads nowhere: ${systemFault(error)}.`);
  }
}
