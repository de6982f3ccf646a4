import type { FastifyInstance } from 'fastify';
import { Deadline } from '../sharing/deadline.ts';
import { rest } from '../sharing/waiting.ts';

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

/** Twice as long as the delay of the event loop is remembered: a machine that is late at all times gets no better. */
const CALM_WITHIN_MS = 2000;
const LOOK_MS = 20;

/**
 * Does what would hold up the first who ask, before anybody is listened to. Then it waits until the start itself does
 * not count as load any more: else they would be told that the service is too busy.
 */
export async function settle(app: FastifyInstance): Promise<void> {
  // made once and kept
  for (const constant of ['/openapi.json', '/docs', '/']) await app.inject(constant);
  const calm = new Deadline(CALM_WITHIN_MS);
  do await rest(LOOK_MS, { ref: true });
  while (isLate(app) && !calm.passed);
}

/** Where EVENT_LOOP_DELAY_MS_MAX is 0 nobody looks. */
function isLate(app: FastifyInstance): boolean {
  return app.hasDecorator('isUnderPressure') && app.isUnderPressure();
}
