import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { constants, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ShingledError } from '../../errors.ts';

/*
 * A body in a content coding, as the bytes that were coded. Threads of Node's decode, a piece at a time. Of the largest
 * bomb no more is made than its reader takes. The event loop sees pieces of OUT_BYTES, each in a turn of its caller;
 * else sixty bodies decoded at once would leave no core to whoever else is served.
 *
 *   request ──piece──> decoder ──piece──> whoever reads      A piece goes in when the one before it has come out. What is
 *      └── paused while one is inside                        behind the end of a frame goes into the next decoder: zstd and
 *                                                            gzip let files be joined, and Node forgets the second of zstd.
 *
 * Whoever reads counts what comes out. Here is counted what comes in, and how much more comes out than that.
 */

export const CODINGS = ['gzip', 'deflate', 'zstd'] as const;
export type Coding = (typeof CODINGS)[number];

/** Of the past, what a decoder may look back on; RFC 9659 asks for no less of zstd. */
export const WINDOW_BYTES_MAX = 2 ** 23;
const WINDOW_LOG_MAX = Math.log2(WINDOW_BYTES_MAX);
const OUT_BYTES = 64 * 1024;

/**
 * Bytes out for each one in, once more than RATIO_FREE_BYTES are out. Under zstd a page alone has 60, a thousand
 * versions of one page have 1,460, and 8 MiB of zeros 30,000. gzip cannot do better than 1,032.
 */
const RATIO_MAX = 2_000;
const RATIO_FREE_BYTES = 2 ** 20;
/** Each costs a new decoder, some 0.1 ms in all. */
const FRAMES_MAX = 1_000;

/** What is decoded: a request. */
type Coded = Pick<IncomingMessage, 'headers'> & Readable;
type Decoder = ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>;

/**
 * Ends with a ShingledError `invalid-request`, `unsupported-media-type`, `body-too-large` or `body-incomplete` where it
 * must.
 */
export class DecodedBody extends Readable {
  readonly headers: Coded['headers'];
  /** Bytes that have come, coded as they are. */
  receivedBytes = 0;
  readonly #coded: Coded;
  readonly #coding: Coding;
  readonly #codedBytesMax: number;
  #decoder: Decoder | null = null;
  /** The bytes that the decoder was given, and all that those before it took. */
  #givenBytes = 0;
  #takenBefore = 0;
  #decodedBytes = 0;
  #frames = 0;
  #started = false;
  #codedEnded = false;
  /** What is inside the decoder. */
  #piece: Buffer | null = null;
  /** Whether more may be pushed, and whether its turn has not come yet. */
  #wanted = false;
  #waiting = false;
  readonly #nextTurn: () => Promise<void>;

  /**
   * @param codedBytesMax no body has more bytes coded than uncoded
   * @param nextTurn resolves when the next piece may be decoded
   */
  constructor(coded: Coded, coding: Coding, codedBytesMax: number, nextTurn: () => Promise<void>) {
    super({ highWaterMark: OUT_BYTES });
    this.headers = coded.headers;
    this.#coded = coded;
    this.#coding = coding;
    this.#codedBytesMax = codedBytesMax;
    this.#nextTurn = nextTurn;
    // whoever reads has stopped looking where nobody listens
    this.on('error', () => {});
  }

  /** Nothing is read of the request before this is. */
  override _read(): void {
    this.#wanted = true;
    if (this.#started) {
      this.#goOn();
      return;
    }
    this.#started = true;
    this.#coded.on('data', this.#onPiece).on('end', this.#onEnd).on('error', this.#onCut).on('close', this.#onCut);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#coded.off('data', this.#onPiece).off('end', this.#onEnd).off('error', this.#onCut).off('close', this.#onCut);
    this.#decoder?.destroy();
    // what is left of it is nobody's, and must not stand in the way of the answer
    if (this.#started) this.#coded.resume();
    callback(error);
  }

  readonly #onPiece = (piece: Buffer): void => {
    this.receivedBytes += piece.length;
    if (this.receivedBytes > this.#codedBytesMax) this.destroy(tooManyCoded(this.#codedBytesMax));
    else this.#give(piece);
  };

  readonly #onEnd = (): void => {
    this.#codedEnded = true;
    if (this.#piece === null) this.#finish();
  };

  readonly #onCut = (): void => {
    if (!this.#codedEnded)
      this.destroy(new ShingledError('body-incomplete', 'The connection ended before the body did.'));
  };

  #give(piece: Buffer): void {
    const decoder = this.#open();
    this.#piece = piece;
    this.#givenBytes += piece.length;
    this.#coded.pause();
    decoder.write(piece, () => {
      // what it leaves is behind the end of its frame, which is told when all of that has been read
      if (this.#decoder !== decoder || decoder.bytesWritten < this.#givenBytes) return;
      this.#piece = null;
      if (this.#codedEnded) this.#finish();
      else this.#coded.resume();
    });
  }

  /** All is inside: the frame that is open has to end now. A body without any is none. */
  #finish(): void {
    if (this.#decoder === null && this.#frames > 0) this.push(null);
    else this.#open().end();
  }

  /** The decoder of the frame that is open, or of a new one. */
  #open(): Decoder {
    if (this.#decoder !== null) return this.#decoder;
    if (this.#frames++ === FRAMES_MAX) this.destroy(refused(`The body has more than ${FRAMES_MAX} frames.`));
    this.#givenBytes = 0;
    const decoder = decoderOf(this.#coding);
    this.#decoder = decoder
      .on('data', (bytes: Buffer) => this.#take(decoder, bytes))
      .on('error', (error: NodeJS.ErrnoException) => this.destroy(this.#refusalOf(error)))
      .on('end', () => this.#afterFrame(decoder));
    return decoder;
  }

  #take(decoder: Decoder, bytes: Buffer): void {
    this.#decodedBytes += bytes.length;
    const taken = this.#takenBefore + decoder.bytesWritten;
    if (this.#decodedBytes > RATIO_FREE_BYTES && this.#decodedBytes > RATIO_MAX * taken) this.destroy(tooDense());
    else {
      this.#wanted = this.push(bytes);
      this.#waiting = true;
      decoder.pause();
      void this.#nextTurn().then(() => {
        this.#waiting = false;
        this.#goOn();
      });
    }
  }

  #goOn(): void {
    if (this.#wanted && !this.#waiting) this.#decoder?.resume();
  }

  /** A frame has ended, with or before the piece that is inside. */
  #afterFrame(decoder: Decoder): void {
    const rest = this.#givenBytes - decoder.bytesWritten;
    const piece = this.#piece;
    this.#takenBefore += decoder.bytesWritten;
    decoder.destroy();
    this.#decoder = null;
    this.#piece = null;
    if (this.destroyed) return;
    if (piece !== null && rest > 0) this.#give(piece.subarray(piece.length - rest));
    else if (this.#codedEnded) this.push(null);
    else this.#coded.resume();
  }

  #refusalOf(error: NodeJS.ErrnoException): ShingledError {
    if (error.code === 'ZSTD_error_frameParameter_windowTooLarge') {
      const detail = `A body in zstd may need a window of ${WINDOW_BYTES_MAX} bytes, no more (zstd -22, --long).`;
      return new ShingledError('unsupported-media-type', detail, { field: 'content-encoding' });
    }
    const what = error.code === 'Z_BUF_ERROR' ? 'ends too early' : 'is not';
    return refused(`The body ${what} what its Content-Encoding says: ${this.#coding}.`);
  }
}

function decoderOf(coding: Coding): Decoder {
  const chunkSize = OUT_BYTES;
  if (coding === 'gzip') return createGunzip({ chunkSize });
  if (coding === 'deflate') return createInflate({ chunkSize });
  return createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX } });
}

function refused(detail: string): ShingledError {
  return new ShingledError('invalid-request', detail, { field: 'content-encoding' });
}

function tooManyCoded(value: number): ShingledError {
  const detail = `The body has more than ${value} bytes before it is decoded.`;
  return new ShingledError('body-too-large', detail, { limit: { name: 'codedBytesMax', value } });
}

function tooDense(): ShingledError {
  const detail = `Of a byte of the body more than ${RATIO_MAX} are made: send it in another coding, or without one.`;
  return new ShingledError('body-too-large', detail, { limit: { name: 'codingRatioMax', value: RATIO_MAX } });
}
