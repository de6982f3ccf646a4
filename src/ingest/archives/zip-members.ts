import { Buffer } from 'node:buffer';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, getFileNameLowLevel } from 'yauzl';
import { type ArchiveMember, DamagedArchive, memberName, type Refusal, tooLarge } from './member.ts';
import { isStored, whyNotUnpacked, type ZipFile } from './zip-file.ts';

/* The members of a zip, in the order of its directory. */

const UNICODE_PATH = 0x70_75;
const UNIX = 3;
const [KIND_MASK, LINK] = [0xf0_00, 0xa0_00];
/** The least number of bytes before the data of a member. */
const HEAD_BYTES = 30;
/** What deflate adds to bytes that it cannot make fewer is some of a thousand. */
const PACKED_SLACK_BYTES = 64 * 1024;
/** The first moment of MS-DOS is what is written where no time is known. */
const DOS_EPOCH_MS = Date.UTC(1980, 0, 1);

/** @throws DamagedArchive behind the members that can be read; what reading the file throws */
export async function* zipMembers(zip: ZipFile): AsyncGenerator<ArchiveMember, void, undefined> {
  let members = 0;
  let byte = 0;
  for await (const entry of zip.entries()) {
    members++;
    byte += entry.compressedSize;
    const bytes = nameBytes(entry);
    if (bytes.at(-1) === 0x2f) continue;
    const mtimeMs = entry.getLastModDate({ timezone: 'UTC' }).getTime();
    yield {
      name: memberName(bytes),
      mtimeMs: mtimeMs > DOS_EPOCH_MS ? mtimeMs : null,
      refusal: refusalOf(entry),
      read: (bytesMax) => whole(zip, entry, bytesMax),
      next: { byte: Math.min(byte, zip.size), skip: members },
    };
  }
}

/** As the names lie there, or, where a member has one in UTF-8 beside that, by that. */
function nameBytes({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): Buffer {
  const isBeside = extraFields.some(({ id }) => id === UNICODE_PATH);
  const name = isBeside ? getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true) : null;
  const bytes = Buffer.from(name ?? fileNameRaw);
  // as programs of Windows wrote them against the rules
  return bytes.includes(0x2f) ? bytes : Buffer.from(bytes.toString('latin1').replaceAll('\\', '/'), 'latin1');
}

function refusalOf(entry: Entry): Refusal | null {
  const isLink = entry.versionMadeBy >>> 8 === UNIX && ((entry.externalFileAttributes >>> 16) & KIND_MASK) === LINK;
  if (isLink) return { refused: 'no-document', detail: 'It is a link, which is not followed.' };
  const detail = whyNotUnpacked(entry);
  return detail === null ? null : { refused: 'unreadable', detail };
}

async function whole(zip: ZipFile, entry: Entry, bytesMax: number): Promise<Buffer | Refusal> {
  if (entry.compressedSize > bytesMax + PACKED_SLACK_BYTES) return tooLarge(bytesMax);
  try {
    const packed = await zip.data(entry);
    const bytes = isStored(entry) ? Buffer.from(packed) : inflated(packed, entry, bytesMax);
    if (bytes.length > bytesMax) return tooLarge(bytesMax);
    if (crc32(bytes) === entry.crc32) return bytes;
    return { refused: 'damaged', detail: 'Its checksum is another.' };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(bytesMax);
    if (error instanceof DamagedArchive || /^Z_/.test(code ?? ''))
      return { refused: 'damaged', detail: `It is damaged: ${message}.` };
    throw error;
  }
}

/** @throws what zlib throws; `ERR_BUFFER_TOO_LARGE` beyond the bound */
function inflated(packed: Buffer, entry: Entry, bytesMax: number): Buffer {
  if (packed.equals(NOTHING_DEFLATED)) return Buffer.alloc(0);
  return inflateRawSync(packed, { chunkSize: chunkBytesOf(entry), maxOutputLength: Math.max(1, bytesMax) });
}

/** What every packer makes of an empty file. Archives may hold tens of thousands, and zlib takes 10 µs for each. */
const NOTHING_DEFLATED = Buffer.from([3, 0]);

/** In which zlib takes memory: to take 16 KiB of it takes ten times as long as to unpack a few bytes. */
const chunkBytesOf = ({ uncompressedSize }: Entry) =>
  Math.min(CHUNK_BYTES, Math.max(CHUNK_BYTES_LEAST, uncompressedSize + 1));
const [CHUNK_BYTES_LEAST, CHUNK_BYTES] = [64, 32 * 1024];

/** Looks at a zip as a whole. */
export interface ZipSurvey {
  /** Whether members lie over one another, as in a bomb. */
  readonly overlaps: boolean;
  /** The names of all entries for which `isWanted` is true. */
  readonly wanted: readonly Entry[];
}

/** Looks through a directory as far as it can be read. */
export async function surveyZip(zip: ZipFile, isWanted: (name: string) => boolean): Promise<ZipSurvey> {
  const places: { readonly from: number; readonly to: number }[] = [];
  const wanted: Entry[] = [];
  try {
    for await (const entry of zip.entries()) {
      const { relativeOffsetOfLocalHeader: from, compressedSize, fileNameRaw } = entry;
      places.push({ from, to: from + HEAD_BYTES + compressedSize });
      if (isWanted(fileNameRaw.toString())) wanted.push(entry);
    }
  } catch (error) {
    if (!(error instanceof DamagedArchive)) throw error;
  }
  places.sort((a, b) => a.from - b.from);
  return { overlaps: places.some(({ from }, i) => i > 0 && from < places[i - 1]!.to), wanted };
}
