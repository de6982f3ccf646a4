import { describe, expect, it } from 'vitest';
import { obtainAndAnswer } from '../../../src/service/document/obtain.ts';

const HOUR_MS = 3_600_000;

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
