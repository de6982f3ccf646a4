import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { withDeadline } from '../../src/service/deadline.ts';

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
});
