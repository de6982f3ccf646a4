import type { Readable } from 'node:stream';
import { ShingledError } from '../../errors.ts';
import { withDeadline } from '../../sharing/deadline.ts';
import type { Turns } from '../../sharing/turns.ts';
import type { HttpLimits } from '../limits.ts';
import { DecodedBody } from './decoded-body.ts';
import { type BodyHold, ByteBuffer, cutBody, lateBody } from './read-body.ts';

/*
 * Lines of an NDJSON body, straight from the socket or decoded as they come. Fastify's bodyLimit does not hold for
 * streams, so every limit is held here. The limits: bytes and lines of the request, bytes of a line, bytes of all lines
 * that are here in part, and the time that the next piece may take. A line that is too long is skipped as it arrives,
 * never held. A blank line is no line, but counts as one where lines are numbered.
 */

export type LineLimits = Pick<HttpLimits, 'bodyBytesMax' | 'bulkBytesMax' | 'bulkLinesMax' | 'bodyTimeoutMs'>;

/** A line as it came; `fatal`: nothing behind it is read. */
export type RawLine =
  | { readonly line: number; readonly bytes: Uint8Array }
  | { readonly line: number; readonly error: ShingledError; readonly fatal: boolean };

const LF = 0x0a;
const EMPTY = Buffer.alloc(0);
/** A longer line is none that is blank. */
const BLANK_BYTES_MAX = 15;
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0d, 0x20]);

/**
 * The lines of a body, numbered from 1. Ends by itself after a fatal one; never throws.
 *
 * @param hold is told of the bytes of a line that is here in part
 * @param turns those in which blank lines are passed over: nobody else takes one for them
 */
export async function* readLines(
  stream: Readable,
  limits: LineLimits,
  hold: Pick<BodyHold, 'grow'>,
  turns: Pick<Turns, 'spent' | 'next'>,
): AsyncGenerator<RawLine, void, undefined> {
  const begun = new ByteBuffer();
  let tooLong = false;
  let line = 1;
  let total = 0;

  const add = (piece: Buffer) => {
    tooLong ||= begun.length + piece.length > limits.bodyBytesMax;
    if (tooLong) begun.take();
    else {
      begun.add(piece);
      hold.grow(begun.length);
    }
  };
  /** Ends the line that `piece` completes; null for a blank one. */
  const end = (piece: Buffer): RawLine | null => {
    if (line > limits.bulkLinesMax) throw longRequest('lines', 'bulkLinesMax', limits.bulkLinesMax);
    const number = line++;
    if (begun.length > 0 || tooLong || piece.length > limits.bodyBytesMax) add(piece);
    const skipped = tooLong;
    tooLong = false;
    if (skipped) return { line: number, error: longLine(limits.bodyBytesMax), fatal: false };
    const bytes = begun.length > 0 ? begun.take() : piece;
    return isBlank(bytes) ? null : { line: number, bytes };
  };

  try {
    for await (const chunk of chunksOf(stream, limits.bodyTimeoutMs)) {
      total += chunk.length;
      if (total > limits.bulkBytesMax) throw longRequest('bytes', 'bulkBytesMax', limits.bulkBytesMax);
      let start = 0;
      for (let newline = chunk.indexOf(LF); newline >= 0; newline = chunk.indexOf(LF, start)) {
        const ended = end(chunk.subarray(start, newline));
        start = newline + 1;
        if (ended !== null) yield ended;
        else if (turns.spent()) await turns.next();
      }
      if (start < chunk.length) add(chunk.subarray(start));
    }
    const last = begun.length > 0 || tooLong ? end(EMPTY) : null;
    if (last !== null) yield last;
  } catch (error) {
    yield { line, error: error as ShingledError, fatal: true };
  } finally {
    if (stream instanceof DecodedBody) stream.destroy();
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.length <= BLANK_BYTES_MAX && bytes.every((byte) => BLANKS.has(byte));
}

/** The pieces of a body. Nothing is read while the consumer works: that is the back-pressure. */
async function* chunksOf(stream: Readable, timeoutMs: number): AsyncGenerator<Buffer, void, undefined> {
  const reader = stream.iterator({ destroyOnReturn: false });
  while (true) {
    const next = await withDeadline(
      timeoutMs,
      undefined,
      (until) => until.race(reader.next() as Promise<IteratorResult<Buffer>>),
      lateBody,
    ).catch((error) => Promise.reject(cutBody(error)));
    if (next.done === true) return;
    yield next.value;
  }
}

function longLine(bodyBytesMax: number): ShingledError {
  return new ShingledError('body-too-large', `The line is longer than ${bodyBytesMax} bytes.`, {
    limit: { name: 'bodyBytesMax', value: bodyBytesMax },
  });
}

export function longRequest(unit: 'bytes' | 'lines', name: string, value: number): ShingledError {
  const detail = `The request has more than ${value} ${unit}; nothing from here on was read.`;
  return new ShingledError('body-too-large', detail, { limit: { name, value } });
}
