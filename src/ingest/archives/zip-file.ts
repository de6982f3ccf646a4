import { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import yauzl, { type Entry } from 'yauzl';
import { createWaiter } from '../../sharing/waiting.ts';
import { DamagedArchive } from './member.ts';

/*
 * A zip, by its directory, which lies at its end. yauzl reads that directory. What a member holds is read here: none takes more
 * memory than a document may have.
 */

/** The directory is read a few bytes at a time, so some more are kept than are asked for. */
const AHEAD_BYTES = 64 * 1024;

const OPTIONS = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false } as const;
const METHOD = { stored: 0, deflated: 8 } as const;

export class ZipFile {
  readonly path: string;
  readonly size: number;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle, size: number) {
    this.path = path;
    this.#file = file;
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
    const reader = new DirectoryReader((position, length) => this.part(position, length));
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
    const head = await this.part(at, 30);
    if (head.length < 30 || head.readUInt32LE(0) !== 0x04_03_4b_50)
      throw new DamagedArchive('there is no member where the directory says');
    const start = at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    if (start + compressedSize > this.size) throw new DamagedArchive('it goes beyond the end of the archive');
    return start;
  }

  /** Some bytes of the file, fewer at its end. */
  async part(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let read = 0;
    for (let last = -1; last !== 0 && read < length; read += last) {
      last = (await this.#file.read(bytes, read, length - read, position + read)).bytesRead;
    }
    return bytes.subarray(0, read);
  }

  /** What an entry holds, unpacked, piece by piece. @throws what reading and unpacking throw */
  async *stream(entry: Entry, start: number): AsyncGenerator<Buffer, void, undefined> {
    if (entry.compressedSize === 0) return;
    const raw = createReadStream(this.path, { start, end: start + entry.compressedSize - 1 });
    const stream = isStored(entry) ? raw : pipeline(raw, createInflateRaw(), () => undefined);
    for await (const bytes of stream) yield bytes as Buffer;
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

/** What yauzl reads by. What it throws where nobody can catch it is told to whoever waits. */
class DirectoryReader extends yauzl.RandomAccessReader {
  readonly #part: ZipFile['part'];
  readonly #broken = createWaiter<never>();
  #ahead: Buffer = Buffer.alloc(0);
  #aheadAt = 0;

  constructor(part: ZipFile['part']) {
    super();
    this.#part = part;
    this.#broken.promise.catch(() => undefined);
  }

  unlessBroken<T>(waiting: Promise<T>): Promise<T> {
    return Promise.race([waiting, this.#broken.promise]);
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const give = async () => {
      if (position < this.#aheadAt || position + length > this.#aheadAt + this.#ahead.length) {
        this.#ahead = await this.#part(position, Math.max(length, AHEAD_BYTES));
        this.#aheadAt = position;
      }
      const at = position - this.#aheadAt;
      return this.#ahead.copy(into, offset, at, at + length);
    };
    give()
      .then(
        (bytesRead) => done(null, bytesRead),
        (error: Error) => done(error),
      )
      .catch((error: unknown) => this.#broken.reject(error));
  }
}
