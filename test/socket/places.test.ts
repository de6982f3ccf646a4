import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHttpFixture, type HttpFixture, type HttpFixtureOptions } from '../support/http/http-fixture.ts';
import { connectionsOf, head, listening } from '../support/http/raw-client.ts';

/* More connections than there are places: who was asleep longest goes, and whoever waits for an answer gets it. */

let fixture: HttpFixture;
let port: number;
let letGo = () => {};
const clients: Socket[] = [];
afterEach(async () => {
  letGo();
  for (const client of clients.splice(0)) client.destroy();
  await fixture.close();
});

async function serve(limits: HttpFixtureOptions['httpLimits'], trustProxy: readonly string[] = []): Promise<void> {
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  fixture = await createHttpFixture({
    httpLimits: limits!,
    http: { trustProxy: trustProxy.length > 0 && trustProxy },
    wrapService: (service) => ({
      similar: async (...args) => {
        await held;
        return service.similar(...args);
      },
    }),
  });
  port = await listening(fixture.app);
}

/** A connection from an address of this machine's, after the server has seen what it sent. */
async function open(sent: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const arrived = once(fixture.app.server, 'connection') as Promise<[Socket]>;
  const client = connect({ host: '127.0.0.1', port, localAddress });
  clients.push(client);
  client.on('error', () => {});
  client.resume();
  client.write(sent);
  const [socket] = await arrived;
  while (!socket.destroyed && socket.bytesRead < sent.length) await wait(1);
  // a millisecond apart, so that who came first is known
  await wait(2);
  return client;
}

const IDLE = head('GET', '/health/live', {});
const BEGUN = 'GET /health/li';
const NOTHING = '';
const UNSENT = head('POST', '/similar', { 'content-type': 'text/plain', 'content-length': 7 });
const WAITS = `${UNSENT}one two`;

const gone = (among: readonly Socket[]) => among.flatMap((client, at) => (client.closed ? [at] : []));

/** The server closes these, and no others in the same turn. */
async function expectGone(among: readonly Socket[], expected: readonly number[]): Promise<void> {
  await vi.waitUntil(() => gone(among).length >= expected.length, { interval: 1 });
  await turn();
  expect(gone(among)).toEqual(expected);
}

/** Asks over a connection of its own. */
async function isServed(localAddress = '127.0.0.1'): Promise<boolean> {
  const client = connect({ host: '127.0.0.1', port, localAddress });
  client.on('error', () => {});
  client.write(head('GET', '/health/live', { connection: 'close' }));
  let received = '';
  client.on('data', (data) => {
    received += data.toString();
  });
  await once(client, 'close');
  return received.includes('{"status":"live"}');
}

describe('where all places are taken', () => {
  it('those asleep longest go first, whenever they came', async () => {
    await serve({ connectionsMax: 4 });
    const all = [await open(IDLE), await open(IDLE), await open(IDLE), await open(IDLE)];
    // the first one asks again, and is now the last to have fallen asleep
    const answered = once(all[0]!, 'data');
    all[0]!.write(IDLE);
    await answered;
    await open(IDLE);
    await expectGone(all, [1]);
    await open(IDLE);
    await expectGone(all, [1, 2]);
  });

  it('the sleepers go before those in the midst of a head, and these before those that send a body or read', async () => {
    await serve({ connectionsMax: 4 });
    const all = [await open(UNSENT), await open(BEGUN), await open(IDLE), await open(NOTHING)];
    for (const order of [[2], [2, 3], [1, 2, 3], [0, 1, 2, 3]]) {
      await open(WAITS);
      await expectGone(all, order);
    }
  });

  it('who waits for an answer keeps his place, and the next one is turned away', async () => {
    await serve({ connectionsMax: 3 });
    const all = [await open(WAITS), await open(WAITS), await open(WAITS)];
    expect(await isServed()).toBe(false);
    expect(gone(all)).toEqual([]);
    letGo();
    while (!(await isServed())) await wait(5);
  });

  it('others are served, however many hold their places and do nothing', async () => {
    await serve({ connectionsMax: 200, connectionsPerAddressMax: 100 });
    const connections = connectionsOf(fixture.app);
    for (let number = 0; number < 200; number++) {
      const client = connect({ host: '127.0.0.1', port, localAddress: `127.0.1.${number % 250}` });
      clients.push(client.on('error', () => {}).resume());
      client.write([IDLE, BEGUN, NOTHING, UNSENT][number % 4]!);
    }
    await vi.waitUntil(() => connections.length === 200, { interval: 1 });
    for (let round = 0; round < 20; round++) expect(await isServed('127.0.2.1')).toBe(true);
  });
});

describe('where one address has its share', () => {
  it('its own sleepers go, and nobody else', async () => {
    await serve({ connectionsMax: 100, connectionsPerAddressMax: 3 });
    const others = [await open(IDLE, '127.0.0.2'), await open(IDLE, '127.0.0.3')];
    const own = [await open(IDLE), await open(IDLE), await open(IDLE), await open(IDLE), await open(IDLE)];
    await expectGone(own, [0, 1]);
    expect(gone(others)).toEqual([]);
    expect(await isServed()).toBe(true);
  });

  it('it gets no more, where all of it waits for answers', async () => {
    await serve({ connectionsMax: 100, connectionsPerAddressMax: 3 });
    const own = [await open(WAITS), await open(WAITS), await open(WAITS)];
    expect(await isServed()).toBe(false);
    expect(await isServed('127.0.0.2')).toBe(true);
    expect(gone(own)).toEqual([]);
  });

  it.each([
    ['a trusted proxy', { connectionsMax: 100, connectionsPerAddressMax: 3 }, ['127.0.0.0/30']],
    ['anybody, at 0', { connectionsMax: 100, connectionsPerAddressMax: 0 }, []],
  ])('has no share: %s', async (_who, limits, trustProxy) => {
    await serve(limits, trustProxy);
    const all: Socket[] = [];
    for (let number = 0; number < 10; number++) all.push(await open(IDLE));
    expect(gone(all)).toEqual([]);
  });
});
