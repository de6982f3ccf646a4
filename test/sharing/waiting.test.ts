import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { Bell, createWaiter, Latch, Races, rest } from '../../src/sharing/waiting.ts';

const never = () => new Promise<never>(() => {});

describe('a waiter', () => {
  it('is settled by whoever serves it, and by the signal no more then', async () => {
    const controller = new AbortController();
    let gone = 0;
    const [served, refused] = [1, 2].map(() => createWaiter<string>(controller.signal, () => gone++));
    served!.resolve('a place');
    refused!.reject(new Error('too many'));
    controller.abort();
    expect(await served!.promise).toBe('a place');
    await expect(refused!.promise).rejects.toThrow('too many');
    expect(gone).toBe(0);
  });

  it('hears why the signal aborted, and is gone then', async () => {
    const controller = new AbortController();
    let gone = 0;
    const waiter = createWaiter<string>(controller.signal, () => gone++);
    controller.abort(new Error('enough'));
    waiter.resolve('too late');
    await expect(waiter.promise).rejects.toThrow('enough');
    expect(gone).toBe(1);
  });
});

describe('a bell', () => {
  it('tells all who wait, each of the next time only', async () => {
    const bell = new Bell<number>();
    bell.ring(1);
    const both = [bell.next(), bell.next()];
    bell.ring(2);
    const later = bell.next();
    bell.ring(3);
    expect(await Promise.all([...both, later])).toEqual([2, 2, 3]);
  });
});

describe('a latch', () => {
  it('is ahead until it has happened', async () => {
    const latch = new Latch();
    const ahead = latch.ahead;
    expect(ahead).not.toBeNull();
    latch.happen();
    latch.happen();
    await ahead;
    expect(latch.ahead).toBeNull();
  });
});

describe('races', () => {
  it('are won by work that ends before they are stopped', async () => {
    const races = new Races();
    const won = [races.run(Promise.resolve(1)), races.run(Promise.reject(new Error('its own')))];
    const settled = Promise.allSettled(won);
    await rest(1, { ref: true });
    races.stop(new Error('stopped'));
    expect((await settled).map((one) => ('value' in one ? one.value : (one.reason as Error).message))).toEqual([
      1,
      'its own',
    ]);
  });

  it('are lost together, and begun anew', async () => {
    const races = new Races();
    const lost = [races.run(never()), races.run(never())];
    races.stop(new Error('stopped'));
    for (const one of lost) await expect(one).rejects.toThrow('stopped');
    expect(await races.run(Promise.resolve('again'))).toBe('again');
  });
});

describe('a process', () => {
  /** What a process prints that does nothing but wait. */
  const printed = (wait: string) => {
    const module = new URL('../../src/sharing/waiting.ts', import.meta.url).href;
    const script = `import { keepingProcess, rest } from '${module}'; ${wait}.then(() => console.log('over'));`;
    return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  };

  it('is kept for what comes after a rest only where that is asked', () => {
    expect(printed('rest(20)')).toBe('');
    expect(printed('keepingProcess(rest(20))')).toBe('over\n');
  });
});
