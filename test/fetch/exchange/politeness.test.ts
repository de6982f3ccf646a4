import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ShingledError } from '../../../src/errors.ts';
import { Politeness, type Turn } from '../../../src/fetch/exchange/politeness.ts';
import { DEFAULT_FETCH_LIMITS, type FetchLimits } from '../../../src/fetch/limits.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;

function politeness(limits: Partial<FetchLimits> = {}): Politeness {
  return new Politeness({ ...DEFAULT_FETCH_LIMITS, ...limits }, () => Date.now());
}

/** A caller at a host: whether it has its turn, or the error that it got instead. */
function caller(turns: Politeness, host: string, signal = never, name = 'somebody') {
  const state: { turn: Turn | null; error: ShingledError | null } = { turn: null, error: null };
  turns.enter(host, name, signal).then(
    (turn) => (state.turn = turn),
    (error: unknown) => (state.error = error as ShingledError),
  );
  return state;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('turns at a host', () => {
  it('begin at once for the first, and one interval after another for the next', async () => {
    const turns = politeness();
    const callers = [1, 2, 3].map(() => caller(turns, 'a'));
    const taken = () => callers.map(({ turn }) => turn !== null);
    await pass(0);
    expect(taken()).toEqual([true, false, false]);
    await pass(999);
    expect(taken()).toEqual([true, false, false]);
    await pass(1);
    expect(taken()).toEqual([true, true, false]);
    await pass(1000);
    expect(taken()).toEqual([true, true, true]);
  });

  it('are as many at a time as allowed', async () => {
    const turns = politeness({ perHostIntervalMs: 0, perHostConcurrent: 2 });
    const callers = [1, 2, 3].map(() => caller(turns, 'a'));
    await pass(0);
    expect(callers.map(({ turn }) => turn !== null)).toEqual([true, true, false]);
    callers[0]!.turn!.leave();
    await pass(0);
    expect(callers[2]!.turn).not.toBeNull();
  });

  it('hold up no other host, except where all hosts together are at the limit', async () => {
    const turns = politeness({ concurrentMax: 4 });
    const callers = ['a', 'a', 'b', 'c'].map((host) => caller(turns, host));
    await pass(0);
    expect(callers.map(({ turn }) => turn?.hostname)).toEqual(['a', undefined, 'b', undefined]);
    callers[0]!.turn!.leave();
    await pass(0);
    expect(callers.map(({ turn }) => turn?.hostname)).toEqual(['a', undefined, 'b', 'c']);
  });

  it('are spaced further on demand', async () => {
    const turns = politeness();
    const first = caller(turns, 'a');
    await pass(500);
    first.turn!.spaceMs(3000);
    const second = caller(turns, 'a');
    await pass(2999);
    expect(second.turn).toBeNull();
    await pass(1);
    expect(second.turn).not.toBeNull();
  });

  it('are for two requests, which the next turn waits for; for one where the host has given another turn since', async () => {
    const turns = politeness();
    const first = caller(turns, 'a');
    await pass(400);
    expect([first.turn!.again(), first.turn!.again()]).toEqual([true, false]);
    const second = caller(turns, 'a');
    await pass(1599);
    expect(second.turn).toBeNull();
    await pass(1);
    expect(second.turn).not.toBeNull();
    caller(turns, 'a');
    await pass(1000);
    expect(second.turn!.again()).toBe(false);
  });

  it('are refused at once where they would come too late, with the seconds until they would', async () => {
    const turns = politeness({ turnWaitMaxMs: 2000 });
    const callers = [1, 2, 3, 4].map(() => caller(turns, 'a'));
    await pass(0);
    expect(callers[3]!.error).toMatchObject({ code: 'overloaded', retryAfterS: 3 });
    expect(turns.load.waiting).toBe(2);
  });

  it('are refused where too many wait', async () => {
    const turns = politeness({ concurrentMax: 1, waitingMax: 2 });
    const callers = ['a', 'b', 'c', 'd'].map((host) => caller(turns, host));
    await pass(0);
    expect(callers[3]!.error?.code).toBe('overloaded');
    expect(turns.load).toEqual({ hosts: 3, active: 1, waiting: 2 });
    const another = caller(turns, 'e', never, 'another');
    await pass(0);
    expect(another.error).toBeNull();
  });

  it('of all hosts together are half of one caller at most, and another begins at once', async () => {
    const turns = politeness({ concurrentMax: 8 });
    const hog = Array.from({ length: 20 }, (_, i) => caller(turns, `slow${i}`, never, 'hog'));
    await pass(0);
    expect(hog.filter(({ turn }) => turn !== null).length).toBe(4);
    const others = [1, 2].map((i) => caller(turns, `host${i}`, never, 'another'));
    await pass(0);
    expect(others.map(({ turn }) => turn?.hostname)).toEqual(['host1', 'host2']);
    hog[0]!.turn!.leave();
    const third = caller(turns, 'host3', never, 'third');
    await pass(0);
    expect([third.turn?.hostname, hog.filter(({ turn }) => turn !== null).length]).toEqual(['host3', 4]);
  });

  it('at one host are of one caller after the other, however many wait for it', async () => {
    const turns = politeness();
    const order: string[] = [];
    let refused = 0;
    const visit = (name: string) =>
      turns.enter('a', name, never).then(
        (turn) => {
          order.push(name);
          turn.leave();
        },
        () => refused++,
      );
    for (let i = 0; i < 7; i++) void visit('hog');
    await pass(0);
    void visit('another');
    void visit('another');
    await pass(10_000);
    // six can be served in the time that one may wait, whoever they are; who comes anew waits behind one of another's
    expect(order).toEqual(['hog', 'hog', 'another', 'hog', 'another', 'hog']);
    expect(refused).toBe(3);
  });

  it('are given up where the host does not become free in time', async () => {
    const turns = politeness({ perHostIntervalMs: 0, perHostConcurrent: 1, turnWaitMaxMs: 2000 });
    const callers = [caller(turns, 'a'), caller(turns, 'a')];
    await pass(2000);
    expect(callers[1]!.error?.code).toBe('overloaded');
    expect(turns.load.waiting).toBe(0);
  });

  it('are given up with their caller, and never begin after', async () => {
    const turns = politeness();
    const controller = new AbortController();
    caller(turns, 'a');
    const second = caller(turns, 'a', controller.signal);
    const third = caller(turns, 'a');
    controller.abort(new ShingledError('draining', 'The service is stopping.'));
    await pass(1000);
    expect([second.error?.code, second.turn, third.turn?.hostname]).toEqual(['draining', null, 'a']);
  });

  it('that the deadline of a fetch ends were a matter of too many fetches', async () => {
    const turns = politeness();
    const controller = new AbortController();
    caller(turns, 'a');
    const second = caller(turns, 'a', controller.signal);
    controller.abort(new ShingledError('fetch-timeout', 'The server took too long.'));
    await pass(0);
    expect(second.error?.code).toBe('overloaded');
  });

  it('are remembered of no more hosts than allowed, and no longer than they matter', async () => {
    const turns = politeness({ hostsMax: 100 });
    for (let host = 0; host < 1000; host++) {
      const one = caller(turns, `host${host}`);
      await pass(0);
      one.turn!.leave();
    }
    expect(turns.load.hosts).toBe(100);
    await pass(2000);
    caller(turns, 'another');
    expect(turns.load.hosts).toBe(1);
  });

  it('keep every limit whatever the order of arrival, and serve all in the end', async () => {
    const visit = fc.record({
      ...{ host: fc.constantFrom('a', 'b', 'c'), afterMs: fc.nat(300), staysMs: fc.nat(800) },
      againMs: fc.option(fc.nat(700)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { maxLength: 40 }), async (visits) => {
        const limits = { perHostIntervalMs: 100, perHostConcurrent: 2, concurrentMax: 3, turnWaitMaxMs: 60_000 };
        const turns = politeness(limits);
        const active = new Map([...'abc'].map((host) => [host, 0]));
        const lastStart = new Map<string, number>();
        const asked = new Map([...'abc'].map((host) => [host, [] as number[]]));
        const served: number[] = [];
        for (const [order, { host, afterMs, staysMs, againMs }] of visits.entries()) {
          await pass(afterMs);
          void turns.enter(host, 'somebody', never).then((turn) => {
            expect(Date.now() - (lastStart.get(host) ?? 0)).toBeGreaterThanOrEqual(limits.perHostIntervalMs);
            lastStart.set(host, Date.now());
            active.set(host, active.get(host)! + 1);
            expect(active.get(host)).toBeLessThanOrEqual(limits.perHostConcurrent);
            expect([...active.values()].reduce((sum, each) => sum + each)).toBeLessThanOrEqual(limits.concurrentMax);
            served.push(order);
            asked.get(host)!.push(Date.now());
            if (againMs !== null && againMs < staysMs) {
              setTimeout(() => turn.again() && asked.get(host)!.push(Date.now()), againMs);
            }
            setTimeout(() => {
              active.set(host, active.get(host)! - 1);
              turn.leave();
            }, staysMs);
          });
        }
        await pass(60_000);
        expect(turns.load).toMatchObject({ active: 0, waiting: 0 });
        for (const host of 'abc') {
          const times = asked.get(host)!;
          for (const [from, first] of times.entries()) {
            for (let to = from; to < times.length; to++)
              expect(to - from + 1).toBeLessThanOrEqual((times[to]! - first) / limits.perHostIntervalMs + 2);
          }
          const order = served.filter((each) => visits[each]!.host === host);
          expect(order).toEqual([...visits.keys()].filter((each) => visits[each]!.host === host));
        }
      }),
      { seed: 4, numRuns: 50 },
    );
  });
});
