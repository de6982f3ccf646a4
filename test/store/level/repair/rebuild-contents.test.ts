import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RebuiltContents } from '../../../../src/store/level/repair/rebuild-contents.ts';

const id = (i: number) =>
  Math.imul(i + 1, 0x9e37_79b1)
    .toString(16)
    .replace('-', 'f')
    .padStart(32, '0');
const owner = (i: number) => `https://host${i}.example/`;

describe('what a rebuild knows of contents', () => {
  it('tells sources apart whose URLs have one length and one CRC', () => {
    const [one, other] = ['https://4110059549.example/', 'https://2901651790.example/'];
    expect(crc32(one)).toBe(crc32(other));
    const contents = new RebuiltContents();
    contents.add(0, id(1), one);
    expect(contents.hold(0, other)).toBe(false);
    expect([contents.hasOwner(0), contents.hasOtherHolders(0)]).toEqual([false, true]);
    expect(contents.hold(0, one)).toBe(true);
    expect(contents.hasOwner(0)).toBe(true);
  });

  it('keeps the last of those with one id, and knows it by the numbers of the others', () => {
    // ids of few numbers, so that many come back
    const added = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 40 })), { maxLength: 3000 });
    fc.assert(
      fc.property(added, (steps) => {
        const contents = new RebuiltContents();
        const idOf = new Map<number, string>();
        const last = new Map<string, number>();
        let number = -1;
        for (const [name, gap] of steps) {
          number += gap;
          contents.add(number, id(name), owner(name));
          idOf.set(number, id(name));
          last.set(id(name), number);
        }
        expect(contents.end).toBe(number + 1);
        for (let i = 0; i <= number; i++) {
          const name = idOf.get(i);
          const kept = name === undefined ? undefined : last.get(name);
          expect(contents.find(i)).toBe(kept);
          expect(contents.findNamed(i, name ?? id(0))).toBe(kept);
          expect(contents.findNamed(i, id(99))).toBeUndefined();
        }
      }),
      { numRuns: 50 },
    );
  });

  it('knows many', () => {
    const contents = new RebuiltContents();
    for (let i = 0; i < 100_000; i++) contents.add(i, id(i), owner(i));
    for (let i = 0; i < 100_000; i += 7) expect(contents.findNamed(i, id(i))).toBe(i);
    contents.add(100_000, id(7), owner(7));
    expect(contents.find(7)).toBe(100_000);
    expect(contents.find(8)).toBe(8);
  });
});
