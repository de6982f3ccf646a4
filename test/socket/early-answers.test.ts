import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';
import { chunk, connectRaw, drip, head, listening, statuses } from '../support/http/raw-client.ts';

/* Answers that do not wait for the body of their request: the rest of it is not waited for either. */

const SECRET = 'secret-of-all-0123456';
const KEY = { authorization: `Bearer ${SECRET}` };
const CHUNKED = { 'transfer-encoding': 'chunked' };
/** It is 900 ms, and 30 s where the rest is waited for; a busy machine may look later. */
const LATEST_MS = 15_000;

let fixture: HttpFixture;
let port: number;
beforeAll(async () => {
  fixture = await createHttpFixture({
    http: { apiKeys: [{ name: 'all', scopes: ['read', 'write'], secret: SECRET }] },
    httpLimits: { bodyBytesMax: 10_000, bulkLinesMax: 3 },
  });
  port = await listening(fixture.app);
});
afterAll(() => fixture.close());

describe.concurrent('the body of a request that is answered already', () => {
  it.each([
    ['200 of health', 'GET', '/health/live', CHUNKED, 200],
    ['200 of health, with a length', 'GET', '/health/ready', { 'content-length': 1_000_000 }, 200],
    ['401', 'POST', '/similar', { ...CHUNKED, 'content-type': 'text/plain' }, 401],
    ['401 of lines', 'POST', '/documents', { ...CHUNKED, 'content-type': 'application/x-ndjson' }, 401],
    ['404', 'POST', '/nothing', CHUNKED, 404],
    ['405', 'DELETE', '/similar', { ...KEY, ...CHUNKED }, 405],
    ['413', 'POST', '/similar', { ...KEY, 'content-type': 'text/plain', 'content-length': 20_000 }, 413],
    ['415', 'POST', '/documents', { ...KEY, ...CHUNKED, 'content-type': 'image/png' }, 415],
    ['415 of a coding', 'POST', '/similar', { ...KEY, ...CHUNKED, 'content-encoding': 'br' }, 415],
    [
      '400 of a coding',
      'POST',
      '/similar',
      { ...KEY, ...CHUNKED, 'content-type': 'text/plain', 'content-encoding': 'gzip' },
      400,
    ],
    ['304', 'GET', '/openapi.json', { ...CHUNKED, 'if-none-match': '*' }, 304],
  ])('is not waited for: %s', async (_what, method, path, headers, status) => {
    const client = await connectRaw(port);
    client.socket.write(head(method, path, headers));
    drip(client, 'content-length' in headers ? 'a' : chunk('a'), 20);
    while (statuses(client.received()).length === 0) await wait(5);
    const answeredAt = performance.now();
    expect(statuses(await client.closed())).toEqual([status]);
    // the answer itself may wait for a piece of the body that is too large, or not of its type
    expect(performance.now() - answeredAt).toBeLessThan(LATEST_MS);
  });

  it('is not waited for where its lines are too many', async () => {
    const client = await connectRaw(port);
    client.socket.write(head('POST', '/documents', { ...KEY, ...CHUNKED, 'content-type': 'application/x-ndjson' }));
    drip(client, chunk('{}\n'), 20);
    await client.until('"summary"');
    const answeredAt = performance.now();
    expect(statuses(await client.closed())).toEqual([200]);
    expect(performance.now() - answeredAt).toBeLessThan(LATEST_MS);
  });

  it('leaves the connection open where it comes to its end in time', async () => {
    const client = await connectRaw(port);
    client.socket.write(head('POST', '/nothing', { 'content-length': 10 }));
    await client.until('unknown-route');
    client.socket.write('0123456789');
    await wait(1200);
    client.socket.write(head('GET', '/health/live', {}));
    await client.until('"live"');
    client.socket.destroy();
  });
});
