import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExpiringMap } from '../../src/fetch/expiring-map.ts';

describe('an expiring map', () => {
  it('holds what was set last, until it expires', () => {
    const map = new ExpiringMap<string>(10);
    map.set('a', 'first', 100);
    map.set('a', 'second', 200);
    expect(map.get('a', 199)?.value).toBe('second');
    expect(map.get('a', 200)).toBeNull();
    expect(map.size).toBe(0);
    expect(map.get('b', 0)).toBeNull();
  });

  it('forgets what was set longest ago beyond its number of entries', () => {
    const map = new ExpiringMap<number>(2);
    for (const key of ['a', 'b', 'a', 'c']) map.set(key, 1, 100);
    expect(['a', 'b', 'c'].map((key) => map.get(key, 0) !== null)).toEqual([true, false, true]);
  });

  it('forgets beyond its weight, also what alone is too heavy', () => {
    const map = new ExpiringMap<number>(10, 100);
    map.set('a', 1, 100, 60);
    map.set('b', 1, 100, 40);
    expect(map.size).toBe(2);
    map.set('c', 1, 100, 1);
    expect([map.get('a', 0), map.size]).toEqual([null, 2]);
    map.set('d', 1, 100, 101);
    expect(map.size).toBe(0);
    map.set('e', 1, 100, 100);
    expect(map.size).toBe(1);
  });

  it('is a map as far as it remembers, and never over its limits', () => {
    const step = fc.record({
      key: fc.constantFrom(...'abcdefgh'),
      ttl: fc.integer({ min: 1, max: 20 }),
      weight: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const map = new ExpiringMap<number>(4, 20);
        const all = new Map<string, { value: number; expiresAtMs: number; weight: number }>();
        for (const [now, { key, ttl, weight }] of steps.entries()) {
          map.set(key, now, now + ttl, weight);
          all.set(key, { value: now, expiresAtMs: now + ttl, weight });
          const held = [...all.keys()].filter((each) => {
            const entry = map.get(each, now);
            if (entry !== null) expect(entry.value).toBe(all.get(each)!.value);
            if (entry !== null) expect(all.get(each)!.expiresAtMs).toBeGreaterThan(now);
            return entry !== null;
          });
          expect(held).toContain(key);
          expect(held.length).toBeLessThanOrEqual(4);
          expect(held.reduce((sum, each) => sum + all.get(each)!.weight, 0)).toBeLessThanOrEqual(20);
        }
      }),
      { seed: 4 },
    );
  });
});
