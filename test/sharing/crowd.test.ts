import { describe, expect, it } from 'vitest';
import { Crowd } from '../../src/sharing/crowd.ts';

describe('a crowd', () => {
  it('is there for a while after two have come between whom the loop did not wait', () => {
    let now = 0;
    let idleMs = 0;
    const crowd = new Crowd({ now: () => now, idleMs: () => idleMs });
    for (let i = 0; i < 10; i++, now++, idleMs++) {
      crowd.note();
      expect(crowd.isThere).toBe(false);
    }
    crowd.note();
    crowd.note();
    expect(crowd.isThere).toBe(true);
    now += 99;
    idleMs += 99;
    crowd.note();
    expect(crowd.isThere).toBe(true);
    now += 1;
    expect(crowd.isThere).toBe(false);
  });

  it('is not there where all come by one connection', () => {
    const crowd = new Crowd({ now: () => 0, idleMs: () => 0 });
    const [one, other] = [{}, {}];
    for (let i = 0; i < 10; i++) crowd.note(one);
    expect(crowd.isThere).toBe(false);
    crowd.note(other);
    expect(crowd.isThere).toBe(true);
  });

  it('is there by the clock of the real loop', () => {
    const crowd = new Crowd();
    crowd.note({});
    expect(crowd.isThere).toBe(false);
    crowd.note({});
    expect(crowd.isThere).toBe(true);
  });
});
