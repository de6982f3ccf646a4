import { compareSamples } from '../compare/sample-comparer.ts';
import { runToEnd } from '../memory/steps.ts';
import { createUniformSort } from '../memory/uniform-sort.ts';
import type { ComparedSample } from '../sketch/narrow.ts';
import { areCopies, type TemplateContent, type TemplatePage, templatePage } from './template-pages.ts';

/*
 * What the pages of a host have in common: navigation, footers, notices. It follows from the contents alone.
 *
 *   64 contents of a host ── too coarse: left out ── copies of one article count once ── p pages
 *                                                                                         │
 *             values at the modulus of all of them, by the bits that all have   <─────────┤
 *             in at least max(3, p / 2) of the pages                                      │
 *             or in as large a part of a section, which has a frame of its own  <─────────┘
 *
 * The modulus is the finest one at which at least half of the contents are known; longer pages, whose records are coarser, take
 * no part. So short pages have an exact template, and one page of a million words among them changes nothing.
 *
 * A section is five pages or more that are alike in what other pages have too. Without sections, a host with three frames of
 * a size has no template at all. Of the articles of 24 such frames 44 % were found again; with sections, 77 %.
 *
 * Cost: 1 to 2 ms for 64 pages of 120 values, 7 ms of 560; a third of it to look for copies.
 */

/** What pages of a host have in common. */
export interface HostTemplate {
  /** How many contents it is made of; those that are copies of one another were counted once. 3 or more. */
  readonly pages: number;
  /** m, a power of two: `values` has those of its fingerprints that are 0 mod m. */
  readonly modulus: number;
  /** b: how many low bits of each fingerprint `values` has. NARROW_BITS_MIN..40. */
  readonly bits: number;
  /** Ascending and distinct: a sample, to be compared as those of records are (core/sketch/narrow.ts). */
  readonly values: Float64Array;
  /** How many shingles it has, estimated: values · modulus. */
  readonly shingles: number;
}

/** Fewer pages have no template: what two pages share may be their article. */
export const TEMPLATE_PAGES_LEAST = 3;
/** The part of the pages that a value has to be on. With .3, teasers of stories count that many pages show. */
const PAGES_SHARE = 0.5;
/** Pages of a section resemble its first one so much, by what other pages of the host have too. */
const SECTION_RESEMBLANCE = 0.3;
/** Fewer may be what was told of one event. */
const SECTION_PAGES_LEAST = 5;

/**
 * The template of a host; null if fewer than TEMPLATE_PAGES_LEAST of its contents differ.
 *
 * @param contents of which the first of copies counts; those of the store come in the order of their hashes
 */
export function makeHostTemplate(contents: readonly TemplateContent[]): HostTemplate | null {
  return runToEnd(hostTemplateSteps(contents));
}

/** The same in steps of some 10 ms at the most. */
export function* hostTemplateSteps(contents: readonly TemplateContent[]): Generator<undefined, HostTemplate | null> {
  if (contents.length < TEMPLATE_PAGES_LEAST) return null;
  const modulus = commonModulus(contents);
  const known = contents.filter(({ sample }) => sample.modulus <= modulus);
  const bits = Math.min(...known.map(({ sample }) => sample.bits));
  const pages: TemplatePage[] = [];
  for (const content of known) {
    const page = templatePage(content, modulus, bits);
    if (!pages.some((other) => areCopies(page, other))) pages.push(page);
    yield;
  }
  if (pages.length < TEMPLATE_PAGES_LEAST) return null;
  const all = pages.map((page) => page.all.values);
  const shared = { modulus, bits, values: yield* frequentSteps(all, TEMPLATE_PAGES_LEAST, bits) };
  const parts = pages.map((page) => inBoth(page.all, shared));
  const values = new Set<number>();
  for (const section of [parts, ...sectionsOf(parts)]) {
    const least = Math.max(TEMPLATE_PAGES_LEAST, Math.ceil(PAGES_SHARE * section.length));
    const lists = section.map((part) => part.values);
    for (const value of yield* frequentSteps(lists, least, bits)) values.add(value);
  }
  const sorted = Float64Array.from(values).sort();
  return { pages: pages.length, modulus, bits, values: sorted, shingles: sorted.length * modulus };
}

/** The finest modulus at which at least half of the contents are known, and three of them. */
function commonModulus(contents: readonly TemplateContent[]): number {
  const moduli = contents.map(({ sample }) => sample.modulus).sort((a, b) => a - b);
  return moduli[Math.max(TEMPLATE_PAGES_LEAST, Math.ceil(moduli.length / 2)) - 1]!;
}

/** @param parts of each page what other pages have, too */
function sectionsOf(parts: readonly ComparedSample[]): ComparedSample[][] {
  const sections: ComparedSample[][] = [];
  for (const part of parts) {
    const section = sections.find(([first]) => {
      const { sampledA, sampledB, shared } = compareSamples(part, first!);
      return shared >= SECTION_RESEMBLANCE * (sampledA + sampledB - shared);
    });
    if (section === undefined) sections.push([part]);
    else section.push(part);
  }
  return sections.filter(({ length }) => length >= SECTION_PAGES_LEAST && length < parts.length);
}

/** Which values of one sample are in another one of the same modulus and bits. */
function inBoth(a: ComparedSample, b: ComparedSample): ComparedSample {
  const both = new Float64Array(Math.min(a.values.length, b.values.length));
  let count = 0;
  for (let i = 0, j = 0; i < a.values.length && j < b.values.length; ) {
    const [one, other] = [a.values[i]!, b.values[j]!];
    if (one === other) both[count++] = one;
    if (one <= other) i++;
    if (other <= one) j++;
  }
  return { ...a, values: both.subarray(0, count) };
}

const sort = createUniformSort();

/** The values that at least so many of the lists have, ascending. */
function* frequentSteps(
  lists: readonly Float64Array[],
  least: number,
  bits: number,
): Generator<undefined, Float64Array> {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  const sorted = new Float64Array(end);
  yield* sort(all, sorted, bits);
  let count = 0;
  for (let from = 0; from < end; ) {
    const begin = from;
    const value = sorted[from]!;
    while (from < end && sorted[from] === value) from++;
    if (from - begin >= least) all[count++] = value;
  }
  return all.slice(0, count);
}
