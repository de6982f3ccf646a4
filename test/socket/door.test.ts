import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey } from '../../src/http/http-options.ts';
import type { SimilarLine } from '../../src/service/api.ts';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';
import { connectRaw, head, listening, type RawClient, statuses } from '../support/http/raw-client.ts';

/* Bodies that never end, of some callers, and what is left for others: 128 places, 17 of them for 8 MiB. */

const LARGEST = 8 * 2 ** 20;
const names = ['hog', 'other', ...Array.from({ length: 12 }, (_, i) => `one-of-many-${i}`)];
const apiKeys: ApiKey[] = names.map((name) => ({ name, secret: name.padEnd(20, '.'), scopes: ['read'] }));
let fixture: HttpFixture;
let port: number;
beforeAll(async () => {
  fixture = await createHttpFixture({
    http: { apiKeys },
    wrapService: (service) => ({ similarBatch: (lines, access) => service.similarBatch(noted(lines), access) }),
  });
  port = await listening(fixture.app);
});
afterAll(() => fixture.close());

/** What was wrong with lines: a client that sends when it should read may find its answer lost to a reset. */
const refusals: string[] = [];
async function* noted(lines: AsyncIterable<SimilarLine>): AsyncGenerator<SimilarLine> {
  for await (const line of lines) {
    if ('error' in line) refusals.push(line.error.code);
    yield line;
  }
}

/** Begins to send a text of so many bytes, all but the end. */
async function begin(name: string, bytes: number): Promise<RawClient> {
  const client = await connectRaw(port);
  const headers = { authorization: `Bearer ${name.padEnd(20, '.')}`, 'content-type': 'text/plain' };
  client.socket.write(head('POST', '/similar?deadlineMs=60000', { ...headers, 'content-length': bytes }));
  return client;
}

/** Begins an NDJSON request with a line that does not end. */
async function beginLine(name: string, bytes: number): Promise<RawClient> {
  const client = await connectRaw(port);
  const headers = { authorization: `Bearer ${name.padEnd(20, '.')}`, 'content-type': 'application/x-ndjson' };
  client.socket.write(head('POST', '/similar', { ...headers, 'content-length': bytes + 1 }));
  client.socket.write(Buffer.alloc(bytes, 'x'));
  return client;
}

const reads = (client: RawClient) => client.until('\r\n\r\n');
const TEXT = 'a text of one key that nobody keeps from being read';
async function ask(name: string): Promise<number | undefined> {
  const client = await begin(name, TEXT.length);
  client.socket.write(TEXT);
  await reads(client);
  client.socket.destroy();
  return statuses(client.received())[0];
}
function end(clients: readonly RawClient[]): void {
  for (const { socket } of clients) socket.destroy();
}

describe('bodies that never end', () => {
  it('of one caller leave others room, for large bodies too', async () => {
    const hogs = await Promise.all(Array.from({ length: 40 }, () => begin('hog', LARGEST)));
    for (const { socket } of hogs) socket.write('x'.repeat(1000));
    expect(await Promise.all([ask('other'), ask('other')])).toEqual([200, 200]);
    const large = await begin('other', LARGEST);
    large.socket.write('x '.repeat(LARGEST / 2));
    await reads(large);
    expect(statuses(large.received())).toEqual([200]);
    end([...hogs, large]);
  });

  it('count where they are lines, too', async () => {
    const fits = await beginLine('hog', LARGEST - 1);
    const others = await Promise.all(Array.from({ length: 4 }, () => beginLine('hog', LARGEST - 1)));
    while (!refusals.includes('overloaded')) await wait(5);
    expect(await ask('other')).toBe(200);
    end([fits, ...others]);
  });

  it('of many callers make way, the largest first, and only for those who have less in hand', async () => {
    const many = await Promise.all(names.slice(2).flatMap((name) => [begin(name, LARGEST), begin(name, 2 ** 20)]));
    expect(await ask('other')).toBe(200);
    const large = await begin('other', LARGEST / 2);
    large.socket.write('x '.repeat(LARGEST / 4));
    await reads(large);
    expect(statuses(large.received())).toEqual([200]);
    const gone = many.filter((client) => client.received().includes('503'));
    for (const client of gone) expect(client.received()).toContain('the largest that was not here yet');
    expect(gone.length).toBeLessThan(6);
    end([...many, large]);
  });
});

it('lets nobody wait to be turned away', async () => {
  const held = await createHttpFixture({
    http: { apiKeys: apiKeys.slice(0, 1), rateLimitPerMinute: 70 },
    wrapService: () => ({ stats: () => new Promise(() => {}) }),
  });
  const headers = { authorization: `Bearer ${names[0]!.padEnd(20, '.')}` };
  const ask = (method: 'GET' | 'POST' = 'GET', more = {}) =>
    held.app.inject({ method, url: method === 'GET' ? '/stats' : '/similar', headers: { ...headers, ...more } });
  // more than may be in hand of one caller
  for (let asked = 0; asked < 70; asked++) void ask();
  expect((await ask('POST', { 'content-encoding': 'br' })).statusCode).toBe(415);
  expect((await ask()).statusCode).toBe(429);
  held.lifecycle.phase = 'draining';
  expect((await ask()).statusCode).toBe(503);
});
