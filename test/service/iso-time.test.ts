import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime } from '../../src/service/iso-time.ts';

it('writes times as Date does, whichever day came before', () => {
  const time = fc.oneof(
    fc.integer({ min: 0, max: 8.64e15 }),
    fc.integer({ min: 0, max: 20_000 }).map((day) => day * 86_400_000),
    fc.integer({ min: 1, max: 20_000 }).map((day) => day * 86_400_000 - 1),
  );
  fc.assert(
    fc.property(fc.array(time, { minLength: 1 }), (times) => {
      expect(times.map(isoTime)).toEqual(times.map((ms) => new Date(ms).toISOString()));
    }),
  );
});
