import { describe, expect, it } from 'vitest';
import { SharedTime } from '../../../src/cluster/served/shared-time.ts';

/** Time that passes by 4 ms a step of any question. */
function createShared() {
  let now = 0;
  let id = 0;
  const time = new SharedTime<string>(() => now);
  const add = (caller: string, steps: number, answer = caller) => {
    const question = id++;
    time.add({
      ...{ id: question, caller },
      *begin() {
        for (let i = 1; i < steps; i++) {
          now += 4;
          yield;
        }
        now += 4;
        return answer;
      },
    });
    return question;
  };
  /** What each slice was for, answers with their value. */
  const slices = (most = 100) => {
    const all: string[] = [];
    for (let slice = time.work(); slice !== null && all.length < most; slice = time.work()) {
      const { caller, result } = slice;
      all.push(result === null ? caller : 'value' in result ? `${result.value}!` : String(result.fault));
    }
    return all;
  };
  return { time, add, slices };
}

describe('a thread that is shared', () => {
  it('answers a small question beside a large one after a slice of that', () => {
    const { time, add, slices } = createShared();
    add('a', 10);
    expect(time.work()).toMatchObject({ caller: 'a', ms: 12, result: null });
    add('b', 1);
    add('c', 1);
    expect(slices()).toEqual(['b!', 'c!', 'a', 'a', 'a!']);
  });

  it('gives callers with large questions as much as one another, however many they ask', () => {
    const { add, slices } = createShared();
    for (let i = 0; i < 3; i++) add('a', 6);
    add('b', 12);
    const callers = slices().map((slice) => slice[0]);
    for (const count of [2, 4, 6, 8]) {
      expect(callers.slice(0, count).filter((caller) => caller === 'a')).toHaveLength(count / 2);
    }
  });

  it('answers the questions of one caller in their order', () => {
    const { add, slices } = createShared();
    add('a', 5, 'first');
    add('a', 1, 'second');
    expect(slices()).toEqual(['a', 'first!', 'second!']);
  });

  it('does no more for a question that was dropped, begun or not', () => {
    const { time, add, slices } = createShared();
    const begun = add('a', 100);
    const waiting = add('a', 100);
    time.work();
    time.drop(begun);
    time.drop(waiting);
    time.drop(waiting);
    expect(time.length).toBe(0);
    add('b', 1);
    expect(slices()).toEqual(['b!']);
  });

  it('begins again what was begun', () => {
    const { time, add, slices } = createShared();
    add('a', 5);
    time.work();
    time.beginAgain();
    expect(slices()).toEqual(['a', 'a!']);
  });

  it('says what went wrong with one question, and goes on with others', () => {
    const { time, add, slices } = createShared();
    time.add({
      ...{ id: 99, caller: 'a' },
      begin: () => {
        throw new Error('torn');
      },
    });
    add('a', 1);
    expect(slices()).toEqual(['Error: torn', 'a!']);
  });
});
