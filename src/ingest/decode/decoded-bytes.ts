import { Buffer } from 'node:buffer';
import type { OpenedBytes, UnpackedChunk } from '../port.ts';
import { RawPlaces } from './raw-places.ts';

/*
 * Files of records and lists in another charset than UTF-8, as readers want them: decoded as they come. Readers say places in
 * what they read; `placeOf` says where these lie in the file.
 */

/** Bytes that wait for the end of a character; of more than these some place may be told a character off. */
const WAITING_BYTES_MAX = 2 ** 20;
/** Beyond what a reader holds of a record: what came with it. */
const AROUND_BYTES = 2 ** 20;

/** @param from where the chunks begin, in the file @param recordBytesMax of a record, which a reader holds */
export function decodedBytes(opened: OpenedBytes, charset: string, from: number, recordBytesMax: number): OpenedBytes {
  const places = new RawPlaces(charset, from, recordBytesMax + AROUND_BYTES);
  const chunks = decodedChunks(opened.chunks, new Decoding(charset, places), from);
  return { ...opened, chunks, placeOf: (place) => places.rawOf(place) };
}

async function* decodedChunks(
  chunks: AsyncIterable<UnpackedChunk>,
  decoding: Decoding,
  from: number,
): AsyncGenerator<UnpackedChunk, void, undefined> {
  let [at, isPacked] = [from, false];
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) isPacked = chunk.begins;
    isFirst = false;
    // the last character before damage may be the end of a record, and is no part of what follows
    const cut = chunk.damage === null ? NOTHING : decoding.end();
    if (cut.length > 0) yield { bytes: cut, byte: at, begins: false, damage: null };
    at += cut.length;
    const begins = chunk.begins && decoding.isClean;
    const bytes = decoding.decode(chunk.bytes);
    yield { ...chunk, bytes, begins, byte: isPacked ? chunk.byte : at };
    at += bytes.length;
  }
  const last = decoding.end();
  if (last.length > 0) yield { bytes: last, byte: at, begins: false, damage: null };
}

const NOTHING = Buffer.alloc(0);

class Decoding {
  readonly #charset: string;
  readonly #places: RawPlaces;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  /** Bytes that came behind the last place at which a character surely ends. */
  #waiting: Buffer = NOTHING;

  constructor(charset: string, places: RawPlaces) {
    this.#charset = charset;
    this.#places = places;
    // a byte order mark stays, as readers of UTF-8 know it
    this.#decoder = new TextDecoder(charset, { ignoreBOM: true });
  }

  /** Whether nothing waits. */
  get isClean(): boolean {
    return this.#waiting.length === 0;
  }

  decode(bytes: Uint8Array): Buffer {
    const all = Buffer.concat([this.#waiting, bytes]);
    const end = endOfCharacters(all, this.#charset);
    const cut = end === 0 && all.length > WAITING_BYTES_MAX ? all.length : end;
    this.#waiting = all.subarray(cut);
    return this.#decoded(all.subarray(0, cut), true);
  }

  /** What waits, though it may end within a character. */
  end(): Buffer {
    const last = this.#waiting;
    this.#waiting = NOTHING;
    return this.#decoded(last, false);
  }

  #decoded(raw: Buffer, isMore: boolean): Buffer {
    const utf8 = Buffer.from(this.#decoder.decode(raw, { stream: isMore }));
    this.#places.add(raw, utf8.length);
    return utf8;
  }
}

/** The last place up to which all characters are whole, as far as that shows; 0 where it does not. */
function endOfCharacters(bytes: Buffer, charset: string): number {
  if (charset.startsWith('utf-16')) {
    const end = bytes.length - (bytes.length % 2);
    const high = charset === 'utf-16le' ? bytes[end - 1] : bytes[end - 2];
    return end > 0 && (high! & 0xfc) === 0xd8 ? end - 2 : end;
  }
  // behind a line feed all charsets are as they begin; no charset but ISO-2022-JP has such bytes within a character
  if (charset === 'iso-2022-jp') return bytes.lastIndexOf(0x0a) + 1;
  for (let at = bytes.length; at > 0; at--) if (bytes[at - 1]! < 0x30) return at;
  return 0;
}
