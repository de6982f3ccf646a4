import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitsOf } from '../../../src/core/sketch/main-marks.ts';
import { makeHostTemplate, TEMPLATE_PAGES_LEAST } from '../../../src/core/template/host-template.ts';
import type { TemplateContent } from '../../../src/core/template/template-pages.ts';

/** A page of so many low bits and such a modulus. */
function page(values: readonly number[], main: readonly number[] | null, modulus = 1, bits = 40): TemplateContent {
  const sorted = Float64Array.from(new Set(values.map((value) => value % 2 ** bits))).sort();
  const sample = { modulus, bits, values: sorted.filter((value) => value % modulus === 0) };
  const marks = main && { bits: bitsOf(sample.values, Float64Array.from(main)) };
  return { sample, main: marks };
}

const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const CHROME = upTo(0, 40);

/** A page with an article of its own. */
const article = (number: number, modulus = 1, bits = 40) => {
  const own = upTo(1000 * number, 1000 * number + 60);
  return page([...CHROME, ...own], own, modulus, bits);
};

describe('the template of a host', () => {
  it('is what at least half of the pages have, and three of them', () => {
    const pages = upTo(1, 11).map((n) =>
      page([...CHROME, ...(n <= 5 ? [500] : []), ...(n <= 4 ? [501] : []), ...upTo(1000 * n, 1000 * n + 50)], null),
    );
    expect(makeHostTemplate(pages)).toEqual({
      ...{ pages: 10, modulus: 1, bits: 40, shingles: 41 },
      values: Float64Array.from([...CHROME, 500]),
    });
    expect(makeHostTemplate(upTo(1, 3).map((n) => article(n)))).toBeNull();
    expect(makeHostTemplate(upTo(1, 4).map((n) => article(n)))?.values).toEqual(Float64Array.from(CHROME));
  });

  it('counts once what differs in nothing but what is beside the main text', () => {
    const copies = upTo(0, 9).map((n) => {
      const own = upTo(1000, 1060);
      return page([...CHROME, ...own, ...upTo(5000 + 10 * n, 5010 + 10 * n)], own);
    });
    expect(makeHostTemplate(copies)).toBeNull();
    expect(makeHostTemplate([...copies, article(2)])).toBeNull();
    const template = makeHostTemplate([...copies, article(2), article(3)]);
    expect(template).toMatchObject({ pages: 3, shingles: 40 });
  });

  it('takes off what was taken for the main text though it is on all pages', () => {
    const frame = upTo(100, 120);
    const pages = upTo(1, 7).map((n) => page([...CHROME, ...frame, ...upTo(1000 * n, 1000 * n + 60)], frame));
    expect(makeHostTemplate(pages)).toMatchObject({ pages: 6, shingles: 60 });
  });

  it('has the frames of sections, too, if five pages have them', () => {
    const section = (first: number, last: number, frame: readonly number[]) =>
      upTo(first, last).map((n) => {
        const own = upTo(1000 * n, 1000 * n + 60);
        return page([...frame, ...own], own);
      });
    const frames = upTo(0, 4).map((i) => upTo(100 * i, 100 * i + 50));
    const pages = [...section(1, 11, frames[0]!), ...section(11, 18, frames[1]!), ...section(18, 23, frames[2]!)];
    const few = section(23, 27, frames[3]!);
    const { values } = makeHostTemplate([...pages, ...few])!;
    expect([...values]).toEqual(frames.slice(0, 3).flat());
  });

  it('is told at the finest modulus and by the bits that half of the pages have', () => {
    const pages = [1, 2, 4, 4].map((modulus, i) => article(i + 1, modulus, i === 0 ? 28 : 31));
    expect(makeHostTemplate(pages)).toMatchObject({ pages: 4, modulus: 4, bits: 28, shingles: 40 });
    const coarse = [1, 1, 1, 64, 64, 64].map((modulus, i) => article(i + 1, modulus));
    expect(makeHostTemplate(coarse)).toMatchObject({ pages: 3, modulus: 1, shingles: 40 });
  });

  it('counts every value as an oracle does, one after the other', () => {
    const contents = fc.array(
      fc.record({ values: fc.uniqueArray(fc.nat(60), { maxLength: 30 }), modulus: fc.constantFrom(1, 2, 4) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(contents, (all) => {
        const own = all.map(({ values, modulus }, i) => {
          const main = upTo(1000 * (i + 1), 1000 * (i + 1) + 40);
          return { values: [...values, ...main], main, modulus };
        });
        const template = makeHostTemplate(own.map(({ values, main, modulus }) => page(values, main, modulus)));
        if (all.length < TEMPLATE_PAGES_LEAST) {
          expect(template).toBeNull();
          return;
        }
        const { modulus, values, pages } = template!;
        const known = own.filter((one) => one.modulus <= modulus);
        expect(pages).toBe(known.length);
        const parts = known.map(
          (one) =>
            new Set(
              one.values.filter(
                (value) => value % modulus === 0 && known.filter((other) => other.values.includes(value)).length >= 3,
              ),
            ),
        );
        const sections: Set<number>[][] = [];
        for (const part of parts) {
          const section = sections.find(([first]) => part.intersection(first!).size >= 0.3 * part.union(first!).size);
          if (section === undefined) sections.push([part]);
          else section.push(part);
        }
        const counted = upTo(0, 61).filter((value) =>
          [parts, ...sections.filter(({ length }) => length >= 5)].some((section) => {
            const holders = section.filter((part) => part.has(value)).length;
            return holders >= 3 && holders * 2 >= section.length;
          }),
        );
        expect([...values]).toEqual(counted);
      }),
    );
  });
});
