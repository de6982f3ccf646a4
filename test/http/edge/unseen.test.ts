import fastify from 'fastify';
import { request } from 'undici';
import { expect, it } from 'vitest';
import { Door } from '../../../src/http/edge/door.ts';
import { EventLoop } from '../../../src/sharing/turns.ts';

const MIB = 2 ** 20;

it('charges a caller for the bytes of a request and of its answer, and for a write, once it is over', async () => {
  const charged: number[] = [];
  // no work that this clock would see: nothing is charged for turns
  const clocks = { now: () => performance.now(), worked: () => 0 };
  const loop = new EventLoop(4, clocks, (_caller, ms) => {
    if (ms > 0) charged.push(ms);
  });
  const app = fastify({ bodyLimit: 8 * MIB });
  app.decorateRequest('apiKey', null as never);
  new Door(loop, 8 * MIB).addTo(app);
  app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const scope of ['read', 'write'] as const) {
    app.post<{ Querystring: { answer: number } }>(`/${scope}`, { config: { scope } }, (asked) =>
      Buffer.alloc(Number(asked.query.answer), 'a'),
    );
  }
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const msOf = async (path: string, bodyBytes: number) => {
    charged.length = 0;
    const headers = { 'content-type': 'text/plain' };
    const { body } = await request(`${url}${path}`, { method: 'POST', body: Buffer.alloc(bodyBytes, 'b'), headers });
    await body.arrayBuffer();
    await expect.poll(() => charged).toHaveLength(1);
    return charged[0]!;
  };
  try {
    expect(await msOf('/read?answer=10', 10)).toBeLessThan(0.1);
    // what has arrived with the head was read before
    const slack = 0.6;
    for (const [path, bodyBytes, ms] of [
      [`/read?answer=${4 * MIB}`, 10, 32],
      ['/read?answer=10', 2 * MIB, 16],
      [`/read?answer=${MIB}`, MIB, 16],
      ['/write?answer=10', 10, 0.5],
    ] as const) {
      const cost = await msOf(path, bodyBytes);
      expect(cost).toBeGreaterThanOrEqual(ms - slack);
      expect(cost).toBeLessThan(ms + slack);
    }
  } finally {
    await app.close();
  }
});
