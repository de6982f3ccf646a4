import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { HELD_MAX } from '../../src/http/edge/lanes.ts';
import type { StatsAnswer } from '../../src/service/api.ts';
import { createHttpFixture, type HttpFixture, type HttpFixtureOptions } from '../support/http/http-fixture.ts';
import {
  connectRaw,
  head,
  listening,
  othersServed,
  type RawClient,
  settled,
  statuses,
} from '../support/http/raw-client.ts';
import { createPrng, type Prng } from '../support/prng.ts';

/* Clients that send many requests before they read an answer: they are served in order, and hold next to nothing. */

let fixture: HttpFixture;
let port: number;
afterEach(() => fixture.close());

async function serve(options: HttpFixtureOptions = {}): Promise<void> {
  fixture = await createHttpFixture({ logLevel: 'silent', ...options });
  port = await listening(fixture.app);
}

const TEXT = { 'content-type': 'text/plain' };
const live = (id: string) => head('GET', '/health/live', { 'x-request-id': id });

/** A service whose `similar` tells of each body that it is given, and answers when it is let go. */
function heldSimilar(): { options: HttpFixtureOptions; bodies: string[]; letGo: () => void } {
  const bodies: string[] = [];
  const held = new Set<() => void>();
  const options: HttpFixtureOptions = {
    wrapService: (service) => ({
      similar: async (reference, ...rest) => {
        bodies.push(digestOf(reference.body!.bytes));
        await new Promise<void>((resolve) => held.add(resolve));
        return service.similar({ ...reference, body: { bytes: Buffer.from('one two'), contentType: null } }, ...rest);
      },
    }),
  };
  const letGo = () => {
    for (const resolve of held) resolve();
    held.clear();
  };
  return { options, bodies, letGo };
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const similar = (text: string) => `${head('POST', '/similar', { ...TEXT, 'content-length': text.length })}${text}`;

describe('many requests sent at once', () => {
  it('are all answered, in their order', async () => {
    await serve();
    const client = await connectRaw(port);
    const ids = Array.from({ length: 3000 }, (_, number) => `n-${number}`);
    client.socket.write(ids.map(live).join('') + head('GET', '/health/live', { connection: 'close' }));
    const received = await client.closed();
    const answered = [...received.matchAll(/x-request-id: (n-\d+)/g)].map((match) => match[1]);
    expect(answered).toEqual(ids);
  });

  it('are begun one after the other, so that each sees what those before it did', async () => {
    await serve();
    const client = await connectRaw(port);
    const path = '/documents?url=https://a.example/';
    const put = `${head('PUT', path, { ...TEXT, 'content-length': 7 })}one two`;
    client.socket.write(put + head('GET', path, {}) + head('DELETE', path, {}) + head('GET', path, {}));
    await client.until('unknown-url');
    expect(statuses(client.received())).toEqual([201, 200, 200, 404]);
    client.socket.destroy();
  });

  it('wait where one of them takes its time', async () => {
    const { options, bodies, letGo } = heldSimilar();
    await serve(options);
    const client = await connectRaw(port);
    client.socket.write(similar('one two').repeat(200));
    while (bodies.length === 0) await wait(5);
    await othersServed(port);
    expect(bodies).toHaveLength(1);
    while (statuses(client.received()).length < 200) {
      letGo();
      await wait(1);
    }
    expect(bodies).toHaveLength(200);
    client.socket.destroy();
  });

  it('of a client that does not read stop when its connection is full', async () => {
    let made = 0;
    const long = { version: 'x'.repeat(100_000) } as unknown as StatsAnswer;
    await serve({
      wrapService: () => ({
        stats: async () => {
          made++;
          return long;
        },
      }),
    });
    const client = await connectRaw(port, { paused: true });
    client.socket.write(head('GET', '/stats', {}).repeat(2000));
    await settled(() => made);
    // 200 MB of answers: a few MB are in the buffers of the connection
    expect(made).toBeLessThan(150);
    client.socket.resume();
    while (made < 2000) await wait(20);
    client.socket.destroy();
  });

  it('mean what they mean wherever the bytes are cut, and whatever bodies look like', async () => {
    const { options, bodies, letGo } = heldSimilar();
    const letting = setInterval(letGo, 1);
    await serve(options);
    const random = createPrng(7);
    const { below } = random;
    const expected: string[] = [];
    const clients: RawClient[] = [];
    for (let round = 0; round < 12; round++) {
      const client = await connectRaw(port);
      const requests = Array.from({ length: 10 }, () => bodyThatLooksLikeHeads(random));
      const before = expected.length;
      expected.push(...requests.map((body) => digestOf(Buffer.from(body))));
      const bytes = Buffer.from(requests.map((body) => requestOf(body, random)).join(''));
      for (let at = 0; at < bytes.length; ) {
        const end = at + 1 + below(below(2) === 0 ? 40 : 20_000);
        client.socket.write(bytes.subarray(at, end));
        at = end;
        if (below(3) === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      while (bodies.length < before + requests.length) await wait(2);
      clients.push(client);
    }
    clearInterval(letting);
    expect(bodies).toEqual(expected);
    for (const client of clients) {
      expect(new Set(statuses(client.received()))).toEqual(new Set([200]));
      client.socket.destroy();
    }
  });
});

/** A body of up to 30 KB in which ends of heads and whole requests stand. */
function bodyThatLooksLikeHeads({ below }: Prng): string {
  const parts = ['\r\n\r\n', 'word ', head('GET', '/health/live', {}), '0\r\n\r\n', 'x'.repeat(600)];
  return Array.from({ length: 1 + below(50) }, () => parts[below(parts.length)]).join('');
}

function requestOf(body: string, { below }: Prng): string {
  if (below(2) === 0) return similar(body);
  const start = head('POST', '/similar', { ...TEXT, 'transfer-encoding': 'chunked' });
  const middle = below(body.length + 1);
  const chunks = [body.slice(0, middle), body.slice(middle)].filter((chunk) => chunk !== '');
  return `${start}${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
}

describe('connections with requests that wait', () => {
  it('are so many and no more', async () => {
    const { options, letGo } = heldSimilar();
    const serverSide: Socket[] = [];
    await serve({ ...options, httpLimits: { connectionsPerAddressMax: 0 } });
    fixture.app.server.on('connection', (socket: Socket) => serverSide.push(socket));
    const clients = await Promise.all(Array.from({ length: HELD_MAX + 20 }, () => connectRaw(port)));
    for (const { socket } of clients) socket.write(similar('one two') + live('x'));
    const open = () => clients.filter(({ socket }) => !socket.closed).length;
    while (serverSide.some((socket) => !socket.closed && socket.bytesRead === 0)) await wait(5);
    while (open() > HELD_MAX) await wait(5);
    await othersServed(port);
    expect(open()).toBe(HELD_MAX);
    letGo();
    for (const { socket } of clients) socket.destroy();
  });

  it('give their places back when they end', async () => {
    const { options, letGo } = heldSimilar();
    const serverSide: Socket[] = [];
    await serve(options);
    fixture.app.server.on('connection', (socket: Socket) => serverSide.push(socket));
    for (let round = 0; round < 4; round++) {
      const clients = await Promise.all(Array.from({ length: 100 }, () => connectRaw(port)));
      for (const { socket } of clients) socket.write(similar('one two') + live('x'));
      while (serverSide.some((socket) => !socket.closed && socket.bytesRead === 0)) await wait(5);
      await othersServed(port);
      expect(clients.filter(({ socket }) => socket.closed)).toEqual([]);
      for (const { socket } of clients) socket.resetAndDestroy();
      // nobody reads a connection whose requests wait, so its end is seen when the next answer is written
      while (serverSide.some((socket) => !socket.closed)) {
        letGo();
        await wait(5);
      }
    }
  });
});
