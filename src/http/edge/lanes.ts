import type { Socket } from 'node:net';
import type { Connection, Connections, Exchange } from './connections.ts';

/*
 * The requests of one connection, one after the other. HTTP/1.1 lets a client send many before it reads an answer, and
 * Node would begin them all, each with an answer of any size. Here the next one begins when the answer before it is
 * out, and nothing more is read meanwhile. RFC 9112, 9.3.2, asks for that anyway where one of them changes something.
 */

/** Connections with requests that wait: each may hold 30 of them and 128 KiB unread, some 250 KB. */
export const HELD_MAX = 256;

/** Requests that wait on one connection, should a piece of its bytes ever hold more. */
const WAITING_MAX = 64;

/** Of the requests that waited, so many are begun in one iteration of the event loop. */
const BEGUN_A_TURN = 16;

/** How long the rest of a body may still come after its answer: an answer before a reset would never be read. */
const LINGER_MS = 900;

export class Lanes {
  private readonly connections: Connections;
  private readonly requestsMax: number;
  /** Connections whose next request may begin, in their order. */
  private readonly due = new Set<Connection>();
  private held = 0;

  /** @param requestsMax of one connection, which is closed by the answer to the last; 0 = no limit */
  constructor(connections: Connections, requestsMax: number) {
    this.connections = connections;
    this.requestsMax = requestsMax === 0 ? Number.POSITIVE_INFINITY : requestsMax;
  }

  /** Begins a request, now or in its turn; destroys its connection where that has too many. */
  take(exchange: Exchange): void {
    const { socket } = exchange.request;
    const connection = this.connections.of(socket);
    if (connection === undefined || socket.destroyed) return;
    const { current, waiting } = connection;
    if (++connection.requests > this.requestsMax) return;
    if (connection.requests === this.requestsMax) exchange.response.setHeader('connection', 'close');
    if (current === null && waiting.length === 0) {
      this.begin(connection, exchange);
      return;
    }
    if (waiting.length === 0) this.held++;
    waiting.push(exchange);
    if (waiting.length > WAITING_MAX || this.held > HELD_MAX) socket.destroy();
    else socket.pause();
  }

  private begin(connection: Connection, exchange: Exchange): void {
    const { request, response, listener } = exchange;
    connection.current = exchange;
    connection.changedAt = performance.now();
    response.once('close', () => {
      connection.current = null;
      connection.changedAt = performance.now();
      connection.bytesThen = connection.socket.bytesRead;
      if (!request.complete) endUnsent(exchange);
      if (connection.waiting.length > 0) this.makeDue(connection);
    });
    listener(request, response);
  }

  private makeDue(connection: Connection): void {
    if (this.due.size === 0) setImmediate(() => this.turn());
    this.due.add(connection);
  }

  private turn(): void {
    let begun = 0;
    for (const connection of this.due) {
      if (begun++ === BEGUN_A_TURN) {
        setImmediate(() => this.turn());
        return;
      }
      this.due.delete(connection);
      this.next(connection);
    }
  }

  private next(connection: Connection): void {
    const { socket, waiting } = connection;
    const next = waiting.shift()!;
    if (socket.destroyed) waiting.length = 0;
    if (waiting.length === 0) this.held--;
    if (socket.destroyed) return;
    if (waiting.length === 0) resume(socket);
    this.begin(connection, next);
  }
}

/** Node has paused the socket itself where what it wrote is not read; it resumes it when it is. */
function resume(socket: Socket): void {
  if (socket.writableNeedDrain) socket.once('drain', () => socket.resume());
  else socket.resume();
}

/** A client that goes on sending what nobody reads any more keeps its connection for a moment only. */
function endUnsent({ request }: Exchange): void {
  if (request.socket.destroyed) return;
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}
