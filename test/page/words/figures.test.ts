import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytes,
  count,
  counted,
  days,
  duration,
  intervalOf,
  mainTextOf,
  minute,
  percent,
  percentWithin,
} from '../../../src/page/words/figures.ts';

it('a main text is told as a part, as all of a document, or as not known', () => {
  expect(mainTextOf({ main: 'read', mainShingles: 1200, shingles: 1600 })).toBe(
    'Its main text is 75 % of it: 1,200 of 1,600 shingles.',
  );
  expect(mainTextOf({ main: 'whole', mainShingles: 9, shingles: 9 })).toBe('All of it counts as its main text.');
  expect(mainTextOf({ main: 'not-read', mainShingles: null, shingles: 9 })).toMatch(/is not known/);
});

describe('a share in percent', () => {
  it('is nothing or all only where it is', () => {
    expect([0, 0.001, 0.004, 0.005, 0.5, 0.994, 0.995, 0.9999, 1].map(percent)).toEqual([
      ...['0 %', '<1 %', '<1 %', '1 %', '50 %', '99 %', '>99 %', '>99 %', '100 %'],
    ]);
  });

  it('is never more than half a percent off', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        const said = percent(share);
        const number = Number(said.replace(/[<> %]/g, ''));
        if (said.startsWith('<')) expect(share).toBeLessThan(0.01);
        else if (said.startsWith('>')) expect(share).toBeGreaterThan(0.99);
        else expect(Math.abs(number - share * 100)).toBeLessThanOrEqual(0.5 + 1e-9);
      }),
    );
  });

  it('has its interval where that shows', () => {
    expect(percentWithin({ at: 0.64, low: 0.6, high: 0.681 })).toBe('64 % (60 to 68 %)');
    expect(percentWithin({ at: 0.64, low: 0.6399, high: 0.6401 })).toBe('64 %');
    expect(percentWithin({ at: 0.01, low: 0, high: 0.02 })).toBe('1 % (0 to 2 %)');
    expect(intervalOf({ exact: 0.25 })).toEqual({ at: 0.25, low: 0.25, high: 0.25 });
    expect(intervalOf({ estimate: 0.5, low: 0.4, high: 0.6 })).toEqual({ at: 0.5, low: 0.4, high: 0.6 });
  });
});

describe('numbers', () => {
  it('have commas', () => {
    expect([0, 7, 999, 1000, 1234567].map(count)).toEqual(['0', '7', '999', '1,000', '1,234,567']);
    expect([counted(1, 'match', 'matches'), counted(2, 'match', 'matches'), counted(0, 'word')]).toEqual([
      ...['1 match', '2 matches', '0 words'],
    ]);
  });

  it('of bytes have a unit that fits', () => {
    expect([0, 512, 1024, 1536, 10_240, 1_048_575, 1_073_741_824].map(bytes)).toEqual([
      ...['0 bytes', '512 bytes', '1.0 KiB', '1.5 KiB', '10 KiB', '1.0 MiB', '1.0 GiB'],
    ]);
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 50 }), (size) => {
        expect(bytes(size)).toMatch(/^(\d\.\d|\d{1,4}) (bytes|[KMGT]iB)$/);
      }),
    );
  });

  it('of seconds, too', () => {
    expect([0, 119, 120, 7199, 7200, 172_799, 172_800].map(duration)).toEqual([
      ...['0 s', '119 s', '2 min', '120 min', '2 h', '48 h', '2 days'],
    ]);
  });
});

it('times are days and minutes of UTC', () => {
  const [first, last] = ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z'] as const;
  expect([minute(first), days(first, first), days(first, last)]).toEqual([
    ...['2026-01-31 23:59', '2026-01-31', '2026-01-31 to 2026-02-01'],
  ]);
});
