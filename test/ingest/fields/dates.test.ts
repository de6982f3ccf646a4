import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeOf } from '../../../src/ingest/fields/dates.ts';

const SECOND = Date.UTC(2026, 0, 2, 3, 4, 5);
const DAY = Date.UTC(2026, 0, 2);

describe('dates', () => {
  it.each([
    ...[
      '2026-01-02T03:04:05Z',
      '2026-01-02 03:04:05',
      '2026-01-02T04:04:05+01:00',
      '2026-01-01 19:04:05-0800',
      '2026-01-02 03:04:05 UTC',
    ],
    ...[
      '20260102030405',
      '20260102T030405Z',
      SECOND / 1000,
      String(SECOND / 1000),
      SECOND,
      String(SECOND),
      SECOND * 1000,
      BigInt(SECOND) * 1_000_000n,
    ],
    ...[
      'Fri, 02 Jan 2026 03:04:05 GMT',
      'Fri, 02 Jan 2026 04:04:05 +0100',
      '2 Jan 2026 03:04:05 GMT',
      'Friday, 02-Jan-26 03:04:05 GMT',
    ],
    ...[
      'Fri Jan  2 03:04:05 2026',
      'Thu, 01 Jan 2026 22:04:05 EST',
      new Date(SECOND),
      { $date: '2026-01-02T03:04:05Z' },
      20260102030405,
    ],
    ...[
      'Fri, 02 Jan 2026 03:04:05 +0000 (UTC)',
      'Fri Jan 02 2026 04:04:05 GMT+0100 (Central European Standard Time)',
      'Fri Jan  2 03:04:05 UTC 2026',
      'January 2, 2026 3:04:05 AM',
      'Jan. 2nd, 2026 at 3:04:05 a.m. UTC',
      '2026/01/02 03:04:05',
      '2026.01.02 03:04:05',
      '2026-01-02 03:04:05 +0000',
      `${SECOND / 1000}.0`,
    ],
  ])('%o is a second', (value) => {
    expect(timeOf(value)).toBe(SECOND);
  });

  it.each(['January 2, 2026', 'Friday, 2 January 2026', '2-Jan-26', 'Jan 2 2026', '2026/01/02', '2nd Jan. 2026'])(
    '%o is a day in words',
    (value) => {
      expect(timeOf(value)).toBe(DAY);
    },
  );

  it('may be a year alone', () => {
    expect([timeOf('2026'), timeOf(2026), timeOf('1850')]).toEqual([Date.UTC(2026, 0), Date.UTC(2026, 0), null]);
  });

  it.each(['01/02/2026', '2009-65-15', 'January 32, 2026', 'Janet 2, 2026', 'Jan 2, 2026 13:00 PM', 'May', '2 May'])(
    '%o is none',
    (value) => {
      expect(timeOf(value)).toBeNull();
    },
  );

  it.each(['2026-01-02', '20260102', 20260102, '2026-01-02T00:00', '2026-01-02T00'])(
    '%o is a day, if it is one',
    (value) => {
      expect(timeOf(value)).toBe(value === '2026-01-02T00' ? null : DAY);
    },
  );

  it('have milliseconds', () => {
    expect(timeOf('2026-01-02T03:04:05.678901Z')).toBe(SECOND + 678);
    expect(timeOf(SECOND / 1000 + 0.5)).toBe(SECOND + 500);
    expect(timeOf('2026-01')).toBe(Date.UTC(2026, 0, 1));
  });

  it.each([
    ...[
      '',
      'yesterday',
      '2026-13-01',
      '2026-02-30',
      '2026-01-02T25:00:00Z',
      '1969-12-31',
      -1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      null,
    ],
    ...[
      undefined,
      true,
      {},
      [],
      new Date(Number.NaN),
      '2026-01-02T03:04:05 XYZ',
      '99999999999999999999',
      { $date: { $date: 1 } },
    ],
  ])('%o is none', (value) => {
    expect(timeOf(value)).toBeNull();
  });

  it('are read as they are printed', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(Date.UTC(1980, 0)), max: new Date(Date.UTC(2069, 0)), noInvalidDate: true }),
        (date) => {
          const ms = date.getTime();
          const seconds = Math.floor(ms / 1000) * 1000;
          expect(timeOf(date.toISOString())).toBe(ms);
          expect(timeOf(ms)).toBe(ms);
          expect(timeOf(date.toUTCString())).toBe(seconds);
          expect(timeOf(date.toISOString().replace(/\D/g, '').slice(0, 14))).toBe(seconds);
        },
      ),
    );
  });
});
