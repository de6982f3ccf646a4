import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, ShingledError } from '../../errors.ts';
import { requestId } from '../told/logging.ts';
import { PROBLEM_TYPE, problemOf } from '../told/problems.ts';
import type { Connections } from './connections.ts';

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
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
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
