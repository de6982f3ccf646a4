import { describe, expect, it } from 'vitest';
import { LoopTime } from '../../src/sharing/loop-time.ts';

const NOBODY = () => false;

describe('the time of the event loop', () => {
  it('is the same for whoever comes anew as for the one at work who has had least', () => {
    const time = new LoopTime();
    for (const caller of ['a', 'b']) time.enter(caller, 0);
    time.charge('a', 100, 0);
    time.charge('b', 130, 0);
    time.refresh(1, NOBODY);
    expect(time.leadOf('a')).toBe(0);
    expect(time.leadOf('b')).toBe(30);
    time.enter('c', 2);
    expect(time.leadOf('c')).toBe(0);
    expect(time.of('c')).toBe(time.of('a'));
  });

  it('is kept account of while a request is in hand, or waits, not for who does nothing for a while', () => {
    const time = new LoopTime();
    time.enter('hog', 0);
    time.enter('slow body', 0);
    // waits for a turn without a request: a piece of upkeep
    time.charge('upkeep', 0, 0);
    time.charge('hog', 40, 0);
    time.refresh(1, (caller) => caller === 'upkeep');
    expect(time.leadOf('hog')).toBe(40);
    time.charge('hog', 0, 200);
    time.refresh(240, NOBODY);
    // upkeep has ended, the body may still come
    expect(time.leadOf('hog')).toBe(40);
    time.charge('hog', 0, 300);
    time.refresh(300, NOBODY);
    expect(time.leadOf('hog')).toBe(0);
    expect(time.of('slow body')).toBe(time.of('hog'));
  });

  it('counts for nobody once all his requests are answered and a while is over', () => {
    const time = new LoopTime();
    for (const caller of ['a', 'b']) time.enter(caller, 0);
    time.charge('a', 10, 0);
    time.charge('b', 60, 0);
    time.refresh(0, NOBODY);
    time.leave('b');
    // not at once: a caller could send his requests one after the other
    time.charge('a', 1, 100);
    time.refresh(100, NOBODY);
    expect(time.leadOf('b')).toBe(49);
    time.charge('a', 1, 300);
    time.refresh(300, NOBODY);
    expect(time.leadOf('b')).toBe(0);
  });

  it('is the larger of a part of the loop and a part of all cores', () => {
    const time = new LoopTime(4);
    for (const caller of ['loop', 'threads', 'both', 'idle']) {
      time.enter(caller, 0);
      time.charge(caller, 0, 0);
    }
    time.charge('loop', 40, 0);
    time.chargeBeside('threads', 40, 0);
    time.charge('both', 20, 0);
    time.chargeBeside('both', 40, 0);
    time.refresh(1, NOBODY);
    const leads = ['loop', 'threads', 'both'].map((caller) => time.leadOf(caller));
    expect(leads).toEqual([40, 10, 20]);
    time.chargeBeside('both', 60, 0);
    expect(time.leadOf('both')).toBe(30);
  });

  it('makes nobody wait for ever who had it while nobody else wanted it', () => {
    const time = new LoopTime();
    for (const caller of ['a', 'b']) time.enter(caller, 0);
    for (let now = 0; now < 5000; now += 10) {
      time.charge('a', 10, now);
      time.charge('b', 0, now);
      time.refresh(now, NOBODY);
    }
    expect(time.leadOf('a')).toBe(250);
  });
});
