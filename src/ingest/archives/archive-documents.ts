import { documentUnlessRecords } from '../inputs/document-file.ts';
import { fileOfName, unpackedName } from '../inputs/file-names.ts';
import { unpackDocument } from '../inputs/folder-files.ts';
import type { IngestLimits } from '../limits.ts';
import type { IngestItem, Position } from '../port.ts';
import { type ArchiveMember, DamagedArchive } from './member.ts';
import type { MemberFilter } from './member-filter.ts';

/*
 * An archive of documents: each member is one, as each file of a folder is (inputs/folder-files.ts). Its URL is the prefix
 * and its name, percent-encoded; its date is that of its last change. A packed member is what is in it, by the name that it has
 * unpacked. Nothing is written to the disk, whatever the names are.
 */

export interface ArchiveOptions {
  /** Of the archive, as it was named. */
  readonly file: string;
  /** Before the names of members. */
  readonly urlPrefix: string;
  readonly filter: MemberFilter;
  readonly limits: Pick<IngestLimits, 'documentBytesMax'>;
}

/** Members to be passed over where the rest is damaged. */
const TO_THE_END = Number.MAX_SAFE_INTEGER;

/** @param from a position behind one of its items. @throws what reading the archive throws */
export async function* readArchive(
  members: AsyncIterable<ArchiveMember>,
  options: ArchiveOptions,
  from: Position | null,
): AsyncGenerator<IngestItem, void, undefined> {
  const { file, filter } = options;
  let record = from?.record ?? 0;
  let last = from?.byte ?? 0;
  let passOver = from?.skip ?? 0;
  let at = 'the archive';
  try {
    for await (const member of members) {
      const { byte, skip } = member.next;
      if (passOver > 0 && skip <= passOver) continue;
      passOver = 0;
      last = byte;
      const { path, problem } = member.name;
      if (problem === null && !filter.takes(path)) continue;
      at = path === '' ? 'a member without a name' : path;
      const made = await documentIn(member, options);
      yield { at, next: { file, byte, skip, record: ++record }, bytes: 0, ...made };
      at = 'the archive';
    }
  } catch (error) {
    if (!(error instanceof DamagedArchive)) throw error;
    if (from?.skip === TO_THE_END) return;
    const next = { file, byte: last, skip: TO_THE_END, record: ++record };
    yield { at, next, bytes: 0, refused: 'damaged', detail: `${error.message}.`, url: null };
  }
}

async function documentIn(member: ArchiveMember, { urlPrefix, limits }: ArchiveOptions) {
  const { name, mtimeMs, refusal } = member;
  const unpacked = unpackedName(name.path);
  const url = under(urlPrefix, unpackedName(name.encoded));
  if (name.problem !== null) return { refused: 'no-url', detail: name.problem, url: null } as const;
  const { contentType, refusal: told } = fileOfName(unpacked.slice(unpacked.lastIndexOf('/') + 1));
  if (refusal !== null) return { ...refusal, url };
  if (told !== null) return { refused: 'unusable-type', detail: told, url } as const;
  const bytes = await member.read(limits.documentBytesMax);
  if ('refused' in bytes) return { ...bytes, url };
  if (bytes.length === 0) return { refused: 'no-document', detail: 'It is empty.', url } as const;
  const file = { bytes, mtimeMs, contentType };
  const made = unpacked === name.path ? file : await unpackDocument(name.path, file, limits);
  return 'refused' in made ? { ...made, url } : { ...documentUnlessRecords(made, url), bytes: made.bytes.length };
}

/** As `underPrefix` does of what is not encoded yet. */
const under = (urlPrefix: string, encoded: string) =>
  urlPrefix.endsWith('/') ? urlPrefix + encoded.replace(/^\/+/, '') : urlPrefix + encoded;
