import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Answered } from '../../src/queries/port.ts';
import { QueryThreads } from '../../src/queries/query-threads.ts';
import { Deadline } from '../../src/sharing/deadline.ts';

const FILE = new URL('../support/queries/test.worker.ts', import.meta.url);

async function started(count: number) {
  const ended: string[] = [];
  const worked: [string, number][] = [];
  let questions = 0;
  const loop = { isFree: false };
  const threads = new QueryThreads({
    ...{ count, file: FILE, workerData: () => ({}), memoryMb: 64, youngMemoryMb: 8 },
    beforeQuestion: () => questions++,
    isFree: () => loop.isFree,
    onWorked: (caller, ms) => worked.push([caller, ms]),
    onEnded: (why) => ended.push(why),
  });
  onTestFinished(() => threads.close());
  await threads.whenReady();
  const ask = (asked: string, ms = 10_000, caller = 'a') => {
    const deadline = new Deadline(ms);
    const timer = setTimeout(() => deadline.end(), ms);
    const answer = threads.ask({ kind: 'similar', asked, about: [], body: null }, { caller, deadline });
    return Promise.resolve(answer).finally(() => clearTimeout(timer)) as Promise<Answered | null>;
  };
  return { threads, loop, ask, ended, worked, questions: () => questions };
}

describe('query threads', () => {
  it('answer, or say nothing, and whoever asks is told before what is new', async () => {
    const { threads, ask, worked, questions } = await started(2);
    const asked = Array.from({ length: 20 }, (_, i) => `{"i":${i}}`);
    const answers = await Promise.all(asked.map((one) => ask(one)));
    expect(answers.map((answer) => answer?.json)).toEqual(asked);
    expect(await ask('nothing')).toBeNull();
    expect(questions()).toBe(21);
    // for each as long as the thread says, whoever is answered
    const said = Array.from({ length: 21 }, () => [
      ['a', 1],
      ['large', 40],
    ]);
    expect(worked).toEqual(said.flat());
    threads.tell({ news: 1 });
    for (let i = 0; i < 4; i++) expect((await ask('told'))?.json).toBe('[{"news":1}]');
    expect(threads.load.map(({ inHand }) => inHand)).toEqual([0, 0]);
    expect(threads.load.reduce((sum, { answered }) => sum + answered, 0)).toBe(24);
    expect(threads.load.reduce((sum, { givenBack }) => sum + givenBack, 0)).toBe(1);
  });

  it('that others keep busy leave a question to the event loop while that is free', async () => {
    const { loop, ask } = await started(1);
    const others = Array.from({ length: 10 }, () => ask('wait', 1000, 'others').catch(() => null));
    expect((await ask('while the loop is busy'))?.json).toBe('while the loop is busy');
    loop.isFree = true;
    expect(await ask('while it is free')).toBeNull();
    // those who keep it busy wait for themselves
    expect((await ask('one more', 1000, 'others'))?.json).toBe('one more');
    await Promise.all(others);
  });

  it('that end give back what they have in hand, and are replaced', async () => {
    const { threads, ask, ended } = await started(2);
    expect((await ask('before'))?.json).toBe('before');
    const waiting = [ask('wait'), ask('wait'), ask('wait'), ask('throw')];
    // those of the thread that ended are given back; the others wait on
    expect(await waiting[3]).toBeNull();
    await threads.whenReady();
    expect(ended).toEqual([expect.stringContaining('as it was asked')]);
    expect(threads.ready).toBe(2);
    expect((await ask('after'))?.json).toBe('after');
    await threads.suspend();
    expect(await Promise.all(waiting)).toEqual([null, null, null, null]);
  });

  it('that hang are ended a while after the deadline, which is told in time', async () => {
    const { threads, ask, ended } = await started(1);
    await ask('before');
    await expect(ask('hang', 200)).rejects.toMatchObject({ code: 'deadline-exceeded' });
    // it was told when the time was over, not when the thread was ended
    expect(ended).toEqual([]);
    // nobody else is kept by it
    const behind = ask('behind', 20_000);
    expect(await behind).toBeNull();
    await vi.waitUntil(() => ended.length === 1 && threads.ready === 1, { timeout: 10_000 });
    expect((await ask('after'))?.json).toBe('after');
  });

  it('have no handle while they are suspended, and begin again', async () => {
    const { threads, ask } = await started(2);
    await threads.suspend();
    expect(threads.ready).toBe(0);
    expect(await ask('asked')).toBeNull();
    threads.resume();
    await threads.whenReady();
    expect((await ask('asked'))?.json).toBe('asked');
    await threads.close();
    threads.resume();
    expect(threads.ready).toBe(0);
  });
});
