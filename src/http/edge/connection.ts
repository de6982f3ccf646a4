import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request, its answer, and who makes it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly listener: RequestListener;
}

export interface Connection {
  readonly socket: Socket;
  /** Who is at the other end, as addresses are counted; null for a trusted proxy, which speaks for many. */
  readonly address: string | null;
  /** The request that is being answered, null between requests. */
  current: Exchange | null;
  readonly waiting: Exchange[];
  /** All that came so far. */
  requests: number;
  /** Nothing that comes is looked at any more: an answer that closes it is on its way. */
  ended: boolean;
  /** When it was opened, a request was last begun or an answer was last out; by `performance.now()`. */
  changedAt: number;
  /** Bytes that had come by then. */
  bytesThen: number;
}
