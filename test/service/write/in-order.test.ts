import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answersInOrder } from '../../../src/service/write/in-order.ts';

async function* from<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) {
    await null;
    yield item;
  }
}

describe('answers in order', () => {
  it('come in the order of the lines, at most so many at work', async () => {
    const delays = fc.array(fc.nat({ max: 3 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(delays, fc.integer({ min: 1, max: 5 }), async (waits, inFlightMax) => {
        let working = 0;
        let most = 0;
        const work = async (turns: number) => {
          most = Math.max(most, ++working);
          for (let waited = 0; waited < turns; waited++) await turn();
          working--;
          return turns;
        };
        expect(await Array.fromAsync(answersInOrder(from(waits), { linesMax: inFlightMax }, work))).toEqual(waits);
        expect(most).toBeLessThanOrEqual(inFlightMax);
      }),
      { seed: 3, numRuns: 50 },
    );
  });

  it('are of no more bytes at work than there is room for, but for the last line', async () => {
    const sizes = fc.array(fc.nat({ max: 20 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 30 }), async (lines, bytesMax) => {
        let working = 0;
        const before: number[] = [];
        const work = async (bytes: number) => {
          before.push(working);
          working += bytes;
          await null;
          if (bytes % 3 === 0) await turn();
          working -= bytes;
          return bytes;
        };
        const room = { linesMax: 100, bytesMax, bytesOf: (bytes: number) => bytes };
        expect(await Array.fromAsync(answersInOrder(from(lines), room, work))).toEqual(lines);
        expect(Math.max(0, ...before)).toBeLessThan(bytesMax);
      }),
      { seed: 4, numRuns: 50 },
    );
  });

  it('leave before the next line is there', async () => {
    let send: ((line: string) => void) | undefined;
    async function* conversation() {
      yield 'first';
      yield await new Promise<string>((resolve) => (send = resolve));
    }
    const answers = answersInOrder(conversation(), { linesMax: 10 }, async (line) => line.toUpperCase());
    expect(await answers.next()).toEqual({ done: false, value: 'FIRST' });
    const second = answers.next();
    send?.('second');
    expect(await second).toEqual({ done: false, value: 'SECOND' });
    expect((await answers.next()).done).toBe(true);
  });

  it('are all given before the error that ended the lines', async () => {
    async function* broken() {
      yield 1;
      yield 2;
      throw new Error('cut off');
    }
    const given: number[] = [];
    const reading = (async () => {
      for await (const answer of answersInOrder(broken(), { linesMax: 10 }, async (line) => {
        await turn();
        return line;
      })) {
        given.push(answer);
      }
    })();
    await expect(reading).rejects.toThrow('cut off');
    expect(given).toEqual([1, 2]);
  });

  it('end the lines when nobody wants more of them', async () => {
    let ended = false;
    async function* endless() {
      try {
        for (let line = 0; ; line++) {
          await null;
          yield line;
        }
      } finally {
        ended = true;
      }
    }
    for await (const answer of answersInOrder(endless(), { linesMax: 3 }, async (line) => line))
      if (answer === 5) break;
    await turn();
    expect(ended).toBe(true);
  });
});
