import { describe, expect, it } from 'vitest';
import { BesideTurns } from '../../src/sharing/beside-turns.ts';

/** Tenths of a second, of each so many things, ms in turns and ms idle. */
function thingMsAfter(
  windows: number,
  { things, turnsMs, idle }: { things: number; turnsMs: number; idle: number },
): number {
  const beside = new BesideTurns();
  for (let window = 0; window <= windows; window++) {
    beside.refresh(window * 100, () => window * idle);
    beside.addThings(things);
    beside.addTurn(turnsMs);
  }
  return beside.thingMs;
}

describe('what is done outside of turns', () => {
  it('is charged to each thing in equal parts, idle time and turns apart', () => {
    expect(thingMsAfter(60, { things: 50, turnsMs: 30, idle: 20 })).toBeCloseTo(1, 2);
    expect(thingMsAfter(60, { things: 10, turnsMs: 100, idle: 0 })).toBeCloseTo(0, 2);
  });

  it('is believed by and by, and never to be more than a ms a thing', () => {
    expect(thingMsAfter(1, { things: 50, turnsMs: 30, idle: 20 })).toBeLessThan(0.5);
    expect(thingMsAfter(60, { things: 1, turnsMs: 0, idle: 0 })).toBeCloseTo(1, 2);
  });

  it('says nothing where nothing was asked for', () => {
    expect(thingMsAfter(60, { things: 0, turnsMs: 0, idle: 0 })).toBe(0.1);
  });
});
