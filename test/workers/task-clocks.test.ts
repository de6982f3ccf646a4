import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TaskClocks } from '../../src/workers/document-workers.ts';

/** A task that notes when it was ended. */
function task() {
  const started = new Int32Array(new SharedArrayBuffer(4));
  const endedAt: number[] = [];
  return { started, endedAt, end: () => endedAt.push(performance.now() - startedAt) };
}

let startedAt = 0;
beforeEach(() => {
  vi.useFakeTimers();
  startedAt = performance.now();
});
afterEach(() => vi.useRealTimers());

describe('the clock of a task', () => {
  it.each([0, 1, 333, 5000])('runs from when its worker has begun, here after %i ms', (begunAfterMs) => {
    const clocks = new TaskClocks(1000);
    const one = task();
    clocks.add(one);
    vi.advanceTimersByTime(begunAfterMs);
    one.started[0] = 1;
    vi.advanceTimersByTime(999);
    expect(one.endedAt).toEqual([]);
    vi.advanceTimersByTime(101);
    expect(one.endedAt.length).toBe(1);
    expect(one.endedAt[0]).toBeGreaterThanOrEqual(begunAfterMs + 1000);
    clocks.delete(one);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('begins again where the worker has stopped it', () => {
    const clocks = new TaskClocks(1000);
    const one = task();
    clocks.add(one);
    one.started[0] = 1;
    vi.advanceTimersByTime(900);
    one.started[0] = 0;
    vi.advanceTimersByTime(5000);
    one.started[0] = 1;
    vi.advanceTimersByTime(999);
    expect(one.endedAt).toEqual([]);
    vi.advanceTimersByTime(101);
    expect(one.endedAt.length).toBe(1);
  });

  it('is its own, and stops with it', () => {
    const clocks = new TaskClocks(1000);
    const [waiting, done, late] = [task(), task(), task()];
    for (const one of [waiting, done, late]) clocks.add(one);
    done.started[0] = 1;
    late.started[0] = 1;
    vi.advanceTimersByTime(900);
    clocks.delete(done);
    vi.advanceTimersByTime(900);
    expect([waiting, done, late].map(({ endedAt }) => endedAt.length > 0)).toEqual([false, false, true]);
    expect(vi.getTimerCount()).toBe(1);
    clocks.delete(late);
    clocks.delete(waiting);
    expect(vi.getTimerCount()).toBe(0);
  });
});
