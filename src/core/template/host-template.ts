import { compareSamples } from '../compare/sample-comparer.ts';
import { runToEnd, STEP_VALUES } from '../memory/steps.ts';
import { createUniformSort } from '../memory/uniform-sort.ts';
import { isMarked, type MainMarks } from '../sketch/main-marks.ts';
import type { ComparedSample } from '../sketch/narrow.ts';

/*
 * What the pages of a host have in common: navigation, footers, notices. It follows from the set of contents alone, in whatever
 * order they are given.
 *
 *   64 contents of a host ── too coarse: left out ── copies of one another count once ── p pages
 *                                                                                          │
 *             values at the modulus of all of them, by the bits that all have   <──────────┘
 *             in at least max(3, p / 2) of the pages: the template
 *
 * The modulus is the finest one at which at least half of the contents are known; longer pages, whose records are coarser, take
 * no part. So short pages have an exact template, and one page of a million words among them changes nothing.
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

/** A content of a host, as far as a template is made of it. */
export interface TemplateContent {
  readonly sample: ComparedSample;
  /** A bit for each value that is main; where nothing tells them apart, all count as main. */
  readonly main: Pick<MainMarks, 'bits'> | 'not-read' | null;
}

/** So many contents of a host are looked at, at the most: 40 tell no more than 10 (mean of 60 hosts). */
export const TEMPLATE_CONTENTS_MAX = 64;
/** Fewer pages have no template: what two pages share may be their article. */
export const TEMPLATE_PAGES_LEAST = 3;
/** The part of the pages that a value has to be on. */
const PAGES_SHARE = 0.5;
/** The least resemblance of the main texts of copies: of 120 pages that were shown again with other teasers 119 had .88. */
const COPIES_RESEMBLANCE = 0.8;

interface Page {
  readonly main: ComparedSample;
  readonly all: ComparedSample;
}

/** The template of a host; null if fewer than TEMPLATE_PAGES_LEAST of its contents differ. */
export function makeHostTemplate(contents: readonly TemplateContent[]): HostTemplate | null {
  return runToEnd(hostTemplateSteps(contents));
}

/** The same in steps of some 10 ms at the most. */
export function* hostTemplateSteps(contents: readonly TemplateContent[]): Generator<undefined, HostTemplate | null> {
  if (contents.length < TEMPLATE_PAGES_LEAST) return null;
  const modulus = commonModulus(contents);
  const known = contents.filter(({ sample }) => sample.modulus <= modulus);
  const bits = Math.min(...known.map(({ sample }) => sample.bits));
  const pages: Page[] = [];
  for (const content of known) {
    const page = { main: valuesOf(content, modulus, bits, true), all: valuesOf(content, modulus, bits, false) };
    yield;
    if (!pages.some((other) => areCopies(page, other))) pages.push(page);
  }
  if (pages.length < TEMPLATE_PAGES_LEAST) return null;
  const least = Math.max(TEMPLATE_PAGES_LEAST, Math.ceil(PAGES_SHARE * pages.length));
  const all = pages.map((page) => page.all.values);
  const values = yield* frequentSteps(all, least, bits);
  return { pages: pages.length, modulus, bits, values, shingles: values.length * modulus };
}

/** The finest modulus at which at least half of the contents are known, and three of them. */
function commonModulus(contents: readonly TemplateContent[]): number {
  const moduli = contents.map(({ sample }) => sample.modulus).sort((a, b) => a - b);
  return moduli[Math.max(TEMPLATE_PAGES_LEAST, Math.ceil(moduli.length / 2)) - 1]!;
}

/** The values of a content, or those that are main: 0 mod the modulus, their low bits, ascending and distinct. */
function valuesOf({ sample, main }: TemplateContent, modulus: number, bits: number, isMain: boolean): ComparedSample {
  const marks = isMain && main !== null && main !== 'not-read' ? main : null;
  const unit = 2 ** bits;
  const share = 1 / unit;
  const values = new Float64Array(sample.values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = sample.values[i]!;
    if ((value & (modulus - 1)) !== 0 || (marks !== null && !isMarked(marks, i))) continue;
    values[count++] = value - Math.floor(value * share) * unit;
  }
  const kept = values.subarray(0, count);
  // of a wider sample the low bits are in another order
  return { modulus, bits, values: distinct(sample.bits === bits ? kept : kept.sort()) };
}

/** @param values ascending; what is left of them is moved to the front */
function distinct(values: Float64Array): Float64Array {
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    if (i === 0 || values[i] !== values[i - 1]) values[count++] = values[i]!;
  }
  return values.subarray(0, count);
}

/**
 * Whether two contents are one article, shown twice. Their main texts are nearly the same then, and that is more than what the
 * pages differ in. Where something is taken for the main text that is on all pages of the host, the pages differ in their articles.
 */
function areCopies(a: Page, b: Page): boolean {
  const { shared } = compareSamples(a.main, b.main);
  if (shared < COPIES_RESEMBLANCE * (a.main.values.length + b.main.values.length - shared)) return false;
  const inBoth = compareSamples(a.all, b.all).shared;
  return 2 * shared >= a.all.values.length + b.all.values.length - 2 * inBoth;
}

const sort = createUniformSort();

/** The values that at least so many of the pages have, ascending. */
function* frequentSteps(
  pages: readonly Float64Array[],
  least: number,
  bits: number,
): Generator<undefined, Float64Array> {
  const all = new Float64Array(pages.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const page of pages) {
    all.set(page, end);
    end += page.length;
  }
  const sorted = new Float64Array(end);
  yield* sort(all, sorted, bits);
  const frequent: number[] = [];
  for (let from = 0; from < end; ) {
    const value = sorted[from]!;
    const begin = from;
    while (from < end && sorted[from] === value) from++;
    if (from - begin >= least) frequent.push(value);
    if (frequent.length % STEP_VALUES === STEP_VALUES - 1) yield;
  }
  return Float64Array.from(frequent);
}
