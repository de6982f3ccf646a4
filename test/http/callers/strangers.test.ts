import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pace } from '../../../src/http/callers/strangers.ts';
import { createHttpFixture, type HttpFixture, type HttpFixtureOptions } from '../../support/http/http-fixture.ts';
import {
  connectionsOf,
  connectRaw,
  head,
  listening,
  othersServed,
  statuses,
  untilRead,
} from '../../support/http/raw-client.ts';

describe('a pace', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'], now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());
  const options = { everyMs: 100, atOnce: 3, waitMaxMs: 250 };

  it('gives some turns at once, then one each time, and none that is too far away', () => {
    const pace = new Pace(options);
    expect(Array.from({ length: 7 }, () => pace.take('a'))).toEqual([0, 0, 0, 100, 200, null, null]);
    // what was refused costs nothing
    vi.advanceTimersByTime(100);
    expect([pace.take('a'), pace.take('a')]).toEqual([200, null]);
  });

  it('gives back a turn each time, and no more than there are at once', () => {
    const pace = new Pace(options);
    for (let taken = 0; taken < 3; taken++) pace.take('a');
    vi.advanceTimersByTime(250);
    expect([pace.take('a'), pace.take('a'), pace.take('a')]).toEqual([0, 0, 50]);
    vi.advanceTimersByTime(1_000_000);
    expect(Array.from({ length: 4 }, () => pace.take('a'))).toEqual([0, 0, 0, 100]);
  });

  it('is one for each caller, and forgets those who came first', () => {
    const pace = new Pace({ ...options, atOnce: 1 });
    expect([pace.take('a'), pace.take('b'), pace.take('a')]).toEqual([0, 0, 100]);
    for (let other = 0; other < 4095; other++) pace.take(`other ${other}`);
    expect([pace.take('a'), pace.take('b')]).toEqual([200, 0]);
    for (let other = 0; other < 10_000; other++) pace.take(`other ${other}`);
    expect(pace.take('a')).toBe(0);
  });
});

describe('who has no key that is known', () => {
  const SECRET = 'secret-of-somebody-01';
  const KEYS = [{ name: 'somebody', scopes: ['read'] as const, secret: SECRET }];
  let fixture: HttpFixture;
  const serve = async (http: HttpFixtureOptions['http'] = { apiKeys: KEYS }) => {
    fixture = await createHttpFixture({ http: http!, logLevel: 'info' });
  };
  afterEach(() => fixture.close());
  const ask = (url: string, remoteAddress: string, authorization = 'Bearer wrong') =>
    fixture.app.inject({ url, remoteAddress, headers: { host: 'localhost', authorization } });
  const burst = (times: number, ...asked: Parameters<typeof ask>) =>
    Promise.all(Array.from({ length: times }, () => ask(...asked)));
  const many = async (...asked: Parameters<typeof burst>) =>
    (await burst(...asked)).map(({ statusCode }) => statusCode);
  const count = (statuses: readonly number[], status: number) => statuses.filter((other) => other === status).length;

  it('is told so at once for a while, then at a pace, then to come later; nobody else is slowed', async () => {
    await serve();
    expect(new Set(await many(30, '/stats', '192.0.2.1'))).toEqual(new Set([401]));
    const started = performance.now();
    const slowed = burst(100, '/stats', '192.0.2.1');
    expect(await many(20, '/stats', '192.0.2.1', `Bearer ${SECRET}`)).toEqual(Array(20).fill(200));
    expect(await many(20, '/stats', '192.0.2.2')).toEqual(Array(20).fill(401));
    const othersMs = performance.now() - started;
    const answers = await slowed;
    const later = answers.find(({ statusCode }) => statusCode === 429)!;
    expect(later.json()).toMatchObject({ status: 429, code: 'rate-limited' });
    expect(Number(later.headers['retry-after'])).toBe(3);
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(performance.now() - started).toBeGreaterThan(2500);
    expect(othersMs).toBeLessThan(2500);
    expect([count(statuses, 401) >= 15, count(statuses, 401) + count(statuses, 429)]).toEqual([true, 100]);
    expect(count(statuses, 401)).toBeLessThan(30);
  });

  it('is counted by network where addresses are IPv6', async () => {
    await serve();
    const from = (host: number) => ask('/nothing', `2001:db8::${host.toString(16)}`);
    const answers = await Promise.all(Array.from({ length: 320 }, (_, host) => from(host + 1)));
    expect(
      count(
        answers.map(({ statusCode }) => statusCode),
        429,
      ),
    ).toBeGreaterThan(0);
    expect((await ask('/nothing', '2001:db8:0:1::1')).statusCode).toBe(404);
  });

  it.each(['/nothing', '/docs'])('may ask for %s so often', async (url) => {
    await serve();
    const refused = (await burst(330, url, '192.0.2.1')).filter(({ statusCode }) => statusCode === 429);
    expect([refused.length > 0, refused.length <= 30]).toEqual([true, true]);
    expect(refused[0]!.json()).toMatchObject({ code: 'rate-limited' });
    expect(Number(refused[0]!.headers['retry-after'])).toBe(1);
    // what is limited is the open, and one address; health is free
    expect((await ask(url, '192.0.2.2')).statusCode).not.toBe(429);
    expect((await ask('/stats', '192.0.2.1', `Bearer ${SECRET}`)).statusCode).toBe(200);
    expect(new Set(await many(310, '/health/ready', '192.0.2.1'))).toEqual(new Set([200]));
  });

  it('has a line of the log a second, which says how many were left out', async () => {
    await serve();
    await many(25, '/stats', '192.0.2.1');
    await many(25, '/nothing', '192.0.2.1');
    await ask('/stats', '192.0.2.1', `Bearer ${SECRET}`);
    await ask('/stats', '192.0.2.2');
    const lines = fixture.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const ours = lines.filter(({ msg }) => msg === 'request');
    const ofStrangers = ours.filter(({ key }) => key === undefined);
    expect([ofStrangers.length, ours.length]).toEqual([2, 3]);
    expect(ours.map(({ unlogged }) => unlogged ?? 0).reduce((sum, more) => Number(sum) + Number(more), 0)).toBe(49);
  });

  it('has no more lines where he does not wait for the answer', async () => {
    await serve();
    const connections = connectionsOf(fixture.app);
    const port = await listening(fixture.app);
    for (let asked = 0; asked < 35; asked++) {
      const client = await connectRaw(port);
      client.socket.write(head('GET', '/stats', {}));
      if (asked < 30) while (statuses(client.received()).length === 0) await wait(1);
      else await untilRead(connections, client.socket);
      client.socket.resetAndDestroy();
    }
    await othersServed(port);
    expect(fixture.log.filter((line) => line.includes('"msg":"request"')).length).toBeLessThanOrEqual(3);
  });

  it('has every line where there are no keys, but those about what is not there', async () => {
    await serve({});
    await many(20, '/stats', '127.0.0.1');
    await many(20, '/nothing', '127.0.0.1');
    const lines = fixture.log.filter((line) => line.includes('"msg":"request"'));
    expect(lines.length).toBe(21);
  });
});
