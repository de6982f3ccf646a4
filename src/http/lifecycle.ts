import type { FastifyInstance } from 'fastify';

export type Phase = 'opening' | 'ready' | 'draining';

/** Where the process is between start and stop: set by main, read by every request. */
export interface Lifecycle {
  phase: Phase;
}

const CHECK_MS = 50;

/**
 * Stops serving: answers under way are finished and their connections closed, new requests are answered `draining`, and
 * whatever is left at the deadline is cut off. Resolves when no connection is left and the app is closed.
 *
 * Connections are closed as they fall idle, again and again. Node closes only those that are idle when `close` is
 * called, so one answer that began as keep-alive would hold the process for the whole keep-alive timeout.
 */
export async function drain(app: FastifyInstance, lifecycle: Lifecycle, timeoutMs: number): Promise<void> {
  lifecycle.phase = 'draining';
  const sweep = setInterval(() => app.server.closeIdleConnections(), CHECK_MS);
  const deadline = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
