import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';
import { chunk, connectRaw, drip, head, listening, statuses } from '../support/http/raw-client.ts';

/* Real sockets that say little, slowly: each is closed by its limit, however long it would have gone on. */

let fixture: HttpFixture;
let port: number;
beforeAll(async () => {
  fixture = await createHttpFixture({
    httpLimits: {
      ...{ headTimeoutMs: 300, bodyTimeoutMs: 300, requestTimeoutMs: 1200, timeoutCheckMs: 50 },
      ...{ keepAliveTimeoutMs: 300, idleTimeoutMs: 1500, requestsPerConnectionMax: 3 },
    },
  });
  port = await listening(fixture.app);
});
afterAll(() => fixture.close());

const TEXT = { 'content-type': 'text/plain' };
const CHUNKED = { ...TEXT, 'transfer-encoding': 'chunked' };
const LINES = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' };

describe('a client that drips', () => {
  it('its head is closed with 408', async () => {
    const client = await connectRaw(port);
    client.socket.write('GET /stats HTTP/1.1\r\nhost: localhost\r\nx-a: ');
    drip(client, 'a', 20);
    const received = await client.closed();
    expect(statuses(received)).toEqual([408]);
    expect(received).toContain('application/problem+json');
    expect(received).toContain('"code":"request-timeout"');
  });

  it.each([
    ['with its length', head('POST', '/similar', { ...TEXT, 'content-length': 1000 }), 'a'],
    ['in chunks', head('POST', '/similar', CHUNKED), chunk('a')],
  ])('its body, %s, is closed with 408', async (_how, start, piece) => {
    const client = await connectRaw(port);
    client.socket.write(start);
    drip(client, piece, 20);
    const received = await client.closed();
    expect(statuses(received)).toEqual([408]);
    expect(received).toContain('"limit":{"name":"bodyTimeoutMs","value":300}');
  });

  it('a line is closed by the limit of the whole request', async () => {
    const client = await connectRaw(port);
    client.socket.write(head('POST', '/documents', LINES));
    drip(client, chunk('a'), 20);
    const received = await client.closed();
    expect(statuses(received).length).toBeLessThanOrEqual(1);
  });

  it('nothing at all is closed', async () => {
    const client = await connectRaw(port);
    const received = await client.closed();
    expect(statuses(received)).toEqual([408]);
  });
});

describe('a client that falls silent', () => {
  it('within its lines is told so, with what was done before', async () => {
    const client = await connectRaw(port);
    client.socket.write(head('POST', '/documents', LINES));
    client.socket.write(chunk('{"op":"put","url":"https://a.example/","text":"one two"}\n{"op"'));
    const received = await client.closed();
    expect(received).toContain('"result":"created"');
    expect(received).toContain('"line":2,"status":408,"url":null,"code":"request-timeout"');
    expect(received).toContain('{"summary":{"lines":2,"ok":1,"failed":1,"complete":false}}');
  });

  it('between requests is closed', async () => {
    const client = await connectRaw(port);
    client.socket.write(head('GET', '/stats', {}));
    expect(statuses(await client.closed())).toEqual([200]);
  });
});

describe('a connection', () => {
  it('is closed after its share of requests', async () => {
    const client = await connectRaw(port);
    for (let sent = 1; sent <= 3; sent++) {
      client.socket.write(head('GET', '/health/live', { 'x-request-id': `request-${sent}` }));
      await client.until(`request-${sent}`);
    }
    const received = await client.closed();
    expect(statuses(received)).toEqual([200, 200, 200]);
    expect(received.toLowerCase().lastIndexOf('connection: close')).toBeGreaterThan(received.lastIndexOf('HTTP/1.1'));
  });
});
