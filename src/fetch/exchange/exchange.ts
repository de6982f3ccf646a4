import { ShingledError } from '../../errors.ts';
import { type FailureReason, fetchFailed } from '../failure.ts';
import type { Connector } from './connector.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import type { Target } from './target.ts';

export interface ExchangeOptions {
  readonly connect: Connector;
  readonly userAgent: string;
}

const ACCEPT = 'text/html,application/xhtml+xml,text/plain;q=0.9,application/pdf;q=0.8,*/*;q=0.1';

/**
 * One GET over one connection of its own, which is gone when this returns. Nothing is pooled. So no request travels
 * over a connection that was allowed under other circumstances, and a server that never ends leaves nothing behind. No
 * cookies, no credentials, no proxy, no redirects, HTTP/1.1. Only `signal` ends an exchange that does not end by itself.
 *
 * @throws ShingledError `fetch-failed`; the reason of `signal`; what `consume` throws
 */
export async function exchange<T>(
  target: Target,
  signal: AbortSignal,
  { connect, userAgent }: ExchangeOptions,
  consume: (answer: Answer) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const socket = await connect(target, signal).catch((error: unknown) => {
    throw signal.aborted ? beforeConnected(signal.reason as Error, target) : error;
  });
  const abort = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    socket.write(requestFor(target, userAgent), 'latin1');
    return await consume(await readAnswer(socket, target.hostname));
  } catch (error) {
    throw signal.aborted ? signal.reason : typed(error, target.hostname);
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

/** A URL as URL writes it, and an agent as the settings allow it, have no character that could end a line. */
function requestFor({ url }: Target, userAgent: string): string {
  const fields = {
    host: url.host,
    connection: 'close',
    accept: ACCEPT,
    'accept-encoding': 'gzip, br',
    'user-agent': userAgent,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/**
 * Until there is a connection a timeout is a failure like any other, else it would tell a dropped packet from a closed
 * port.
 */
function beforeConnected(reason: Error, { hostname }: Target): Error {
  const timedOut = reason instanceof ShingledError && reason.code === 'fetch-timeout';
  return timedOut ? fetchFailed('connect-timeout', hostname) : reason;
}

/** What zlib and sockets throw has a code; what has none is a fault of ours and stays what it is. */
function typed(error: unknown, hostname: string): unknown {
  if (error instanceof ShingledError || !(error instanceof Error && 'code' in error)) return error;
  return fetchFailed(reasonFor(String(error.code)), hostname, error);
}

function reasonFor(code: string): FailureReason {
  return /^(?:Z_|ZSTD|ERR_(?:_|BROTLI|ZLIB))/i.test(code) ? 'content-coding' : 'truncated';
}
