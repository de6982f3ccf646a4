import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { extract, type Header } from 'tar-stream';
import type { OpenedBytes } from '../port.ts';
import { type ArchiveMember, DamagedArchive, memberName, type Refusal, tooLarge } from './member.ts';

/*
 * The members of a tar, in their order, while its bytes go by. Names are taken byte by byte: tar-stream gives them as Latin-1,
 * except those of pax, which are UTF-8 by its rules.
 */

const BLOCK_BYTES = 512;

/** What its types do not know of. */
interface Head extends Omit<Header, 'type' | 'pax' | 'linkname'> {
  readonly type: Header['type'] | null;
  readonly linkname: string | null;
  /** Where its data begin, in bytes from the beginning. */
  readonly byteOffset: number;
  readonly pax: Readonly<Record<string, string>> | null;
}
const OPTIONS: object = { filenameEncoding: 'latin1', allowUnknownFormat: true };

/**
 * @param from of a tar that is not packed, the byte at which the bytes begin
 * @throws DamagedArchive where the rest cannot be read; what reading the bytes throws
 */
export async function* tarMembers(
  { chunks }: OpenedBytes,
  from: number,
): AsyncGenerator<ArchiveMember, void, undefined> {
  const bytes = new TarBytes(chunks);
  const tar = extract(OPTIONS);
  const source = Readable.from(bytes.all());
  source.on('error', (error) => tar.destroy(error));
  source.pipe(tar);
  let members = 0;
  const damaged = (error: unknown) => {
    if (bytes.failure !== null) return bytes.failure.error;
    const what =
      bytes.damage ??
      (/end of data/.test(String(error)) ? 'the archive is cut' : 'something is there that is no member of an archive');
    return new DamagedArchive(`${what}; nothing of the archive can be read after it`);
  };
  try {
    for await (const entry of tar) {
      const head = entry.header as unknown as Head;
      members++;
      const behind = from + head.byteOffset + Math.ceil(head.size / BLOCK_BYTES) * BLOCK_BYTES;
      const next = bytes.isPacked ? { byte: 0, skip: members } : { byte: behind, skip: 0 };
      let isRead = false;
      const read = (bytesMax: number) => {
        isRead = true;
        return whole(entry, bytesMax).catch((error: unknown) => {
          throw damaged(error);
        });
      };
      if (head.type !== 'directory') yield { ...described(head), read, next };
      if (!isRead) entry.resume();
    }
  } catch (error) {
    throw damaged(error);
  } finally {
    source.destroy();
    tar.destroy();
  }
  // where the bytes end with a member, that is no error of the tar
  if (bytes.damage !== null) throw damaged(null);
}

/** The bytes of a tar up to where they are damaged. What lies behind is no longer in step with its blocks. */
class TarBytes {
  isPacked = false;
  damage: string | null = null;
  failure: { readonly error: unknown } | null = null;
  readonly #chunks: OpenedBytes['chunks'];

  constructor(chunks: OpenedBytes['chunks']) {
    this.#chunks = chunks;
  }

  async *all(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const { bytes, begins, damage } of this.#chunks) {
        this.isPacked ||= begins;
        this.damage = damage;
        if (damage !== null) return;
        yield Buffer.from(bytes);
      }
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

/** All of an entry is taken, also what is not kept: one that is left in the middle ends its archive. */
async function whole(entry: AsyncIterable<unknown>, bytesMax: number): Promise<Buffer | Refusal> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const given of entry) {
    const piece = given as Buffer;
    length += piece.length;
    if (length <= bytesMax) pieces.push(piece);
  }
  return length > bytesMax ? tooLarge(bytesMax) : Buffer.concat(pieces);
}

function described(head: Head): Pick<ArchiveMember, 'name' | 'mtimeMs' | 'refusal'> {
  const path = head.pax?.['path'];
  const name = memberName(path === undefined ? Buffer.from(head.name, 'latin1') : Buffer.from(path));
  const told = Number(head.pax?.['mtime'] ?? Number.NaN) * 1000;
  const mtimeMs = Number.isFinite(told) ? told : head.mtime.getTime();
  // who makes the same archive again and again sets 0
  return { name, mtimeMs: mtimeMs > 0 ? mtimeMs : null, refusal: refusalOf(head) };
}

function refusalOf({ type, pax, linkname }: Head): Refusal | null {
  const isSparse = Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse.'));
  if (isSparse) return { refused: 'unreadable', detail: 'It is a sparse file, which is not read.' };
  if (type === 'file' || type === 'contiguous-file') return null;
  if (type === 'link' || type === 'symlink') {
    const to = linkname ?? '';
    return {
      refused: 'no-document',
      detail: `It is a link to ${Buffer.from(to, 'latin1').toString()}, which is not followed.`,
    };
  }
  const detail =
    type === null
      ? 'It is a member of a kind that is not read, such as a sparse file.'
      : `It is a ${type.replace('-', ' ').replace('fifo', 'pipe')}, not a file.`;
  return { refused: 'unreadable', detail };
}
