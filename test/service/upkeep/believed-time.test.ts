import { describe, expect, it } from 'vitest';
import { createBelievedTime } from '../../../src/service/upkeep/sweep.ts';

const DAY = 86_400_000;
const YEAR = 365 * DAY;

/** Both clocks in the hand of a test, and what was told. */
function started(now: number, writtenAt: number | null) {
  const clocks = { said: now, since: 17 };
  const told: number[] = [];
  const believedTime = createBelievedTime({ now: () => clocks.said, elapsed: () => clocks.since }, writtenAt, (ms) =>
    told.push(ms),
  );
  /** Both go on. */
  const pass = (ms: number) => {
    clocks.said += ms;
    clocks.since += ms;
    return believedTime();
  };
  return { clocks, told, pass };
}

describe('the time that is believed', () => {
  it('is what the clock says while that goes on as the process does, or goes back', () => {
    const { clocks, told, pass } = started(50 * YEAR, 50 * YEAR - DAY);
    for (let day = 1; day <= 400; day++) expect(pass(DAY)).toBe(50 * YEAR + day * DAY);
    clocks.said -= 300 * DAY;
    expect(pass(1000)).toBe(clocks.said);
    clocks.said += DAY - 1000;
    expect(pass(0)).toBe(clocks.said);
    expect(told).toEqual([]);
  });

  it('does not follow a clock that is set ahead before that has stood for a day, and never where it is set right', () => {
    const { clocks, told, pass } = started(50 * YEAR, null);
    clocks.said += 2 * YEAR;
    for (let hour = 1; hour < 24; hour++) expect(pass(DAY / 24)).toBe(50 * YEAR + (hour * DAY) / 24);
    expect(told).toEqual([2 * YEAR]);
    clocks.said -= 2 * YEAR;
    expect(pass(DAY)).toBe(clocks.said);
    clocks.said += YEAR;
    expect(pass(0)).toBe(clocks.said - YEAR);
    expect(told).toEqual([2 * YEAR, YEAR]);
    expect(pass(DAY - 1)).toBe(clocks.said - YEAR);
    expect(pass(1)).toBe(clocks.said);
    expect(pass(DAY)).toBe(clocks.said);
    expect(told).toHaveLength(2);
  });

  it('is near what was written last, at the start: a process of a machine whose clock was never set, or is wrong', () => {
    const ahead = started(60 * YEAR, 50 * YEAR);
    expect(ahead.pass(1000)).toBe(50 * YEAR + 1000);
    expect(ahead.pass(DAY)).toBe(ahead.clocks.said);
    const behind = started(0, 50 * YEAR);
    expect(behind.pass(1000)).toBe(1000);
    behind.clocks.said = 50 * YEAR;
    expect(behind.pass(1000)).toBe(2000);
  });
});
