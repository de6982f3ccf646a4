import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';
import { chunk, connectionsOf, connectRaw, head, listening, statuses, untilRead } from '../support/http/raw-client.ts';

/* Bytes that are no request, and requests that end before they should. */

let fixture: HttpFixture;
let port: number;
let connections: readonly Socket[];
beforeAll(async () => {
  fixture = await createHttpFixture({
    httpLimits: { bodyBytesMax: 100_000, bulkBytesMax: 300_000, headBytesMax: 4096 },
  });
  connections = connectionsOf(fixture.app);
  port = await listening(fixture.app);
});
afterAll(() => fixture.close());

const TEXT = { 'content-type': 'text/plain' };
const CHUNKED = { ...TEXT, 'transfer-encoding': 'chunked' };
const CLOSE = { connection: 'close' };

async function say(...pieces: string[]): Promise<string> {
  const client = await connectRaw(port);
  for (const piece of pieces) client.socket.write(piece);
  return client.closed();
}

describe('what is no request', () => {
  it.each([
    ['garbage', '\u0016\u0003\u0001 hello\r\n\r\n', 400, 'malformed-request'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 400, 'malformed-request'],
    ['no host', 'GET /stats HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'malformed-request'],
    ['a length and chunks', head('POST', '/similar', { ...CHUNKED, 'content-length': 3 }), 400, 'malformed-request'],
    [
      'two lengths',
      `${head('POST', '/similar', { 'content-length': 3 }).slice(0, -2)}content-length: 4\r\n\r\n`,
      400,
      'malformed-request',
    ],
    [
      'a header with a line end in it',
      'GET /stats HTTP/1.1\r\nhost: a\r\nx: a\u0000b\r\n\r\n',
      400,
      'malformed-request',
    ],
    ['a head that is too large', head('GET', '/stats', { x: 'y'.repeat(5000) }), 431, 'headers-too-large'],
    ['a target that is too large for a head', head('GET', `/${'x'.repeat(5000)}`, {}), 431, 'headers-too-large'],
    [
      'an expectation',
      head('POST', '/similar', { ...TEXT, expect: 'a-miracle', 'content-length': 3 }),
      417,
      'expectation-failed',
    ],
    ['bad chunks', `${head('POST', '/similar', CHUNKED)}xyz\r\n`, 400, 'malformed-request'],
  ])('is answered as a problem where it is %s', async (_what, bytes, status, code) => {
    const received = await say(bytes);
    expect(statuses(received)).toEqual([status]);
    const [, body] = received.split('\r\n\r\n') as [string, string];
    expect(received).toMatch(/content-type: application\/problem\+json/i);
    expect(JSON.parse(body)).toMatchObject({ status, code, requestId: expect.any(String) });
  });

  it('lets the answers before it out', async () => {
    const received = await say(head('GET', '/health/live', {}), head('GET', '/stats', {}), 'garbage\r\n\r\n');
    expect(statuses(received).slice(0, 2)).toEqual([200, 200]);
    expect(received).toContain('{"status":"live"}');
    expect(received).toContain('"fingerprintId"');
  });
});

describe('bodies', () => {
  it('announced too large are refused before they are sent', async () => {
    const client = await connectRaw(port);
    client.socket.write(head('POST', '/similar', { ...TEXT, 'content-length': 100_001 }));
    await client.until('"code":"body-too-large"');
    expect(statuses(client.received())).toEqual([413]);
    expect(client.received()).toContain('"limit":{"name":"bodyBytesMax","value":100000}');
    client.socket.destroy();
  });

  it('that turn out too large are refused when they do, and the answer arrives', async () => {
    const client = await connectRaw(port);
    client.socket.write(head('POST', '/similar', CHUNKED));
    for (let sent = 0; sent < 30 && !client.socket.destroyed; sent++) client.socket.write(chunk('word '.repeat(1000)));
    await client.until('"code":"body-too-large"');
    await client.closed();
  });

  it('of NDJSON announced too large are refused before they are sent', async () => {
    const client = await connectRaw(port);
    client.socket.write(
      head('POST', '/documents', { 'content-type': 'application/x-ndjson', 'content-length': 300_001 }),
    );
    await client.until('"limit":{"name":"bulkBytesMax","value":300000}');
    expect(statuses(client.received())).toEqual([413]);
    client.socket.destroy();
  });

  it('are asked for where the client waits to be asked', async () => {
    const client = await connectRaw(port);
    client.socket.write(head('POST', '/similar', { ...TEXT, ...CLOSE, expect: '100-continue', 'content-length': 7 }));
    await client.until('100 Continue');
    client.socket.write('one two');
    expect(statuses(await client.closed())).toEqual([100, 200]);
  });

  it('that are broken off leave nothing behind: what they held can be had by others', async () => {
    for (let round = 0; round < 5; round++) {
      const client = await connectRaw(port);
      client.socket.write(head('POST', '/similar', { ...TEXT, 'content-length': 90_000 }));
      client.socket.write('x'.repeat(80_000));
      await untilRead(connections, client.socket, 80_000);
      client.socket.destroy();
      await seen('"status":null,', round + 1);
    }
    const text = 'word '.repeat(18_000);
    const received = await say(head('POST', '/similar', { ...TEXT, ...CLOSE, 'content-length': text.length }), text);
    expect(statuses(received)).toEqual([200]);
  });

  /** Waits until the log has so many lines with the text. */
  async function seen(text: string, count: number): Promise<void> {
    while (fixture.log.filter((line) => line.includes(text)).length < count) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
});
