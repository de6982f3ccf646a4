import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { type Deadline, withDeadline } from '../../src/sharing/deadline.ts';
import { Places } from '../../src/sharing/places.ts';

const HOUR_MS = 3_600_000;
const inTime = <T>(work: (deadline: Deadline) => Promise<T>) => withDeadline(HOUR_MS, undefined, work);
const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

/** Places, and what one of their callers asks for. */
function createPlaces(size: number, waitingMax: number) {
  const places = new Places({ size, waitingMax, refusal: () => new ShingledError('overloaded', 'Too many.') });
  const run = <T>(work: () => Promise<T>, deadline: Deadline, patient = false) =>
    places.run('somebody', { until: deadline, patient }, work);
  return { places, run };
}

describe('the places for requests', () => {
  it('hold so many of a caller at a time, in the order they came', async () => {
    const { places, run } = createPlaces(4, 3);
    const order: number[] = [];
    let running = 0;
    let most = 0;
    const work = (number: number) => async () => {
      order.push(number);
      most = Math.max(most, ++running);
      await turnOfTheLoop();
      running--;
      return number;
    };
    const answers = [0, 1, 2, 3, 4].map((number) => inTime((deadline) => run(work(number), deadline)));
    expect([places.taken, places.waiting]).toEqual([2, 3]);
    expect(await Promise.all(answers)).toEqual([0, 1, 2, 3, 4]);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(2);
    expect([places.taken, places.waiting]).toEqual([0, 0]);
  });

  it('refuse who would wait too long, but for those who bound themselves', async () => {
    const { places, run } = createPlaces(4, 3);
    const slow = Array.from({ length: 5 }, () => inTime((deadline) => run(turnOfTheLoop, deadline)));
    await expect(inTime((deadline) => run(turnOfTheLoop, deadline))).rejects.toMatchObject({ code: 'overloaded' });
    await inTime((deadline) => run(turnOfTheLoop, deadline, true));
    await Promise.all(slow);
    expect([places.taken, places.waiting]).toEqual([0, 0]);
  });

  it('are left when work fails', async () => {
    const { places, run } = createPlaces(1, 1);
    const failing = () => Promise.reject(new Error('planted'));
    const both = [failing, failing].map((query) => inTime((deadline) => run(query, deadline)));
    for (const answer of both) await expect(answer).rejects.toThrow('planted');
    expect([places.taken, places.waiting]).toEqual([0, 0]);
  });

  it('let go of those whose deadline passes, or who give up, while they wait', async () => {
    const { places, run } = createPlaces(1, 9);
    let finish: (() => void) | undefined;
    const first = inTime((deadline) => run(() => new Promise<void>((resolve) => (finish = resolve)), deadline));
    const caller = new AbortController();
    const never = () => Promise.reject(new Error('must not run'));
    const late = withDeadline(1, undefined, (deadline) => run(never, deadline));
    const leaving = withDeadline(HOUR_MS, caller.signal, (deadline) => run(never, deadline));
    caller.abort(new ShingledError('draining', 'The service is stopping.'));
    await expect(leaving).rejects.toMatchObject({ code: 'draining' });
    await expect(late).rejects.toMatchObject({ code: 'deadline-exceeded', limit: { name: 'deadlineMs', value: 1 } });
    expect([places.taken, places.waiting]).toEqual([1, 0]);
    finish?.();
    await first;
    expect(places.taken).toBe(0);
    const passed = withDeadline(HOUR_MS, AbortSignal.abort(), (deadline) => run(never, deadline));
    await expect(passed).rejects.toMatchObject({ code: 'deadline-exceeded' });
  });
});
