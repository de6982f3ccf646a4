import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ValueHolders } from '../../../../src/core/cluster/grow/value-holders.ts';
import { NARROW_BITS_MIN } from '../../../../src/core/sketch/narrow.ts';

/** Values of a document: some that many have, some of its own, and some twice. */
const documents = (most: number) =>
  fc.array(fc.array(fc.oneof(fc.nat(30), fc.integer({ min: 0, max: 2 ** 34 })), { maxLength: 40 }), {
    minLength: 1,
    maxLength: most,
  });

const MASK = 2 ** NARROW_BITS_MIN;

/** How many values of the other have a key that one has. */
function sharedBy(one: readonly number[], other: readonly number[]): number {
  const keys = new Set(one.map((value) => value % MASK));
  return other.filter((value) => keys.has(value % MASK)).length;
}

function check(all: readonly (readonly number[])[], askAlways: boolean): void {
  const holders = new ValueHolders();
  const counts = new Uint32Array(all.length);
  const met = new Uint32Array(all.length);
  for (const [number, values] of all.entries()) {
    holders.add({ modulus: 1, bits: 40, values: Float64Array.from(values) });
    if (!askAlways && number < all.length - 3) continue;
    counts.fill(0);
    const found = holders.count(number, counts, met);
    const expected = all.slice(0, number + 1).map((other) => sharedBy(values, other));
    expect([...counts.subarray(0, number + 1)]).toEqual(expected);
    const sharing = expected.flatMap((count, other) => (count > 0 ? [other] : []));
    expect([...met.subarray(0, found)].sort((a, b) => a - b)).toEqual(sharing);
  }
}

it('counts what each of any documents shares with one, while they are added', () => {
  fc.assert(
    fc.property(documents(30), (all) => check(all, true)),
    { numRuns: 60 },
  );
});

it('counts the same where hundreds of documents have a value, and where some have it twice', () => {
  fc.assert(
    fc.property(documents(12), fc.integer({ min: 64, max: 400 }), fc.nat(7), (kinds, size, twiceEach) => {
      const all = Array.from({ length: size }, (_, i) => {
        const values = [...kinds[i % kinds.length]!, 2 ** 15 + 5];
        return i % 8 === twiceEach ? [...values, 2 ** 15 + 5] : values;
      });
      check(all, false);
    }),
    { numRuns: 25 },
  );
});

it('adds a document of a million values in steps, and looks each of its keys up once', () => {
  const holders = new ValueHolders();
  const values = Float64Array.from({ length: 2 ** 18 }, (_, i) => i * 4);
  const large = { modulus: 4, bits: 40, values };
  let yields = 0;
  for (const _ of holders.addSteps(large)) yields++;
  expect(yields).toBeGreaterThanOrEqual(3);
  holders.add({ modulus: 1, bits: 40, values: Float64Array.of(1, 4, 8) });
  const [counts, met] = [new Uint32Array(2), new Uint32Array(2)];
  expect(holders.count(0, counts, met)).toBe(2);
  // each key of the large one is there sixteen times: by pairs there would be as many again for each
  expect([...counts]).toEqual([values.length, 2]);
});
