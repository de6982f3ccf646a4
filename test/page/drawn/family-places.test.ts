import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placesIn, type Standing } from '../../../src/page/drawn/family-places.ts';

const DAY_MS = 86_400_000;
const day = (date: string) => Date.parse(date);

const standing = fc.array(
  fc.record({
    host: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    timeMs: fc.oneof(fc.nat(3 * DAY_MS), fc.nat(20_000 * DAY_MS), fc.constant(7)),
  }),
  { minLength: 1, maxLength: 120 },
);

describe('the places of a family', () => {
  it('are one for each text, apart from one another, in the lane of its host, from the earliest to the latest', () => {
    fc.assert(
      fc.property(standing, fc.integer({ min: 2, max: 60 }), fc.integer({ min: 2, max: 7 }), (some, columns, most) => {
        const { lanes, places, ticks } = placesIn(some, columns, most, 5);
        expect(places).toHaveLength(some.length);
        expect(lanes.length).toBe(Math.min(most, new Set(some.map(({ host }) => host)).size));
        expect(lanes.reduce((sum, { hosts }) => sum + hosts, 0)).toBe(new Set(some.map(({ host }) => host)).size);
        const named = new Set(lanes.map(({ host }) => host));
        for (const [at, { lane, column, row }] of places.entries()) {
          const { host, rows } = lanes[lane]!;
          expect(host).toBe(named.has(some[at]!.host) ? some[at]!.host : null);
          expect([column >= 0.5, column <= columns - 0.5 + 1e-9, row >= 0.5, row <= rows - 0.5]).not.toContain(false);
          for (const [other, that] of places.entries()) {
            if (other === at || that.lane !== lane) continue;
            expect(Math.max(Math.abs(that.column - column), Math.abs(that.row - row))).toBeGreaterThan(1 - 1e-6);
            if (some[other]!.timeMs > some[at]!.timeMs) expect(that.column).toBeGreaterThan(column - 1e-9);
          }
        }
        for (const { column } of ticks) expect(column).toBeLessThan(columns);
      }),
    );
  });

  it('need no row more than there is room for', () => {
    const sameDay = Array.from({ length: 1000 }, (_, at): Standing => ({ host: 'a', timeMs: at }));
    expect(placesIn(sameDay, 80, 8, 6).lanes).toEqual([{ host: 'a', hosts: 1, rows: 19 }]);
    const eachDay = Array.from({ length: 40 }, (_, at): Standing => ({ host: 'a', timeMs: at * DAY_MS }));
    expect(placesIn(eachDay, 80, 8, 6).lanes).toEqual([{ host: 'a', hosts: 1, rows: 1 }]);
  });

  it('give the hosts that have most a lane, and the others one together', () => {
    const some = ['x', 'few', 'much', 'much', 'much', 'few', 'y'].map((host): Standing => ({ host, timeMs: 0 }));
    expect(placesIn(some, 10, 3, 6).lanes.map(({ host, hosts }) => [host, hosts])).toEqual([
      ['much', 1],
      ['few', 1],
      [null, 2],
    ]);
  });

  it('stand beside the dates that they are of, where a day on which many were seen is wider', () => {
    const some = [
      ...Array.from({ length: 30 }, () => day('2024-01-01T10:00:00Z')),
      day('2024-01-02'),
      day('2024-01-03T23:59:59Z'),
    ].map((timeMs): Standing => ({ host: 'a', timeMs }));
    const { places, ticks } = placesIn(some, 12, 8, 11);
    expect(ticks[0]).toEqual({ column: 0, words: '2024-01-01' });
    const second = ticks.find(({ words }) => words === '2024-01-02')!;
    expect(second.column).toBeGreaterThan(6);
    expect(Math.max(...places.slice(0, 30).map(({ column }) => column))).toBeLessThan(second.column);
    expect(places[30]!.column).toBeGreaterThanOrEqual(second.column);
  });

  it('are on the right side of each date that is written, where they are not crowded', () => {
    const few = fc.uniqueArray(fc.nat(19), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(few, fc.integer({ min: 1, max: 400 }), (at, stepDays) => {
        const some = at.map((step): Standing => ({ host: 'a', timeMs: (10_000.25 + step * stepDays) * DAY_MS }));
        const { places, ticks } = placesIn(some, 45, 8, 8);
        for (const { column, words } of ticks)
          for (const [nth, place] of places.entries())
            if (some[nth]!.timeMs >= day(words)) expect(place.column).toBeGreaterThan(Math.min(column, 44.5) - 1e-9);
            else expect(place.column).toBeLessThan(Math.max(column, 0.5) + 1e-9);
      }),
    );
  });

  it('are none where nobody stands', () => {
    expect(placesIn([], 10, 3, 6)).toEqual({ lanes: [], places: [], ticks: [] });
  });
});
