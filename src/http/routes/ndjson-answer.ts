import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Unread } from '../edge/unread.ts';
import { lineStream } from './line-stream.ts';

/** A line of the answer, as much of it as is looked at here. */
interface LineAnswer {
  readonly line: number;
  readonly status: number;
}

interface AnswerOptions<A> {
  /** Whether the request had more than was read; asked at the end. */
  readonly wasCut: () => boolean;
  readonly count: (answer: A) => void;
  /** A line of the answer as it is sent; JSON.stringify unless given. */
  readonly write?: (answer: A) => string;
  /** Whether the summary says `durable`: true once the answers have ended by themselves. */
  readonly tellDurable?: boolean;
}

/**
 * Streams one JSON line for each answer, then the summary.
 *
 * Lines are kept until the client reads them, as long as there is room for answers: so a client that writes all before it reads
 * anything is served. Where there is none, the next answer waits.
 */
export function answerLines<A extends LineAnswer>(
  request: FastifyRequest,
  reply: FastifyReply,
  answers: AsyncIterable<A>,
  unread: Unread,
  { wasCut, count, write = JSON.stringify, tellDurable = false }: AnswerOptions<A>,
): FastifyReply {
  const out = lineStream(request, reply, unread);
  // what is not read of a request must not stand in the way of its end: the lane closes it a moment later
  reply.raw.once('finish', () => request.raw.resume());
  void pump();
  return reply.code(200).type('application/x-ndjson').send(out.stream);

  async function pump(): Promise<void> {
    let ok = 0;
    let failed = 0;
    let complete = true;
    let durable = true;
    try {
      for await (const answer of answers) {
        count(answer);
        if (answer.status < 400) ok++;
        else failed++;
        out.add(write(answer));
        while (out.isFull()) await out.whenRead();
      }
      complete = !wasCut();
    } catch (error) {
      // the service answers every line by itself: what arrives here nobody foresaw
      request.log.error({ err: error }, 'an NDJSON request failed');
      complete = false;
      durable = false;
    }
    const summary = { lines: ok + failed, ok, failed, complete, ...(tellDurable ? { durable } : {}) };
    out.end(JSON.stringify({ summary }));
  }
}
