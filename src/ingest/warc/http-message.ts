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

/** The answer of a server, as it lies in a record. */
export interface HttpMessage extends AnswerHead {
  readonly body: Buffer;
}

/** Answers of status 1xx before the real one that are passed over. */
const INFORMATIONAL_MAX = 16;

/** @returns null where it is none */
export function parseHttp(block: Buffer): HttpMessage | null {
  let rest = block;
  for (let informational = 0; ; informational++) {
    if (!mayBeginHead(rest)) return null;
    // an answer without a body may lack the empty line
    const end = headEnd(rest.subarray(0, HEAD_BYTES_MAX)) ?? Math.min(rest.length, HEAD_BYTES_MAX);
    const head = parseAnswerHead(rest.toString('latin1', 0, end));
    if (head === null) return null;
    const body = rest.subarray(end);
    if (head.status >= 200 || body.length === 0 || informational === INFORMATIONAL_MAX) return { ...head, body };
    rest = body;
  }
}

/** A body as it was before it was sent in chunks: many archives have it so already, whatever its head says. */
export function unchunkedBody(message: HttpMessage): Buffer {
  return isChunked(message) ? dechunked(message.body) : message.body;
}

/** A body without the lines of its chunks; one without such as it is. */
export function dechunked(body: Buffer): Buffer {
  const chunks = new Chunks();
  const parts = chunks.take(body);
  return chunks.hasBegun ? Buffer.concat(parts) : body;
}
