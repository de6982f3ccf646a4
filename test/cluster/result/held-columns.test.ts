import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readColumns, writeColumns } from '../../../src/cluster/result/columns-file.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** Bytes of a number that hold this one. */
const widthOf = (greatest: number) => [1, 2, 4].find((bytes) => greatest < 2 ** (8 * bytes)) ?? 8;

describe('columns that are held otherwise than they are written', () => {
  const newPath = () => join(temporaryFolder(), 'columns');
  const word = fc.oneof(fc.nat(255), fc.nat(65_535), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  const place = fc.oneof(word, fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));

  it('have the same numbers, each as wide as the greatest needs', () => {
    const path = newPath();
    fc.assert(
      fc.property(fc.array(word), fc.array(place), (counts, places) => {
        const written = { counts: Uint32Array.from(counts), places: Float64Array.from(places) };
        const seal = writeColumns(path, written);
        const read = readColumns(path, { counts: 'count', places: 'place' }, seal);
        expect(Array.from(read.counts)).toEqual(counts);
        expect(Array.from(read.places)).toEqual(places);
        expect(read.counts.BYTES_PER_ELEMENT).toBe(widthOf(Math.max(0, ...counts)));
        expect(read.places.BYTES_PER_ELEMENT).toBe(widthOf(Math.max(0, ...places)));
      }),
    );
  });

  it.each([
    [255, 1],
    [256, 2],
    [65_535, 2],
    [65_536, 4],
    [2 ** 32 - 1, 4],
    [2 ** 32, 8],
  ])('hold %i in %i bytes', (greatest, width) => {
    const path = newPath();
    const seal = writeColumns(path, { places: Float64Array.of(1, greatest) });
    const { places } = readColumns(path, { places: 'place' }, seal);
    expect([Array.from(places), places.BYTES_PER_ELEMENT]).toEqual([[1, greatest], width]);
  });

  // a file is read a megabyte at a time
  it.each([2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1])(
    'have them where a number of the second part is the first large one',
    (at) => {
      const path = newPath();
      const counts = Uint32Array.from({ length: 300_000 }, (_, i) => (i === at ? 70_000 : i % 250));
      const dates = Float64Array.from({ length: 300_000 }, (_, i) => (i < at ? Number.NaN : i));
      const read = readColumns(path, { counts: 'count', dates: 'date' }, writeColumns(path, { counts, dates }));
      expect(Buffer.from(Uint32Array.from(read.counts).buffer).equals(Buffer.from(counts.buffer))).toBe(true);
      expect(Buffer.from(read.dates.buffer).equals(Buffer.from(dates.buffer))).toBe(true);
    },
  );

  it('hold dates where one of them is known', () => {
    const path = newPath();
    for (const dates of [[Number.NaN, 5, Number.NaN], [Number.NaN, Number.NaN], []]) {
      const seal = writeColumns(path, { dates: Float64Array.from(dates) });
      const isKnown = dates.some((date) => !Number.isNaN(date));
      expect(Array.from(readColumns(path, { dates: 'date' }, seal).dates)).toEqual(isKnown ? dates : []);
    }
  });

  it('are not made for a length that the file does not have', () => {
    const path = newPath();
    const seal = writeColumns(path, { counts: Uint32Array.of(1, 2, 3) });
    expect(() => readColumns(path, { counts: 'place' }, { ...seal })).toThrow(/another form/);
  });
});
