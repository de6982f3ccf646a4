import { Buffer } from 'node:buffer';
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { ShingledError } from '../../errors.ts';
import { isZip } from '../charset/zip-kind.ts';
import { checkTime, type Reading, unreadable } from '../reading.ts';

/*
 * The parts of an office document or a book, which is a ZIP archive. Its directory is read first, then the parts that are asked
 * for, piece by piece: what an archive unfolds to never lies in memory as a whole.
 */

/** "Compound File": what office programs wrap an encrypted document in, and what they wrote before they wrote ZIP archives. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');

export class Parts {
  /** The subject of messages about the file: "The .docx file". */
  readonly file: string;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #reading: Reading;
  #unpackedBytes = 0;

  private constructor(file: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>, reading: Reading) {
    this.file = file;
    this.#zip = zip;
    this.#entries = entries;
    this.#reading = reading;
  }

  /** @throws ShingledError `unsupported-media-type` where it is no ZIP archive; OutOfTime; Error where it is damaged */
  static async open(file: string, bytes: Uint8Array, reading: Reading): Promise<Parts> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (buffer.subarray(0, COMPOUND.length).equals(COMPOUND)) {
      if (buffer.includes(ENCRYPTED_PACKAGE)) throw unreadable(file, LOCKED);
      throw notZip('The bytes look like an old office document');
    }
    if (!isZip(bytes)) throw notZip(`${file} is a ZIP archive, and the bytes are none`);
    // names are compared here, and no file is ever written by them: what they may not be is no concern
    const zip = await fromBufferPromise(buffer, { decodeStrings: false });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      checkTime(reading);
      const { generalPurposeBitFlag, extraFields } = entry;
      const name = getFileNameLowLevel(generalPurposeBitFlag, entry.fileName as unknown as Buffer, extraFields, false);
      const place = name.replace(/^\/+/, '');
      if (!entries.has(place)) entries.set(place, entry);
    }
    return new Parts(file, zip, entries, reading);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The names of the parts, in the order of the directory. */
  names(): IterableIterator<string> {
    return this.#entries.keys();
  }

  /**
   * A part, piece by piece; nothing where it is not there.
   *
   * @throws ShingledError `unreadable-document` where it is encrypted, `document-too-complex` where all that was unpacked comes
   *   to more than it may; OutOfTime; Error where it is damaged
   */
  async *pieces(name: string): AsyncGenerator<Uint8Array, void, undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    if (entry.isEncrypted()) throw this.locked();
    const { unpackedBytesMax: value } = this.#reading.limits;
    for await (const piece of (await this.#zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
      checkTime(this.#reading);
      this.#unpackedBytes += piece.length;
      if (this.#unpackedBytes > value) {
        const limit = { name: 'unpackedBytesMax', value };
        throw new ShingledError('document-too-complex', `${this.file} unpacks to more than ${value} bytes`, { limit });
      }
      yield piece;
    }
  }

  /** A part as a whole; empty where it is not there. @throws as {@link pieces}, and where it has more bytes than a text may */
  async whole(name: string): Promise<Uint8Array> {
    const { textBytesMax: value } = this.#reading.limits;
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of this.pieces(name)) {
      bytes += piece.length;
      if (bytes > value) {
        const limit = { name: 'textBytesMax', value };
        throw new ShingledError(
          'document-too-complex',
          `A part of ${lowered(this.file)} has more than ${value} bytes`,
          {
            limit,
          },
        );
      }
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  locked(): ShingledError {
    return unreadable(this.file, LOCKED);
  }

  /** @param what it has none of */
  lacking(what: string): ShingledError {
    return unreadable(this.file, `is damaged: it has no ${what}`);
  }
}

const LOCKED = 'is encrypted, and opens by a password or a licence only';

const lowered = (file: string) => file.charAt(0).toLowerCase() + file.slice(1);

function notZip(message: string): ShingledError {
  return new ShingledError('unsupported-media-type', message);
}
