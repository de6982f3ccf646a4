import { expect, it } from 'vitest';
import { settle } from '../../src/http/lifecycle.ts';
import { createHttpFixture } from '../support/http/http-fixture.ts';

it('lets nobody in before the work of the start is no load any more', async () => {
  const fixture = await createHttpFixture({ httpLimits: { eventLoopDelayMsMax: 500 } });
  await fixture.app.ready();
  const ask = () => fixture.app.inject({ url: '/stats', headers: { host: 'localhost' } });
  // the start holds up the event loop
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await ask()).statusCode).toBe(503);
  await settle(fixture.app);
  expect((await ask()).statusCode).toBe(200);
  await fixture.close();
});
