import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { obtainAndAnswer, withDeadline } from '../../src/service/deadline.ts';

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

describe('documents that take their time', () => {
  const patience = { obtainMs: HOUR_MS, answerMs: 20 };
  const slow = () => new Promise<string>((resolve) => setTimeout(() => resolve('a page'), 40));
  const answer = async (page: string, { passed }: { readonly passed: boolean }) =>
    `${page}, ${passed ? 'late' : 'in time'}`;

  it('leave the answer its own, where the caller named no deadline', async () => {
    expect(await obtainAndAnswer(null, patience, undefined, slow, answer)).toBe('a page, in time');
  });

  it('count where he named one, and have their own limit where not', async () => {
    const wait = (deadline: { race<T>(work: Promise<T>): Promise<T> }) => deadline.race(slow());
    const late = (value: number) => ({ code: 'deadline-exceeded', limit: { name: 'deadlineMs', value } });
    await expect(obtainAndAnswer(20, patience, undefined, wait, answer)).rejects.toMatchObject(late(20));
    const short = { obtainMs: 10, answerMs: 20 };
    await expect(obtainAndAnswer(null, short, undefined, wait, answer)).rejects.toMatchObject(late(10));
    expect(await obtainAndAnswer(HOUR_MS, short, undefined, slow, answer)).toBe('a page, in time');
  });
});
