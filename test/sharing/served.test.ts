import { beforeEach, describe, expect, it } from 'vitest';
import { forAll, ownTurn, resumed, serving } from '../../src/sharing/served.ts';
import { EventLoop } from '../../src/sharing/turns.ts';

/* Time is what work says that it takes, as in turns.test.ts. */

let nowMs = 0;
let loop: EventLoop;
beforeEach(() => {
  loop = new EventLoop(4, { now: () => nowMs, worked: () => nowMs });
  for (const caller of ['a', 'b']) loop.enter(caller);
});
const burn = (ms: number) => {
  nowMs += ms;
};
const as = <T>(caller: string, work: () => T) => serving(loop.servedOf(caller), work);
/** Something that is waited for outside of the event loop: rows from the disk. */
const rows = () => new Promise<void>((resolve) => void setImmediate(resolve));
/** How much more than the other one a caller has had, beyond a slice: so much the other one is given to be even. */
async function leadOf(caller: string): Promise<number> {
  for (let lead = 0; ; lead++) {
    await loop.next(caller);
    await loop.next(caller === 'a' ? 'b' : 'a');
    if (loop.isFreeFor(caller)) return lead;
    burn(1);
  }
}

/** Reads rows again and again and computes so long each time that they are there, in no turn. */
async function scan(times: number, ms: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await rows();
    resumed();
    burn(ms / 2);
    await undefined;
    burn(ms / 2);
  }
}

describe('what runs when I/O is done', () => {
  it('is charged to whom it serves, and to nobody else', async () => {
    await as('a', () => scan(10, 5));
    expect(await leadOf('a')).toBeGreaterThan(40);
    expect(await leadOf('b')).toBeLessThan(5);
  });

  it('is charged with what made it', async () => {
    await as('a', async () => {
      for (let i = 0; i < 10; i++) {
        // rows become values before anybody is called
        await new Promise<void>((resolve) => {
          setImmediate(() => {
            burn(5);
            resolve();
          });
        });
        resumed();
      }
    });
    expect(await leadOf('a')).toBeGreaterThan(40);
  });

  it('is charged to each of several that go on at the same moment', async () => {
    await Promise.all([as('a', () => scan(20, 1)), as('b', () => scan(20, 3))]);
    const lead = await leadOf('b');
    expect(lead).toBeGreaterThan(30);
    expect(lead).toBeLessThan(41);
  });

  it('is charged once where it goes on in a turn, and to nobody where it is for all', async () => {
    await as('a', async () => {
      await rows();
      resumed();
      burn(20);
      await ownTurn();
      resumed();
      burn(20);
    });
    const once = await leadOf('a');
    expect(once).toBeGreaterThan(30);
    expect(once).toBeLessThan(41);
    await as('a', () => forAll(() => scan(10, 5)));
    expect(await leadOf('a')).toBe(0);
    expect(forAll(ownTurn)).toBeUndefined();
  });

  it('charges what runs afterwards to nobody', async () => {
    await as('a', async () => {
      await rows();
      resumed();
      burn(1);
    });
    await rows();
    burn(50);
    expect(await leadOf('a')).toBeLessThan(3);
  });

  it('keeps one who asks little before one who reads without end', async () => {
    let stopped = false;
    const hogs = Array.from({ length: 16 }, () =>
      as('a', async () => {
        while (!stopped) {
          await ownTurn();
          await scan(1, 3);
        }
      }),
    );
    const waits: number[] = [];
    for (let i = 0; i < 40; i++) {
      const asked = nowMs;
      await as('b', async () => {
        await ownTurn();
        burn(1);
        await scan(1, 1);
      });
      waits.push(nowMs - asked);
    }
    stopped = true;
    await Promise.all(hogs);
    // once all reads of the hog that were begun before have ended
    expect(waits.slice(20).reduce((sum, wait) => sum + wait)).toBeLessThan(20 * 20);
  });
});
