import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../../../src/errors.ts';
import { Outage, type OutageNews, type State } from '../../../../src/store/level/outage/outage.ts';

const short = new ShingledError('storage-full', 'Little is free.');
const torn = new Error('torn');
const turn = () => new Promise<void>((resolve) => void setTimeout(resolve, 0));

/** An outage whose recovery is done by hand: each step waits to be let go. */
function outage() {
  const calls: string[] = [];
  const news: OutageNews[] = [];
  const steps = new Map<string, PromiseWithResolvers<void>>();
  const step = (name: string) => () => {
    calls.push(name);
    const ending = Promise.withResolvers<void>();
    steps.set(name, ending);
    return ending.promise;
  };
  const made = new Outage({ retryMs: 1, onNews: (told) => news.push(told) });
  made.arm({
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
    checkRoom: step('checkRoom'),
    probe: step('probe'),
    recover: step('recover'),
  });
  /** Ends a step, once it was begun. */
  const end = async (name: string, error?: Error) => {
    while (!steps.has(name)) await turn();
    const ending = steps.get(name)!;
    steps.delete(name);
    if (error === undefined) ending.resolve();
    else ending.reject(error);
    await turn();
  };
  const until = async (state: State) => {
    while (made.now !== state) await turn();
  };
  return { made, calls, news, end, until };
}

describe('an outage', () => {
  it('of little room ends when there is enough, without opening anything anew', async () => {
    const { made, calls, end, until } = outage();
    made.short(short);
    expect([made.writable, made.stops]).toEqual([false, 1]);
    expect(() => made.check()).toThrow(short);
    await end('checkRoom', short);
    await end('checkRoom');
    await until('writing');
    expect(calls).toEqual(['pause', 'checkRoom', 'checkRoom', 'resume']);
    made.check();
    await made.end();
  });

  it('of a refused write ends when everything was opened anew, after a probe of the disk', async () => {
    const { made, calls, news, end, until } = outage();
    made.failed('clearing', torn);
    expect(() => made.check()).toThrow(expect.objectContaining({ code: 'storage-full', cause: torn }));
    await end('checkRoom');
    await end('probe', new Error('no'));
    expect(made.now).toBe('refused');
    await end('checkRoom');
    await end('probe');
    await until('recovering');
    await end('recover', new Error('not yet'));
    await until('refused');
    await end('checkRoom');
    await end('probe');
    await end('recover');
    await until('writing');
    expect(calls.filter((call) => call === 'recover')).toHaveLength(2);
    expect(calls.at(-1)).toBe('resume');
    expect(news).toMatchObject([
      { what: 'stopped', kind: 'clearing', cause: torn },
      { what: 'not recovered' },
      { what: 'not recovered' },
      { what: 'resumed' },
    ]);
    await made.end();
  });

  it('does not end where a write fails while everything is opened anew', async () => {
    const { made, calls, end, until } = outage();
    made.failed('documents', torn);
    await end('checkRoom');
    await end('probe');
    await until('recovering');
    made.failed('mark', torn);
    expect(made.now).toBe('refused');
    await end('recover');
    expect([made.now, calls.includes('resume')]).toEqual(['refused', false]);
    await end('checkRoom');
    await end('probe');
    await end('recover');
    await until('writing');
    await made.end();
  });

  it('of little room becomes one of a refused write', async () => {
    const { made, end, until } = outage();
    made.short(short);
    made.failed('segment', torn);
    expect([made.now, made.stops]).toEqual(['refused', 1]);
    await end('checkRoom');
    await end('probe');
    await end('recover');
    await until('writing');
    await made.end();
  });

  it('ends whatever waits for room, and lets the rest be', async () => {
    const { made } = outage();
    const never = made.unlessStopped(new Promise<void>(() => undefined));
    expect(await made.unlessStopped(Promise.resolve('done'))).toBe('done');
    made.failed('documents', torn);
    await expect(never).rejects.toMatchObject({ code: 'storage-full' });
    await expect(made.unlessStopped(Promise.resolve())).rejects.toMatchObject({ code: 'storage-full' });
    await made.end();
  });

  it('is not tried again once it is to end, and waits for a try under way', async () => {
    const { made, calls, end } = outage();
    made.failed('documents', torn);
    await end('checkRoom');
    let ended = false;
    const ending = made.end().then(() => {
      ended = true;
    });
    await turn();
    expect(ended).toBe(false);
    await end('probe', new Error('no'));
    await ending;
    await turn();
    expect(calls).toEqual(['pause', 'checkRoom', 'probe']);
    made.close();
    expect(() => made.check()).toThrow(expect.objectContaining({ code: 'draining' }));
  });

  it('before there is a way back ends whoever waits, and is not tried', async () => {
    const made = new Outage({ retryMs: 1 });
    const waiting = made.unlessStopped(new Promise<void>(() => undefined));
    made.failed('segment', torn);
    await expect(waiting).rejects.toMatchObject({ code: 'storage-full', cause: torn });
  });
});
