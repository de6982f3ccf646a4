import type { FastifyInstance } from 'fastify';
import { Deadline } from '../../sharing/deadline.ts';
import { rest } from '../../sharing/waiting.ts';

/** Twice as long as the delay of the event loop is remembered: a machine that is late at all times gets no better. */
const CALM_WITHIN_MS = 2000;
const LOOK_MS = 20;

/**
 * Does what would hold up the first who ask, before anybody is listened to. Then it waits until the start itself does
 * not count as load any more: else they would be told that the service is too busy.
 */
export async function warmUp(app: FastifyInstance): Promise<void> {
  // made once and kept
  for (const constant of ['/openapi.json', '/docs']) await app.inject(constant);
  const calm = new Deadline(CALM_WITHIN_MS);
  do await rest(LOOK_MS, { ref: true });
  while (isLate(app) && !calm.passed);
}

/** Where EVENT_LOOP_DELAY_MS_MAX is 0 nobody looks. */
function isLate(app: FastifyInstance): boolean {
  return app.hasDecorator('isUnderPressure') && app.isUnderPressure();
}
