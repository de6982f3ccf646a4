import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';
import { connectionsOf, connectRaw, head, listening, untilRead } from '../support/http/raw-client.ts';

const ENCODERS = [gzipSync, deflateSync, zstdCompressSync];
const CODINGS = ['gzip', 'deflate', 'zstd'];
const MIB = 2 ** 20;

const LIMITS = { bodyBytesMax: 2 * MIB, bulkBytesMax: 3 * MIB };
const TEXT =
  'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness';

describe('a request', () => {
  let fixture: HttpFixture;
  beforeAll(async () => {
    fixture = await createHttpFixture({ httpLimits: LIMITS });
  });
  afterAll(() => fixture.close());

  const ask = (method: 'POST' | 'PUT', url: string, type: string, coding: string, payload: Buffer) =>
    fixture.app.inject({ method, url, payload, headers: { 'content-type': type, 'content-encoding': coding } });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    [' GZIP ', gzipSync],
    ['deflate', deflateSync],
    ['zstd', zstdCompressSync],
    ['identity', (bytes: Buffer) => bytes],
    ['', (bytes: Buffer) => bytes],
  ] as const)('may be a document, JSON or lines in %j', async (coding, encode) => {
    const name = encodeURIComponent(`https://a.example/in-${coding}`);
    const plain = (await ask('PUT', '/documents?url=https://a.example/', 'text/plain', '', Buffer.from(TEXT))).json();
    const put = await ask('PUT', `/documents?url=${name}`, 'text/html', coding, encode(Buffer.from(`<p>${TEXT}`)));
    expect(put.statusCode).toBe(201);
    expect(put.json().content.id).toBe(plain.content.id);
    const question = encode(Buffer.from(JSON.stringify({ document: { text: TEXT } })));
    const answer = await ask('POST', '/similar', 'application/json', coding, question);
    expect(answer.json().matches[0].equivalence).toBe('identical');
    const line = { op: 'put', url: `https://lines.example/${coding.trim()}`, text: TEXT };
    const lines = `${JSON.stringify(line)}\n`.repeat(3);
    const written = await ask('POST', '/documents', 'application/x-ndjson', coding, encode(Buffer.from(lines)));
    expect(written.body.trim().split('\n')).toHaveLength(4);
    expect(written.body).toContain('{"summary":{"lines":3,"ok":3,"failed":0,"complete":true}}');
    const asked = `${JSON.stringify({ document: { url: line.url } })}\n`.repeat(2);
    const batch = await ask('POST', '/similar', 'application/x-ndjson', coding, encode(Buffer.from(asked)));
    expect(batch.body).toContain('{"summary":{"lines":2,"ok":2,"failed":0,"complete":true}}');
  });

  it.each(['br', 'compress', 'gzip, gzip', 'gzip,identity', 'aws-chunked', 'nonsense'])(
    'in %s is refused, with the codings that are taken',
    async (coding) => {
      const answer = await ask('POST', '/similar', 'text/plain', coding, Buffer.from(TEXT));
      expect(answer.json()).toMatchObject({ status: 415, code: 'unsupported-media-type', field: 'content-encoding' });
      expect(answer.json().detail).toContain('gzip, deflate, zstd');
      expect(answer.headers['accept-encoding']).toBe('gzip, deflate, zstd');
    },
  );

  it('is held to its limits by what comes out', async () => {
    const large = Buffer.from(Array.from({ length: 60_000 }, (_, i) => `${TEXT.slice(0, 40)} ${i * 7919} `).join(''));
    for (const [i, coding] of CODINGS.entries()) {
      const coded = ENCODERS[i]!(large);
      expect([large.length > 2.5 * MIB, coded.length < LIMITS.bodyBytesMax / 2]).toEqual([true, true]);
      const answer = await ask('POST', '/similar', 'text/plain', coding, coded);
      expect(answer.json()).toMatchObject({ status: 413, limit: { name: 'bodyBytesMax', value: LIMITS.bodyBytesMax } });
      const line = JSON.stringify({ op: 'delete', url: 'https://nobody.example/' });
      const lines = `${line}\n${large}\n${line}\n${large}\n`;
      const written = await ask('POST', '/documents', 'application/x-ndjson', coding, ENCODERS[i]!(Buffer.from(lines)));
      const [first, second, third, fourth] = written.body
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each));
      expect([first.code, second.code, second.limit.name]).toEqual(['unknown-url', 'body-too-large', 'bodyBytesMax']);
      expect([third.code, fourth.limit.name]).toEqual(['unknown-url', 'bulkBytesMax']);
    }
  });

  it('says what is wrong with its coding', async () => {
    const bad = [Buffer.from(TEXT), gzipSync(TEXT).subarray(0, 50), zstdCompressSync(TEXT)];
    for (const body of bad) {
      const answer = await ask('POST', '/similar', 'text/plain', 'gzip', body);
      expect(answer.json()).toMatchObject({ status: 400, code: 'invalid-request', field: 'content-encoding' });
      const lines = await ask('POST', '/similar', 'application/x-ndjson', 'gzip', body);
      expect(lines.body).toContain('"code":"invalid-request"');
      expect(lines.body).toContain('"complete":false');
    }
  });

  it('that goes away in the middle does no harm, nor do those that are refused while they come', async () => {
    const connections = connectionsOf(fixture.app);
    const port = await listening(fixture.app);
    const coded = gzipSync(Buffer.from(Array.from({ length: MIB }, (_, i) => (i * i * 31) >> 7)));
    for (const type of ['text/plain', 'application/x-ndjson', 'application/json']) {
      for (const sent of [0, 10, 50_000]) {
        const client = await connectRaw(port);
        const headers = { 'content-type': type, 'content-encoding': 'gzip', 'content-length': coded.length };
        const start = head('POST', '/similar', headers);
        client.socket.write(start);
        client.socket.write(coded.subarray(0, sent));
        await untilRead(connections, client.socket, start.length + Math.min(sent, 10_000));
        client.socket.destroy();
      }
      const client = await connectRaw(port);
      const headers = { 'content-type': type, 'content-encoding': 'zstd', 'content-length': 100_000 };
      client.socket.write(head('POST', '/similar', headers));
      client.socket.write(Buffer.alloc(100_000, 'x'));
      await client.until('invalid-request');
      client.socket.destroy();
      expect((await fixture.app.inject('/health/live')).statusCode).toBe(200);
    }
  });
});
