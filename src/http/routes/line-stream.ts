import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Bell } from '../../sharing/waiting.ts';
import { whenClosed } from '../abort.ts';
import { callerOf } from '../callers/caller.ts';
import type { Unread } from '../edge/unread.ts';

/**
 * An answer of lines, written as they come.
 *
 * Lines are kept here until the client reads them; whoever makes them waits while it is full. Lines that are ready at the same
 * time leave as one chunk: one by one, sending them would cost more than all else that is done for a small document.
 *
 * @param bytesMax of lines that are not read, beside what all answers together may hold
 */
export function lineStream(
  request: FastifyRequest,
  reply: FastifyReply,
  unread: Unread,
  bytesMax = Number.POSITIVE_INFINITY,
) {
  const read = new Bell();
  const room = unread.lines(callerOf(request), () => read.ring());
  const stream = new Readable({ read: () => read.ring(), highWaterMark: 0 });
  stream.once('close', () => read.ring());
  whenClosed(reply, () => room.end());
  let ready = '';
  const send = () => {
    if (ready !== '') stream.push(ready);
    ready = '';
  };
  const add = (line: string) => {
    if (ready === '') setImmediate(send);
    ready += `${line}\n`;
  };
  return {
    /** To be sent. */
    stream,
    add,
    /** Whether nothing more should be added until {@link whenRead}. */
    isFull: () => {
      const { writableNeedDrain, writableLength } = reply.raw;
      const bytes = stream.readableLength + ready.length + (writableNeedDrain ? writableLength : 0);
      return !stream.destroyed && (!room.keep(bytes) || bytes > bytesMax);
    },
    whenRead: () => read.next(),
    /** Whether nobody will read any more. */
    get isOver() {
      return stream.destroyed;
    },
    end: (line: string) => {
      add(line);
      send();
      stream.push(null);
    },
  };
}
