import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { type Deadline, withDeadline } from '../../src/service/deadline.ts';
import { createQueryQueue } from '../../src/service/queue.ts';
import { createTurns } from '../../src/service/turns.ts';

const LIMITS = { queriesInFlightMax: 2, queriesWaitingMax: 3 };
const HOUR_MS = 3_600_000;
const inTime = <T>(work: (deadline: Deadline) => Promise<T>) => withDeadline(HOUR_MS, undefined, work);
const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue of queries', () => {
  it('runs so many at a time, in the order they came', async () => {
    const queue = createQueryQueue(LIMITS);
    const order: number[] = [];
    let running = 0;
    let most = 0;
    const query = (number: number) => async () => {
      order.push(number);
      most = Math.max(most, ++running);
      await turnOfTheLoop();
      running--;
      return number;
    };
    const answers = [0, 1, 2, 3, 4].map((number) => inTime((deadline) => queue.run(query(number), deadline, 'refuse')));
    expect([queue.inFlight, queue.waiting]).toEqual([2, 3]);
    expect(await Promise.all(answers)).toEqual([0, 1, 2, 3, 4]);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(2);
    expect([queue.inFlight, queue.waiting]).toEqual([0, 0]);
  });

  it('refuses what would wait too long, but for those who bound themselves', async () => {
    const queue = createQueryQueue(LIMITS);
    const slow = Array.from({ length: 5 }, () => inTime((deadline) => queue.run(turnOfTheLoop, deadline, 'refuse')));
    await expect(inTime((deadline) => queue.run(turnOfTheLoop, deadline, 'refuse'))).rejects.toMatchObject({
      code: 'overloaded',
      status: 503,
      retryAfterS: 1,
      limit: { name: 'queriesWaitingMax', value: 3 },
    });
    await inTime((deadline) => queue.run(turnOfTheLoop, deadline, 'wait'));
    await Promise.all(slow);
    expect([queue.inFlight, queue.waiting]).toEqual([0, 0]);
  });

  it('keeps its room when a query fails', async () => {
    const queue = createQueryQueue({ queriesInFlightMax: 1, queriesWaitingMax: 1 });
    const failing = () => Promise.reject(new Error('planted'));
    const both = [failing, failing].map((query) => inTime((deadline) => queue.run(query, deadline, 'refuse')));
    for (const answer of both) await expect(answer).rejects.toThrow('planted');
    expect([queue.inFlight, queue.waiting]).toEqual([0, 0]);
  });

  it('lets go of those whose deadline passes, or who give up, while they wait', async () => {
    const queue = createQueryQueue({ queriesInFlightMax: 1, queriesWaitingMax: 9 });
    let finish: (() => void) | undefined;
    const first = inTime((deadline) =>
      queue.run(() => new Promise<void>((resolve) => (finish = resolve)), deadline, 'refuse'),
    );
    const caller = new AbortController();
    const never = () => Promise.reject(new Error('must not run'));
    const late = withDeadline(1, undefined, (deadline) => queue.run(never, deadline, 'refuse'));
    const leaving = withDeadline(HOUR_MS, caller.signal, (deadline) => queue.run(never, deadline, 'refuse'));
    caller.abort(new ShingledError('draining', 'The service is stopping.'));
    await expect(leaving).rejects.toMatchObject({ code: 'draining' });
    await expect(late).rejects.toMatchObject({ code: 'deadline-exceeded', limit: { name: 'deadlineMs', value: 1 } });
    expect([queue.inFlight, queue.waiting]).toEqual([1, 0]);
    finish?.();
    await first;
    expect(queue.inFlight).toBe(0);
  });
});

describe('a deadline', () => {
  it('has passed by the clock even while the event loop is too busy for its timer', async () => {
    await withDeadline(50, undefined, async (deadline) => {
      expect(deadline.passed).toBe(false);
      const endsAt = performance.now() + 51;
      while (performance.now() < endsAt);
      expect(deadline.passed).toBe(true);
      await expect(deadline.race(new Promise(() => {}))).rejects.toMatchObject({ code: 'deadline-exceeded' });
    });
  });

  it('says that it passed, whatever the work says that was aborted by it', async () => {
    const fetching = (signal: AbortSignal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ShingledError('fetch-failed', ''))));
    await expect(
      withDeadline(1, undefined, (deadline) => deadline.race(fetching(deadline.signal))),
    ).rejects.toMatchObject({ code: 'deadline-exceeded' });
  });

  it('is over at once for a caller who has gone already', async () => {
    const work = withDeadline(HOUR_MS, AbortSignal.abort(), (deadline) => deadline.race(new Promise(() => {})));
    await expect(work).rejects.toMatchObject({ code: 'deadline-exceeded' });
  });
});

describe('turns', () => {
  it('keep the work of one iteration of the event loop bounded, however many work', async () => {
    const turns = createTurns(2);
    const workMs: number[] = [];
    let inIteration = 0;
    let working = true;
    const count = () => {
      workMs.push(inIteration);
      inIteration = 0;
      if (working) setImmediate(count);
    };
    setImmediate(count);
    const done: number[] = [];
    const worker = async (name: number) => {
      for (let step = 0; step < 20; step++) {
        if (turns.spent()) await turns.next();
        const endsAt = performance.now() + 0.5;
        while (performance.now() < endsAt);
        inIteration += 0.5;
      }
      done.push(name);
    };
    await Promise.all(Array.from({ length: 16 }, (_, name) => worker(name)));
    working = false;
    await turnOfTheLoop();
    expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, name) => name));
    // a step begins while the slice is not spent, so an iteration may do one step more than the slice holds
    expect(Math.max(...workMs)).toBeLessThanOrEqual(3);
  });
});
