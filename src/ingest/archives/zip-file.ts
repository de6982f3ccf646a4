import { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import yauzl, { type Entry } from 'yauzl';
import { createWaiter } from '../../sharing/waiting.ts';
import { bombIn } from '../unpack/packing.ts';
import { DamagedArchive } from './member.ts';

/*
 * A zip, by its directory, which lies at its end. yauzl reads that directory. What a member holds is read here: none takes more
 * memory than a document may have.
 */

const [DIRECTORY_AHEAD_BYTES, MEMBERS_AHEAD_BYTES] = [64 * 1024, 256 * 1024];
const LOCAL_HEADER_BYTES = 30;

const OPTIONS = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false } as const;
const METHOD = { stored: 0, deflated: 8 } as const;

export class ZipFile {
  readonly path: string;
  readonly size: number;
  readonly #file: FileHandle;
  readonly #ahead: ReadAhead;

  private constructor(path: string, file: FileHandle, size: number) {
    this.path = path;
    this.#file = file;
    this.#ahead = new ReadAhead(file, MEMBERS_AHEAD_BYTES);
    this.size = size;
  }

  /** @throws what the system throws */
  static async open(path: string): Promise<ZipFile> {
    const file = await open(path);
    return new ZipFile(path, file, (await file.stat()).size);
  }

  /**
   * The entries of its directory, in their order.
   *
   * @throws DamagedArchive behind those that can be read
   */
  async *entries(): AsyncGenerator<Entry, void, undefined> {
    const reader = new DirectoryReader(this.#file);
    try {
      const opening = yauzl.fromRandomAccessReaderPromise(reader, this.size, OPTIONS);
      const zip = await reader.unlessBroken(opening);
      const entries = zip.eachEntry();
      for (;;) {
        const { done, value } = await reader.unlessBroken(entries.next());
        if (done === true) return;
        yield value;
      }
    } catch (error) {
      const { message } = error as Error;
      const isCut = message.startsWith('End of central directory');
      throw new DamagedArchive(
        isCut ? 'the end of the archive, by which it is read, is not there' : `its directory is damaged (${message})`,
      );
    }
  }

  /** Where the data of an entry begin. @throws DamagedArchive */
  async dataStart({ relativeOffsetOfLocalHeader: at, compressedSize }: Entry): Promise<number> {
    const head = await this.#ahead.part(at, LOCAL_HEADER_BYTES);
    if (head.length < LOCAL_HEADER_BYTES || head.readUInt32LE(0) !== 0x04_03_4b_50)
      throw new DamagedArchive('there is no member where the directory says');
    const start = at + LOCAL_HEADER_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
    if (start + compressedSize > this.size) throw new DamagedArchive('it goes beyond the end of the archive');
    return start;
  }

  /** All that an entry holds, as it is packed. @throws DamagedArchive */
  async data(entry: Entry): Promise<Buffer> {
    return this.#ahead.part(await this.dataStart(entry), entry.compressedSize);
  }

  /** What an entry holds, unpacked, piece by piece. @throws what reading and unpacking throw */
  async *stream(entry: Entry, start: number): AsyncGenerator<Buffer, void, undefined> {
    if (entry.compressedSize === 0) return;
    const raw = createReadStream(this.path, { start, end: start + entry.compressedSize - 1 });
    const stream = isStored(entry) ? raw : pipeline(raw, createInflateRaw(), () => undefined);
    let length = 0;
    for await (const chunk of stream) {
      const bytes = chunk as Buffer;
      length += bytes.length;
      const bomb = bombIn(length, entry.compressedSize);
      if (bomb !== null) throw new DamagedArchive(bomb);
      yield bytes;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

export const isStored = ({ compressionMethod }: Entry) => compressionMethod === METHOD.stored;

/** Why an entry cannot be unpacked, null where it can. */
export function whyNotUnpacked(entry: Entry): string | null {
  if (entry.isEncrypted()) return 'It is encrypted.';
  const { compressionMethod: method } = entry;
  if (method === METHOD.stored || method === METHOD.deflated) return null;
  return `It is packed in a way that is not read (${METHOD_NAMES[method] ?? `method ${method}`}).`;
}

const METHOD_NAMES: Readonly<Record<number, string>> = {
  ...{ 9: 'Deflate64', 12: 'bzip2', 14: 'LZMA', 93: 'zstd', 95: 'xz', 98: 'PPMd' },
};

/** What yauzl reads by. An error that it throws where no caller can catch it goes to the call that waits. */
class DirectoryReader extends yauzl.RandomAccessReader {
  readonly #ahead: ReadAhead;
  #waiter = createWaiter<never>();

  constructor(file: FileHandle) {
    super();
    this.#ahead = new ReadAhead(file, DIRECTORY_AHEAD_BYTES);
  }

  unlessBroken<T>(waiting: Promise<T>): Promise<T> {
    this.#waiter = createWaiter<never>();
    return Promise.race([waiting, this.#waiter.promise]);
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#ahead
      .part(position, length)
      .then(
        (bytes) => done(null, bytes.copy(into, offset)),
        (error: Error) => done(error),
      )
      .catch((error: unknown) => this.#waiter.reject(error));
  }
}

/** A file, of which some more is read than is asked for: the next that is asked for lies behind it, as a rule. */
class ReadAhead {
  readonly #file: FileHandle;
  readonly #aheadBytes: number;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(file: FileHandle, aheadBytes: number) {
    this.#file = file;
    this.#aheadBytes = aheadBytes;
  }

  /** Some bytes, fewer at the end of the file. They stay what they are. */
  async part(position: number, length: number): Promise<Buffer> {
    if (position < this.#at || position + length > this.#at + this.#bytes.length) {
      this.#bytes = await this.#read(position, Math.max(length, this.#aheadBytes));
      this.#at = position;
    }
    return this.#bytes.subarray(position - this.#at, position - this.#at + length);
  }

  async #read(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let read = 0;
    for (let last = -1; last !== 0 && read < length; read += last) {
      last = (await this.#file.read(bytes, read, length - read, position + read)).bytesRead;
    }
    return bytes.subarray(0, read);
  }
}
