import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONTENT_NUMBER_MAX,
  contentKey,
  contentOfCountsKey,
  contentOfHolderKey,
  countsKey,
  holderKey,
  holdersPrefix,
  numberOfContentKey,
  pastKey,
  pastSinceBefore,
  readPastKey,
  seqOfTotalsKey,
  sourceRowKey,
  sourceRowOfVersionKey,
  TIME_MAX,
  timeOfVersionKey,
  totalsKey,
  under,
  urlOfHolderKey,
  versionKey,
  versionsPrefix,
} from '../../../../src/store/level/format/keys.ts';
import { sourceKey, urlOfSourceKey } from '../../../../src/store/source-key.ts';

const SEED = 1;
const check = <T extends unknown[]>(...args: [...{ [I in keyof T]: fc.Arbitrary<T[I]> }, (...values: T) => void]) => {
  const property = args.pop() as (...values: T) => void;
  fc.assert(fc.property(...(args as unknown as [fc.Arbitrary<unknown>]), property as never), {
    seed: SEED,
    numRuns: 500,
  });
};

const content = fc.integer({ min: 0, max: CONTENT_NUMBER_MAX });
const time = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 1, TIME_MAX - 1));
const url = fc.oneof(
  fc.webUrl(),
  fc.webUrl().map((found) => `${found}${'~'.repeat(9)}`),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), minLength: 1 }),
  fc.constantFrom('http://a.example/', 'http://a.example/a', 'http://a.example/aaaaaaaa', 'urn:x', 'http://[::1]/'),
);
const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('keys', () => {
  it('follow the worked example of the grammar', () => {
    const key = holderKey(300, 'urn:x');
    expect(Buffer.from(key).toString('hex')).toBe('72' + '000000022c' + '0075726e3a78');
  });

  it('are read back as they were made', () => {
    check(time, content, url, (t: number, c: number, u: string) => {
      expect(readPastKey(pastKey(t, c, u))).toEqual({ pastSince: t, content: c, url: u });
      expect(timeOfVersionKey(versionKey(u, t))).toBe(t);
      expect(sourceRowOfVersionKey(versionKey(u, t))).toBe(sourceRowKey(u));
      expect(seqOfTotalsKey(totalsKey(t))).toBe(t);
      expect(numberOfContentKey(contentKey(c))).toBe(c);
      expect([contentOfHolderKey(holderKey(c, u)), urlOfHolderKey(holderKey(c, u))]).toEqual([c, u]);
      expect(contentOfCountsKey(countsKey(c))).toBe(c);
      expect(urlOfSourceKey(sourceKey(u))).toBe(u);
    });
  });

  it('sort sources by reversed host', () => {
    const urls = [
      'https://www.example.com/',
      'https://example.com/b',
      'http://z.org/',
      'urn:a',
      'https://example.com/a',
    ];
    const sorted = urls.map(sourceKey).sort(order).map(urlOfSourceKey);
    expect(sorted).toEqual([
      'urn:a',
      'https://example.com/a',
      'https://example.com/b',
      'https://www.example.com/',
      'http://z.org/',
    ]);
  });

  it('sort versions newest first, and expiries earliest first', () => {
    check(url, time, time, (u: string, s: number, t: number) => {
      expect(Math.sign(order(versionKey(u, s), versionKey(u, t)))).toBe(Math.sign(t - s));
      expect(Math.sign(order(pastKey(s, 9, u), pastKey(t, 9, u)))).toBe(Math.sign(s - t));
      const { gte, lt } = pastSinceBefore(s, 1);
      const key = pastKey(t, 9, u);
      expect(key >= gte && key < lt).toBe(t <= s);
    });
  });

  it('keep every list to itself: a range holds its own keys and no others', () => {
    const holds = (prefix: string, key: string) => {
      const { gte, lt } = under(prefix, 1);
      return key >= gte && key < lt && order(key, gte) >= 0 && order(key, lt) < 0;
    };
    check(url, url, time, (u: string, v: string, t: number) => {
      expect(holds(versionsPrefix(u), versionKey(v, t))).toBe(u === v);
    });
    check(content, content, url, (c: number, d: number, u: string) => {
      expect(holds(holdersPrefix(c), holderKey(d, u))).toBe(c === d);
    });
  });

  it('are ASCII, so that JavaScript orders them as LevelDB does', () => {
    check(content, url, time, (c: number, u: string, t: number) => {
      for (const key of [holderKey(c, u), versionKey(u, t), pastKey(t, c, u)]) {
        expect(Buffer.byteLength(key)).toBe(key.length);
      }
    });
  });
});
