import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { withDeadline } from '../../src/sharing/deadline.ts';

const HOUR_MS = 3_600_000;

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

  it('ends by its time or with whoever asked, for a reason that is always typed', async () => {
    const late = () => new ShingledError('fetch-timeout', 'The server took too long.');
    const reasonOf = (ms: number, callers: AbortSignal[]) =>
      withDeadline(
        ms,
        callers,
        async ({ signal }) => {
          await sleep(10_000, undefined, { signal }).catch(() => {});
          return signal.reason as unknown;
        },
        late,
      );
    expect(await reasonOf(5, [])).toMatchObject({ code: 'fetch-timeout' });
    const stopping = AbortSignal.abort(new ShingledError('draining', 'Stopping.'));
    expect(await reasonOf(10_000, [new AbortController().signal, stopping])).toMatchObject({ code: 'draining' });
    expect(await reasonOf(10_000, [AbortSignal.abort('a string')])).toMatchObject({ code: 'deadline-exceeded' });
  });

  it('leaves nothing behind once the work is done', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const caller = new AbortController();
    const signal = await withDeadline(1, caller.signal, (deadline) => Promise.resolve(deadline.signal));
    vi.advanceTimersByTime(10);
    caller.abort();
    expect(signal.aborted).toBe(false);
  });

  it('cuts short work that does not end, and passes on work that does', async () => {
    const late = () => new ShingledError('fetch-timeout', 'The server took too long.');
    const work = withDeadline(
      5,
      undefined,
      async (deadline) => {
        expect(await deadline.race(Promise.resolve(1))).toBe(1);
        await expect(deadline.race(new Promise(() => {}))).rejects.toMatchObject({ code: 'fetch-timeout' });
        await expect(deadline.race(Promise.resolve(1))).rejects.toMatchObject({ code: 'fetch-timeout' });
        await expect(deadline.race(Promise.reject(new Error('unheard')))).rejects.toMatchObject({
          code: 'fetch-timeout',
        });
        return 'done';
      },
      late,
    );
    expect(await work).toBe('done');
  });
});
