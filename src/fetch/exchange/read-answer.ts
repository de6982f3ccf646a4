import { Buffer } from 'node:buffer';
import {
  type AnswerHead,
  HEAD_BYTES_MAX,
  headEnd,
  isChunked,
  mayBeginHead,
  parseAnswerHead,
} from '../../message/answer-head.ts';
import { Chunks } from '../../message/chunks.ts';
import { fetchFailed } from '../failure.ts';

/*
 * The answer on a connection that has one request and ends with it:
 *
 *   100 Continue, 103 Early Hints …  │ head │ body: in chunks, of a length, or until the connection is closed
 *
 * The parsers of undici and of Node refuse a quarter of the odd heads that browsers and curl take, by what the request
 * smuggling of proxies has taught them. Here no second answer is ever read from a connection, so nothing can be smuggled, and
 * a head is read as browsers read it. A body that ends early is refused all the same: half a page is another document.
 */

/** The head of an answer and its body, good until the consumer it was given to is done. */
export interface Answer extends AnswerHead {
  /** Without chunks, else as it was sent. Reading it throws `fetch-failed` where it ends early; what the connection throws. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Answers of status 1xx before the real one: one or two are normal, a flood is not. */
const INFORMATIONAL_MAX = 16;

type ByteChunks = AsyncIterator<Uint8Array, unknown>;

/**
 * Reads the head of an answer.
 *
 * @param bytes of the connection; they are read on by reading the body
 * @throws ShingledError `fetch-failed`; what the connection throws
 */
export async function readAnswer(bytes: AsyncIterable<Uint8Array>, hostname: string): Promise<Answer> {
  const chunks: ByteChunks = bytes[Symbol.asyncIterator]();
  let ahead: Buffer = Buffer.alloc(0);
  for (let informational = 0; informational <= INFORMATIONAL_MAX; informational++) {
    const { head, rest } = await readHead(chunks, ahead, hostname);
    if (head.status >= 200) return { ...head, body: bodyOf(head, chunks, rest, hostname) };
    ahead = rest;
  }
  throw fetchFailed('informational-flood', hostname);
}

async function readHead(
  chunks: ByteChunks,
  ahead: Buffer,
  hostname: string,
): Promise<{ readonly head: AnswerHead; readonly rest: Buffer }> {
  const bytes = new HeadBytes();
  for (let chunk: Uint8Array | null = ahead; ; chunk = await nextOf(chunks)) {
    if (chunk === null) throw fetchFailed(bytes.length === 0 ? 'truncated' : 'protocol', hostname);
    const before = bytes.length;
    const rest = bytes.add(chunk);
    const { all } = bytes;
    if (!mayBeginHead(all)) throw fetchFailed('protocol', hostname);
    const end = headEnd(all, Math.max(0, before - 2));
    if (end !== null) {
      const head = all.includes(0) && all.indexOf(0) < end ? null : parseAnswerHead(all.toString('latin1', 0, end));
      if (head === null) throw fetchFailed('protocol', hostname);
      return { head, rest: Buffer.concat([all.subarray(end), rest]) };
    }
    if (rest.length > 0) throw fetchFailed('headers-too-large', hostname);
  }
}

/** Bytes that come in pieces of any size, at most HEAD_BYTES_MAX of them; each is copied a few times at most. */
class HeadBytes {
  #bytes = Buffer.allocUnsafe(4096);
  length = 0;

  get all(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  /** @returns what has no room */
  add(chunk: Uint8Array): Uint8Array {
    const length = Math.min(HEAD_BYTES_MAX, this.length + chunk.length);
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.min(HEAD_BYTES_MAX, 2 * length));
      this.#bytes.copy(grown, 0, 0, this.length);
      this.#bytes = grown;
    }
    const taken = chunk.subarray(0, length - this.length);
    this.#bytes.set(taken, this.length);
    this.length = length;
    return chunk.subarray(taken.length);
  }
}

function bodyOf(head: AnswerHead, chunks: ByteChunks, first: Buffer, hostname: string): AsyncIterable<Uint8Array> {
  if (isChunked(head)) return chunkedBody(chunks, first, hostname);
  const length = lengthOf(head, hostname);
  return length === null ? closedBody(chunks, first) : sizedBody(chunks, first, length, hostname);
}

/**
 * Bytes of the body. null where the head has no length that is a number: then the body ends with the connection.
 *
 * @throws ShingledError `fetch-failed` where it has two
 */
function lengthOf({ header }: AnswerHead, hostname: string): number | null {
  const told = header('content-length').flatMap((value) => value.split(',', 100).map((length) => length.trim()));
  const lengths = new Set(told.filter((length) => /^\d{1,15}$/.test(length)).map(Number));
  if (lengths.size > 1) throw fetchFailed('protocol', hostname);
  const [length = null] = lengths;
  return length;
}

async function* closedBody(chunks: ByteChunks, first: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  for (let chunk: Uint8Array | null = first; chunk !== null; chunk = await nextOf(chunks)) yield chunk;
}

async function* sizedBody(
  chunks: ByteChunks,
  first: Buffer,
  length: number,
  hostname: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = length;
  for (let chunk: Uint8Array | null = first; ; chunk = await nextOf(chunks)) {
    if (chunk === null) throw fetchFailed('truncated', hostname);
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

async function* chunkedBody(
  chunks: ByteChunks,
  first: Buffer,
  hostname: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunked = new Chunks();
  for (let chunk: Uint8Array | null = first; ; chunk = await nextOf(chunks)) {
    if (chunk === null) throw fetchFailed('truncated', hostname);
    yield* chunked.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    if (chunked.state === 'ended') return;
    if (chunked.state === 'broken') throw fetchFailed('protocol', hostname);
  }
}

async function nextOf(chunks: ByteChunks): Promise<Uint8Array | null> {
  const { done, value } = await chunks.next();
  return done === true ? null : (value as Uint8Array);
}
