import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type ErrorCode, ShingledError } from '../../errors.ts';
import type { HttpLimits } from '../limits.ts';
import { requestId } from '../told/logging.ts';
import { PROBLEM_TYPE, problemOf } from '../told/problems.ts';
import type { Connections } from './connections.ts';
import type { Lanes } from './lanes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Listens at one more address, on the port where the app listens already; closed with it. */
    listenBeside(host: string): Promise<void>;
  }
}

/** Node's server, held to every limit of heads, times and connections: whatever is not about one request. */
export function createHttpServer(
  listener: RequestListener,
  limits: HttpLimits,
  connections: Connections,
  lanes: Lanes,
): Server {
  const server = createServer(
    {
      requestTimeout: limits.requestTimeoutMs,
      headersTimeout: limits.headTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      maxHeaderSize: limits.headBytesMax,
      // asked for by the gate, whose answer is a problem; Node's has no body
      requireHostHeader: false,
    },
    (request, response) => lanes.take({ request, response, listener }),
  );
  server.setTimeout(limits.idleTimeoutMs);
  server.on('connection', (socket: Socket) => connections.admit(socket));
  server.on('checkExpectation', (request, response) => lanes.take({ request, response, listener: refuseExpectation }));
  return server;
}

/** `app.listenBeside`: fastify itself gives further addresses a server without any of the above. */
export function addListenBeside(app: FastifyInstance): void {
  const doors = new Set<ReturnType<typeof createTcpServer>>();
  app.decorate('listenBeside', async (host: string) => {
    const address = app.server.address();
    if (address === null || typeof address === 'string') throw new Error('the app does not listen on a port');
    const door = createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      app.server.emit('connection', socket),
    );
    door.listen({ host, port: address.port });
    await once(door, 'listening');
    doors.add(door);
  });
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    closed = Promise.all([...doors].map((door) => once(door.close(), 'close')));
  });
  // a door is closed when its last connection is
  app.addHook('onClose', () => closed as Promise<void>);
}

/** Faults on a connection below any request, by Node's code. */
const CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request was not here in time.'],
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The head of the request is too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['malformed-request', 'The chunk extensions are too large.'],
};

const LINGER_MS = 1000;

/**
 * Answers what is no request (garbage, heads that are too large or too slow) with a problem where the connection still
 * can carry one, and closes it.
 *
 * Requests that came whole before it are answered first.
 */
export function answerClientError(
  connections: Connections,
  error: Error & { readonly code?: string },
  socket: Socket,
): void {
  const connection = connections.of(socket);
  if (socket.destroyed || connection === undefined) return;
  connection.ended = true;
  const last = connection.waiting.at(-1) ?? connection.current;
  if (last === null) answer(error, socket);
  else if (last.request.complete && error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
    last.response.once('close', () => close(socket));
  } else if (last !== connection.current || last.response.headersSent) socket.destroy();
  else answer(error, socket);
}

/** Answers a request that expects something other than to be told to go on. */
function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const error = new ShingledError('expectation-failed', 'Only Expect: 100-continue is met.', { field: 'expect' });
  const body = Buffer.from(JSON.stringify(problemOf(error, requestId(request))));
  const headers = { 'content-type': PROBLEM_TYPE, 'content-length': body.length, connection: 'close' };
  response.writeHead(error.status, headers).end(body);
}

function answer(error: { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, detail] = CODES[error.code ?? ''] ?? ['malformed-request', 'The bytes are no HTTP request.'];
  const problem = problemOf(new ShingledError(code, detail), requestId({ headers: {} }));
  const body = JSON.stringify(problem);
  socket.write(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: ${PROBLEM_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  close(socket);
}

/** Lets what was written reach the client; a connection closed with unread input is reset, and its last answer lost. */
function close(socket: Socket): void {
  socket.end();
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
