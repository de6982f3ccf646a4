import { beforeEach, describe, expect, it } from 'vitest';
import { EventLoop } from '../../src/sharing/turns.ts';

/* Time is what work says that it takes: iterations of the event loop are real, milliseconds are not. */

let nowMs = 0;
let loop: EventLoop;
beforeEach(() => {
  loop = new EventLoop(4, { now: () => nowMs, worked: () => nowMs });
});
const burn = (ms: number) => {
  nowMs += ms;
};

/** A caller who does pieces of work of so many ms, `width` at a time, until he is stopped. */
function worker(caller: string, ms: number, width: number) {
  const turns = loop.turnsOf(caller);
  const worked = { ms: 0 };
  let stopped = false;
  const lane = async () => {
    while (!stopped) {
      await turns.next();
      burn(ms / 2);
      // what follows without waiting is of the same turn
      await undefined;
      burn(ms / 2);
      worked.ms += ms;
    }
  };
  const done = Promise.all(Array.from({ length: width }, lane));
  const stop = () => {
    stopped = true;
    return done;
  };
  return { worked, stop };
}

const iteration = () => new Promise((resolve) => setImmediate(resolve));
async function iterations(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await iteration();
}

describe('turns on the event loop', () => {
  it('give callers the same time, however many things they want and however dear each is', async () => {
    const workers = [worker('many', 1, 40), worker('dear', 30, 3), worker('cheap', 0.25, 4)];
    await iterations(500);
    await Promise.all(workers.map(({ stop }) => stop()));
    const [many, dear, cheap] = workers.map(({ worked }) => worked.ms) as [number, number, number];
    expect(many).toBeGreaterThan(500);
    // what is under way or still to be begun when they are stopped is some of each
    for (const other of [dear, cheap]) expect(Math.abs(other - many)).toBeLessThan(150);
  });

  it('let one who asks now and then go next', async () => {
    const hog = worker('hog', 3, 50);
    for (let i = 0; i < 50; i++) {
      await iterations(3);
      const asked = nowMs;
      await loop.next('polite');
      // the rest of a slice, and one turn that begins in it
      expect(nowMs - asked).toBeLessThanOrEqual(4 + 3);
    }
    await hog.stop();
  });

  it('leave room for I/O and timers after each slice', async () => {
    const hog = worker('hog', 1, 200);
    for (let i = 0; i < 20; i++) {
      const before = nowMs;
      await iteration();
      expect(nowMs - before).toBeLessThanOrEqual(8);
    }
    await hog.stop();
  });

  it('are several in one iteration where they are short, and one where each is long', async () => {
    const turns = loop.turnsOf('a');
    let at = 0;
    let counting = true;
    const count = () => {
      at++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const begun = (ms: number, times: number) =>
      Promise.all(
        Array.from({ length: times }, async () => {
          await turns.next();
          burn(ms);
          return at;
        }),
      );
    expect(new Set(await begun(0.25, 16)).size).toBe(1);
    expect(new Set(await begun(5, 6)).size).toBe(6);
    counting = false;
  });

  it('are spent outside of any turn, and when the slice is over', async () => {
    const turns = loop.turnsOf('a');
    expect(turns.spent()).toBe(true);
    await turns.next();
    expect(turns.spent()).toBe(false);
    burn(4);
    expect(turns.spent()).toBe(true);
    await turns.next();
    expect(turns.spent()).toBe(false);
    await iterations(2);
    expect(turns.spent()).toBe(true);
  });

  it('begin at once for the one request that is in hand', async () => {
    const turns = loop.turnsOf('a');
    loop.enter('a');
    let isSameIteration = true;
    setImmediate(() => {
      isSameIteration = false;
    });
    await turns.next();
    expect([isSameIteration, turns.spent()]).toEqual([true, false]);
    burn(4);
    // its next one leaves room for others all the same
    await turns.next();
    expect(isSameIteration).toBe(false);
    await iterations(2);
    loop.enter('b');
    isSameIteration = true;
    setImmediate(() => {
      isSameIteration = false;
    });
    await turns.next();
    expect(isSameIteration).toBe(false);
  });

  it('are not needed for a little work where nobody waits, but by one who is ahead', async () => {
    expect(loop.isFreeFor('a')).toBe(true);
    const turn = loop.next('b');
    expect(loop.isFreeFor('a')).toBe(false);
    await turn;
    expect(loop.isFreeFor('a')).toBe(true);
    loop.enter('a');
    loop.enter('b');
    loop.chargeTime('a', 2000);
    expect([loop.isFreeFor('a'), loop.isFreeFor('b')]).toEqual([false, true]);
  });

  it('are for one who is ahead where nobody else waits, and short', async () => {
    const ahead = loop.turnsOf('ahead');
    for (const caller of ['ahead', 'behind']) loop.enter(caller);
    await ahead.next();
    burn(50);
    await iterations(2);
    const order: string[] = [];
    const waiting = ahead.next().then(() => {
      order.push('ahead');
      // of a slice of 4 ms
      expect(ahead.spent()).toBe(false);
      burn(1);
      expect(ahead.spent()).toBe(true);
    });
    const others = Array.from({ length: 10 }, () =>
      loop.next('behind').then(() => {
        order.push('behind');
        burn(1);
      }),
    );
    expect(loop.isFree).toBe(false);
    await Promise.all([waiting, ...others]);
    expect(order).toEqual([...Array.from({ length: 10 }, () => 'behind'), 'ahead']);
    expect(loop.isFree).toBe(true);
    for (const caller of ['ahead', 'behind']) loop.leave(caller);
  });

  it('tell of all that each caller is charged: turns, what runs beside them, time of other threads', async () => {
    const charged = new Map<string, number>();
    loop = new EventLoop(
      4,
      { now: () => nowMs, worked: () => nowMs },
      (caller, ms) => void charged.set(caller, (charged.get(caller) ?? 0) + ms),
    );
    const work = async (caller: string, ms: number) => {
      await loop.next(caller);
      burn(ms);
    };
    await Promise.all([work('small', 1), work('large', 30), work('small', 1)]);
    await iterations(1);
    loop.servedOf('large').resumed();
    burn(5);
    await iterations(3);
    loop.chargeTime('small', 7);
    expect(Object.fromEntries(charged)).toEqual({ small: 9, large: 35 });
  });
});
