import { ShingledError } from '../../errors.ts';
import { type FailureReason, fetchFailed } from '../failure.ts';
import type { Connector } from './connector.ts';
import { mended, PLAIN_HEAD_BYTES_MAX } from './mended-answer.ts';
import type { Target } from './target.ts';

/** The head of an answer and its body, good until the consumer it was given to is done. */
export interface Answer {
  readonly status: number;
  /** The values of a header, one a line that it was sent in. @param name in lower case */
  header(name: string): readonly string[];
  /** As it was sent, without chunks. Reading it throws `fetch-failed` if it ends early. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ExchangeOptions {
  readonly connect: Connector;
  readonly userAgent: string;
}

const ACCEPT = 'text/html,application/xhtml+xml,text/plain;q=0.9,application/pdf;q=0.8,*/*;q=0.1';

/** Loads the client, in a tenth of a second. A service does so before it listens; most commands never do. */
export const loadClient = () => import('undici');

/**
 * One GET over one connection of its own, which is gone when this returns. Nothing is pooled. So no request travels
 * over a connection that was allowed under other circumstances, and a server that never ends leaves nothing behind. No
 * cookies, no credentials, no proxy, no redirects, HTTP/1.1.
 *
 * undici's own timeouts are off: they restart with every byte. Only `signal` ends an exchange.
 *
 * @throws ShingledError `fetch-failed`; the reason of `signal`; what `consume` throws
 */
export async function exchange<T>(
  target: Target,
  signal: AbortSignal,
  { connect, userAgent }: ExchangeOptions,
  consume: (answer: Answer) => Promise<T>,
): Promise<T> {
  const { Client } = await loadClient();
  signal.throwIfAborted();
  let failure: Error | undefined;
  let connected = false;
  const client = new Client(target.url.origin, {
    connect: (_options, done) => {
      connect(target, signal).then(
        (socket) => {
          connected = true;
          const plain = mended(socket, target.hostname).on('error', (error) => {
            // undici says of whatever ends a stream that it was closed
            if (error instanceof ShingledError) failure ??= error;
          });
          // what undici asks of a connection, any stream has
          done(null, plain as typeof socket);
        },
        (error: Error) => {
          failure ??= error;
          done(error, null);
        },
      );
    },
    // said aloud, because an environment variable can choose undici's experimental parser
    useMilo: false,
    maxHeaderSize: PLAIN_HEAD_BYTES_MAX,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const end = (error: Error) => {
    failure ??= error;
    client.destroy(error).catch(() => {});
  };
  const abort = () => end(connected ? (signal.reason as Error) : beforeConnected(signal.reason as Error, target));
  signal.addEventListener('abort', abort, { once: true });
  try {
    const { statusCode, headers, body } = await client.request({
      method: 'GET',
      path: target.url.pathname + target.url.search,
      headers: { accept: ACCEPT, 'accept-encoding': 'gzip, br', 'user-agent': userAgent },
      reset: true,
    });
    body.on('error', () => {});
    return await consume({ status: statusCode, header: (name) => [headers[name] ?? []].flat(), body });
  } catch (error) {
    throw typed(failure ?? error, target.hostname);
  } finally {
    signal.removeEventListener('abort', abort);
    await client.destroy().catch(() => {});
  }
}

/**
 * Until there is a connection a timeout is a failure like any other, else it would tell a dropped packet from a closed
 * port.
 */
function beforeConnected(reason: Error, { hostname }: Target): Error {
  const timedOut = reason instanceof ShingledError && reason.code === 'fetch-timeout';
  return timedOut ? fetchFailed('connect-timeout', hostname) : reason;
}

/** What undici, zlib and sockets throw has a code; what has none is a fault of ours and stays what it is. */
function typed(error: unknown, hostname: string): unknown {
  if (error instanceof ShingledError || !(error instanceof Error && 'code' in error)) return error;
  return fetchFailed(reasonFor(String(error.code)), hostname, error);
}

function reasonFor(code: string): FailureReason {
  if (code === 'UND_ERR_SOCKET' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || code === 'ECONNRESET') {
    return 'truncated';
  }
  return /^(?:Z_|ZSTD|ERR_(?:_|BROTLI|ZLIB))/i.test(code) ? 'content-coding' : 'protocol';
}
