import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newTickets, takenOf, tickets } from '../../../src/cluster/pairs/tickets.ts';
import { watched } from '../../../src/cluster/pairs/watched.ts';
import type { ClusterProgress } from '../../../src/cluster/port.ts';
import { createWaiter } from '../../../src/sharing/waiting.ts';

describe('work that is watched', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is told by the parts that were taken, until it ends or fails', async () => {
    const next = newTickets();
    const told: ClusterProgress[] = [];
    const { promise, resolve } = createWaiter<string>();
    const state = () => ({ phase: 'lists', done: takenOf(next, 3), of: 3 }) as const;
    const result = watched(promise, (one) => told.push(one), state);
    const parts = tickets(next, 3);
    parts.next();
    vi.advanceTimersByTime(300);
    for (const _ of parts);
    vi.advanceTimersByTime(300);
    resolve('done');
    expect(await result).toBe('done');
    vi.advanceTimersByTime(1000);
    expect(told.map(({ done }) => done)).toEqual([1, 3]);
    await expect(watched(Promise.reject(new Error('failed')), () => undefined, state)).rejects.toThrow('failed');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has no clock where nobody is told', async () => {
    const { promise, resolve } = createWaiter<number>();
    const result = watched(promise, undefined, () => expect.fail('nobody asks'));
    expect(vi.getTimerCount()).toBe(0);
    resolve(1);
    expect(await result).toBe(1);
  });
});
