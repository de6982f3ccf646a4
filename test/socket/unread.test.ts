import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { StatsAnswer } from '../../src/service/api.ts';
import { createHttpFixture, type HttpFixture, type HttpFixtureOptions } from '../support/http/http-fixture.ts';
import { chunk, connectRaw, head, listening, type RawClient, settled, statuses } from '../support/http/raw-client.ts';

/* Answers that nobody reads, of many requests at once: all together they have a bound, and who reads is served. */

const MIB = 2 ** 20;
const KEYS = ['one', 'two', 'three'].map((name) => ({
  name,
  scopes: ['read', 'write'] as const,
  secret: `secret-of-${name}-0123`,
}));
const authorized = (name: string) => ({ authorization: `Bearer secret-of-${name}-0123` });
const LINES = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' };

let fixture: HttpFixture;
let port: number;
const clients: RawClient[] = [];
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await fixture.close();
});

async function serve(options: HttpFixtureOptions): Promise<void> {
  fixture = await createHttpFixture({ http: { apiKeys: KEYS }, ...options });
  port = await listening(fixture.app);
}

async function open(paused = true): Promise<RawClient> {
  const client = await connectRaw(port, { paused });
  clients.push(client);
  return client;
}

/** An NDJSON request of so many lines that are refused. */
async function refusedLines(name: string, lines: number, paused = true): Promise<RawClient> {
  const client = await open(paused);
  client.socket.write(head('POST', '/documents', { ...LINES, ...authorized(name) }));
  client.socket.write(`${chunk('{"op":"put","bad":1}\n'.repeat(lines))}0\r\n\r\n`);
  return client;
}

async function readAll(client: RawClient): Promise<string> {
  let tail = '';
  client.socket.on('data', (data) => {
    tail = (tail + data.toString('latin1')).slice(-200);
  });
  while (!tail.includes('"summary"')) await wait(5);
  return tail;
}

/** Each line is answered with 100 KB. */
function countingLines(): { options: HttpFixtureOptions; taken: () => number } {
  let taken = 0;
  const url = 'x'.repeat(100_000);
  const options: HttpFixtureOptions = {
    httpLimits: { answersBytesMax: MIB },
    wrapService: (service) => ({
      bulk: async function* (...args) {
        for await (const answer of service.bulk(...args)) {
          taken++;
          yield { ...answer, url };
        }
      },
    }),
  };
  return { options, taken: () => taken };
}

describe('lines of answers', () => {
  it('stop being made where too many are unread, over all requests; all come once they are read', async () => {
    const { options, taken } = countingLines();
    await serve(options);
    const hogs = await Promise.all(['one', 'one', 'two', 'two'].map((name) => refusedLines(name, 300)));
    const made = await settled(taken);
    // of 120 MB, 1 MiB is held here, and at most 10 MB in the buffers of each connection
    expect(made).toBeLessThan(450);
    const other = await refusedLines('three', 50, false);
    expect(await readAll(other)).toContain('"summary":{"lines":50,');
    for (const hog of hogs) expect(await readAll(hog)).toContain('"summary":{"lines":300,"ok":0,"failed":300');
    expect(taken()).toBe(1250);
  });

  it('give their room back where their client goes', async () => {
    const { options, taken } = countingLines();
    await serve(options);
    for (let round = 0; round < 3; round++) {
      const hogs = await Promise.all(['one', 'two', 'three'].map((name) => refusedLines(name, 200)));
      await settled(taken);
      for (const { socket } of hogs) socket.resetAndDestroy();
      const logged = () => fixture.log.filter((line) => line.includes('"route":"/documents"')).length;
      while (logged() < 3 * (round + 1)) await wait(5);
    }
    const before = taken();
    await refusedLines('one', 10);
    while (taken() < before + 10) await wait(5);
  });

  it('say of a URL that was refused its beginning, in whole characters', async () => {
    await serve({});
    const client = await open(false);
    client.socket.write(head('POST', '/documents', { ...LINES, ...authorized('one') }));
    const urls = [`https://a.example/${'x'.repeat(3000)}`, `a${'💧'.repeat(2000)}`, 'https://short.example/:bad'];
    client.socket.write(chunk(urls.map((url) => `${JSON.stringify({ op: 'put', url, bad: 1 })}\n`).join('')));
    client.socket.write(chunk(`${JSON.stringify({ op: 'put', url: urls[0], text: 'one two' })}\n`));
    client.socket.write('0\r\n\r\n');
    await client.until('"summary"');
    const answered = Buffer.from(client.received(), 'latin1').toString();
    const told = [...answered.matchAll(/"url":("[^"]*")/g)].map((match) => JSON.parse(match[1]!) as string);
    expect(told.map((url) => url.length)).toEqual([200, 200, 26, 200]);
    expect(told.every((url) => url.isWellFormed())).toBe(true);
    expect(told[0]).toBe(urls[0]!.slice(0, 200));
    expect(told[2]).toBe(urls[2]);
  });
});

describe('whole answers', () => {
  const long = { version: 'x'.repeat(200_000) } as unknown as StatsAnswer;
  const ask = async (name: string, paused: boolean) => {
    const client = await open(paused);
    client.socket.write(head('GET', '/stats', authorized(name)).repeat(100));
    return client;
  };

  it('hold nothing of a client that went before they were made', async () => {
    const waiting: (() => void)[] = [];
    await serve({
      httpLimits: { answersBytesMax: MIB },
      wrapService: () => ({ stats: () => new Promise((resolve) => waiting.push(() => resolve(long))) }),
    });
    for (let asked = 0; asked < 10; asked++) {
      const client = await open();
      client.socket.write(head('GET', '/stats', authorized('one')));
      while (waiting.length === 0) await wait(5);
      client.socket.resetAndDestroy();
      while (fixture.log.filter((line) => line.includes('"aborted":true')).length <= asked) await wait(5);
      waiting.pop()!();
    }
    const client = await open(false);
    client.socket.write(head('GET', '/stats', authorized('one')));
    while (waiting.length === 0) await wait(5);
    waiting.pop()!();
    await client.until('HTTP/1.1');
    expect(statuses(client.received())).toEqual([200]);
  });

  it('are given up where too many are unread, and small ones never', async () => {
    let made = 0;
    await serve({
      httpLimits: { answersBytesMax: MIB },
      wrapService: () => ({
        stats: async () => {
          made++;
          return long;
        },
      }),
    });
    // the connections take some MB each, then answers stay here
    await Promise.all(Array.from({ length: 6 }, () => ask('one', true)));
    await settled(() => made);
    const late = await open(false);
    late.socket.write(head('GET', '/stats', authorized('one')));
    await late.until('"code":"overloaded"');
    expect(statuses(late.received())).toEqual([503]);
    expect(late.received().toLowerCase()).toContain('retry-after: 1');
    expect(late.received()).toContain('"limit":{"name":"answersBytesMax"');
    // somebody else, and what is small
    const other = await open(false);
    other.socket.write(head('GET', '/stats', authorized('two')));
    await other.until('xxxx');
    other.socket.write(head('GET', '/health/ready', {}));
    await other.until('"ready"');
    for (const { socket } of clients) socket.resetAndDestroy();
    for (let round = 0; round < 20; round++) {
      const client = await open(false);
      client.socket.write(head('GET', '/stats', authorized('one')));
      await client.until('}');
      if (statuses(client.received())[0] === 200) return;
      await wait(50);
    }
    expect.unreachable('room was not given back');
  });
});
