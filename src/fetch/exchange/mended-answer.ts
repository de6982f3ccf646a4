import { Buffer } from 'node:buffer';
import { Duplex } from 'node:stream';
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
 * What a server sends, as undici takes it. It stands between the connection and the client:
 *
 *   server  100, 103 … │ odd head │ body: in odd chunks, of a length, or until the connection is closed
 *                            ▼            ▼
 *   undici             │ plain head │ the same bytes, in plain chunks
 *
 * The parsers of undici and of Node refuse a quarter of the odd heads that browsers and curl take, by what the request
 * smuggling of proxies has taught them. Here no second answer is ever read from a connection, so nothing can be smuggled, and
 * a head is read as browsers read it. A body that ends early is refused all the same: half a page is another document.
 */

/** Answers of status 1xx before the real one: one or two are normal, a flood is not. */
const INFORMATIONAL_MAX = 16;
/** A plain head is never longer than the odd one by more than the signs between its fields. */
export const PLAIN_HEAD_BYTES_MAX = 2 * HEAD_BYTES_MAX;

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a value must not have
const CONTROLS = /[\0-\x08\x0a-\x1f\x7f]/g;
/** Said again from what is known of the body, or about a connection that ends with it. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'trailer']);

type ByteChunks = AsyncIterator<Uint8Array, unknown>;

/**
 * A connection whose answer is mended on its way. Where it cannot be mended, the stream fails with a ShingledError
 * `fetch-failed`; else it fails as the connection does.
 */
export function mended(connection: Duplex, hostname: string): Duplex {
  return Duplex.from({ writable: connection, readable: mendedBytes(connection, hostname) });
}

async function* mendedBytes(connection: Duplex, hostname: string): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = connection[Symbol.asyncIterator]() as ByteChunks;
  const { head, rest } = await finalHead(chunks, hostname);
  const length = isChunked(head) ? null : lengthOf(head, hostname);
  yield plainHead(head, length);
  if (isChunked(head)) yield* plainChunks(chunks, rest, hostname);
  else for (let chunk: Uint8Array | null = rest; chunk !== null; chunk = await nextOf(chunks)) yield chunk;
}

/** The head that is no interim answer, and what has come behind it. */
async function finalHead(chunks: ByteChunks, hostname: string) {
  let ahead: Buffer = Buffer.alloc(0);
  for (let informational = 0; informational <= INFORMATIONAL_MAX; informational++) {
    const { head, rest } = await readHead(chunks, ahead, hostname);
    if (head.status >= 200) return { head, rest };
    ahead = rest;
  }
  throw fetchFailed('informational-flood', hostname);
}

function plainHead(head: AnswerHead, length: number | null): Buffer {
  const { status, fields } = head;
  const lines = [`HTTP/1.1 ${status} `, 'connection: close'];
  for (const [name, values] of fields) {
    if (FRAMING.has(name) || !TOKEN.test(name)) continue;
    for (const value of values) lines.push(`${name}: ${value.replaceAll(CONTROLS, ' ')}`);
  }
  if (length !== null) lines.push(`content-length: ${length}`);
  else if (isChunked(head)) lines.push('transfer-encoding: chunked');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
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

/**
 * Bytes of the body. null where the head has no length that is a number: then the body ends with the connection.
 *
 * @throws ShingledError `fetch-failed` where it has two
 */
function lengthOf({ header }: AnswerHead, hostname: string): number | null {
  const told = header('content-length').flatMap((value) => value.split(',', 100).map((length) => length.trim()));
  const numbers = told.filter((length) => /^\d+$/.test(length)).map(Number);
  const lengths = new Set(numbers.map((length) => Math.min(length, Number.MAX_SAFE_INTEGER)));
  if (lengths.size > 1) throw fetchFailed('protocol', hostname);
  const [length = null] = lengths;
  return length;
}

async function* plainChunks(
  chunks: ByteChunks,
  first: Buffer,
  hostname: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunked = new Chunks();
  for (let chunk: Uint8Array | null = first; ; chunk = await nextOf(chunks)) {
    if (chunk === null) throw fetchFailed('truncated', hostname);
    // tiny chunks that came together go on as one
    const body = Buffer.concat(chunked.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)));
    if (body.length > 0) yield Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, LINE_END]);
    if (chunked.state === 'ended') return yield LAST_CHUNK;
    if (chunked.state === 'broken') throw fetchFailed('protocol', hostname);
  }
}

const LINE_END = Buffer.from('\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

async function nextOf(chunks: ByteChunks): Promise<Uint8Array | null> {
  const { done, value } = await chunks.next();
  return done === true ? null : (value as Uint8Array);
}
