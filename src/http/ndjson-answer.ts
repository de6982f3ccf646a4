import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A line of the answer, as much of it as is looked at here. */
interface LineAnswer {
  readonly line: number;
  readonly status: number;
}

interface AnswerOptions {
  readonly unreadBytesMax?: number;
  readonly tellDurable?: boolean;
}

const LINGER_MS = 2000;

/**
 * Streams one JSON line for each answer, then the summary.
 *
 * Lines are kept here until the client reads them: a client that writes all before it reads anything is served. Where
 * `unreadBytesMax` is given, the next answer waits while more than that is unread. Lines that are ready at the same time
 * leave as one chunk: one by one, sending them would cost more than all else that is done for a small document.
 *
 * @param wasCut whether the request had more than was read; asked at the end
 * @param tellDurable whether the summary says `durable`: true once the answers have ended by themselves
 */
export function answerLines(
  request: FastifyRequest,
  reply: FastifyReply,
  answers: AsyncIterable<LineAnswer>,
  wasCut: () => boolean,
  { unreadBytesMax = Number.POSITIVE_INFINITY, tellDurable = false }: AnswerOptions = {},
): FastifyReply {
  const resumed = { wake: () => {} };
  const lines = new Readable({ read: () => resumed.wake(), highWaterMark: 0 });
  lines.once('close', () => resumed.wake());
  let ready = '';
  const send = () => {
    if (ready !== '') lines.push(ready);
    ready = '';
  };
  const add = (line: object) => {
    if (ready === '') setImmediate(send);
    ready += `${JSON.stringify(line)}\n`;
  };
  closeUnread(request, reply);
  void pump();
  return reply.code(200).type('application/x-ndjson').send(lines);

  async function pump(): Promise<void> {
    let ok = 0;
    let failed = 0;
    let complete = true;
    let durable = true;
    try {
      for await (const answer of answers) {
        if (answer.status < 400) ok++;
        else failed++;
        add(answer);
        while (lines.readableLength + ready.length > unreadBytesMax && !lines.destroyed) {
          await new Promise<void>((resolve) => {
            resumed.wake = resolve;
          });
        }
      }
      complete = !wasCut();
    } catch (error) {
      // the service answers every line by itself: what arrives here nobody foresaw
      request.log.error({ err: error }, 'an NDJSON request failed');
      complete = false;
      durable = false;
    }
    add({ summary: { lines: ok + failed, ok, failed, complete, ...(tellDurable ? { durable } : {}) } });
    send();
    lines.push(null);
  }
}

/** A request that was not read to its end would keep its connection for as long as its client likes to send. */
function closeUnread(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    if (request.raw.complete) return;
    request.raw.resume();
    setTimeout(() => {
      if (!request.raw.complete) request.raw.destroy();
    }, LINGER_MS).unref();
  });
}
