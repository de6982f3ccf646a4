import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createShutdown } from '../src/shutdown.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A shutdown whose drain ends when the test says so. */
function shutdownUnderTest() {
  const drained = Promise.withResolvers<void>();
  const drain = vi.fn(() => drained.promise);
  const exit = vi.fn();
  const fatal = vi.fn();
  const log = { info: vi.fn(), fatal };
  const shutdown = createShutdown({ drain, timeoutMs: 20_000, exit, now: () => Date.now(), log });
  return { shutdown, drained, drain, exit, fatal };
}

describe('stopping', () => {
  it('drains once, and exits 0 when all is done', async () => {
    const { shutdown, drained, drain, exit } = shutdownUnderTest();
    shutdown.onSignal('SIGTERM');
    await vi.advanceTimersByTimeAsync(500);
    expect(exit).not.toHaveBeenCalled();
    drained.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(drain).toHaveBeenCalledTimes(1);
    expect(exit.mock.calls).toEqual([[0]]);
  });

  it('takes a second signal within a second for the same key press', async () => {
    const { shutdown, drained, drain, exit } = shutdownUnderTest();
    shutdown.onSignal('SIGINT');
    await vi.advanceTimersByTimeAsync(999);
    shutdown.onSignal('SIGINT');
    expect(exit).not.toHaveBeenCalled();
    drained.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(drain).toHaveBeenCalledTimes(1);
    expect(exit.mock.calls).toEqual([[0]]);
  });

  it('stops at once on a later signal, and says so', async () => {
    const { shutdown, exit, fatal } = shutdownUnderTest();
    shutdown.onSignal('SIGINT');
    await vi.advanceTimersByTimeAsync(1000);
    shutdown.onSignal('SIGINT');
    expect(exit.mock.calls).toEqual([[1]]);
    expect(fatal).toHaveBeenCalledTimes(1);
  });

  it('does not wait for ever for a drain that hangs', async () => {
    const { shutdown, exit } = shutdownUnderTest();
    shutdown.onSignal('SIGTERM');
    await vi.advanceTimersByTimeAsync(24_999);
    expect(exit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(exit.mock.calls).toEqual([[1]]);
  });

  it('exits 1 where draining fails, with the reason in the log', async () => {
    const { shutdown, drained, exit, fatal } = shutdownUnderTest();
    const reason = new Error('the disk is gone');
    shutdown.onSignal('SIGTERM');
    drained.reject(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(exit.mock.calls).toEqual([[1]]);
    expect(fatal.mock.calls[0]![0]).toEqual({ err: reason });
  });

  it('exits 1 on a fault that nobody caught', () => {
    const { shutdown, drain, exit, fatal } = shutdownUnderTest();
    const fault = new Error('never expected');
    shutdown.onFault(fault, 'uncaughtException');
    expect(exit.mock.calls).toEqual([[1]]);
    expect(drain).not.toHaveBeenCalled();
    expect(fatal.mock.calls[0]![0]).toEqual({ err: fault, origin: 'uncaughtException' });
  });
});
