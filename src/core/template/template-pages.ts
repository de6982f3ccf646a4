import { compareSamples } from '../compare/sample-comparer.ts';
import { isMarked, type MainMarks } from '../sketch/main-marks.ts';
import type { ComparedSample } from '../sketch/narrow.ts';

/** A content of a host, as far as a template is made of it. */
export interface TemplateContent {
  readonly sample: ComparedSample;
  /** A bit for each value that is main; where nothing tells them apart, all count as main. */
  readonly main: Pick<MainMarks, 'bits'> | 'not-read' | null;
}

/** The values of a content at the modulus and by the bits of all contents of its host. */
export interface TemplatePage {
  readonly all: ComparedSample;
  /** Those of its main text. */
  readonly main: ComparedSample;
}

/** The least resemblance of the main texts of copies: of 120 pages that were shown again with other teasers 119 had .88. */
const COPIES_RESEMBLANCE = 0.8;

/**
 * @param modulus its own or coarser
 * @param bits its own or fewer
 */
export function templatePage({ sample, main }: TemplateContent, modulus: number, bits: number): TemplatePage {
  const marks = main === 'not-read' ? null : main;
  const unit = 2 ** bits;
  const share = 1 / unit;
  const all = new Float64Array(sample.values.length);
  const own = new Float64Array(marks === null ? 0 : all.length);
  let [count, ownCount] = [0, 0];
  for (let i = 0; i < all.length; i++) {
    const value = sample.values[i]!;
    if ((value & (modulus - 1)) !== 0) continue;
    const low = value - Math.floor(value * share) * unit;
    all[count++] = low;
    if (marks !== null && isMarked(marks, i)) own[ownCount++] = low;
  }
  // of a wider sample the low bits are in another order
  const isInOrder = sample.bits === bits;
  const sampleOf = (values: Float64Array) => ({ modulus, bits, values: distinct(isInOrder ? values : values.sort()) });
  const page = sampleOf(all.subarray(0, count));
  return { all: page, main: marks === null ? page : sampleOf(own.subarray(0, ownCount)) };
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
 * pages differ in. Where something that is on all pages of a host was taken for the main text, pages differ in their articles.
 */
export function areCopies(a: TemplatePage, b: TemplatePage): boolean {
  const sampled = a.main.values.length + b.main.values.length;
  // a product that is whole may come out a little smaller
  const othersMost = Math.ceil((sampled * (1 - COPIES_RESEMBLANCE)) / (1 + COPIES_RESEMBLANCE));
  const shared = sharedUnless(a.main.values, b.main.values, othersMost);
  if (shared < COPIES_RESEMBLANCE * (sampled - shared)) return false;
  const pages = compareSamples(a.all, b.all);
  return 2 * shared >= pages.sampledA + pages.sampledB - 2 * pages.shared;
}

/** How many values two ascending lists share; fewer where more than `othersMost` values are in only one of them. */
function sharedUnless(a: Float64Array, b: Float64Array, othersMost: number): number {
  let [i, j, others] = [0, 0, 0];
  // most pages of a host are no copies, which is certain long before the end
  while (i < a.length && j < b.length && others <= othersMost) {
    const one = a[i]!;
    const other = b[j]!;
    others += Number(one !== other);
    i += Number(one <= other);
    j += Number(other <= one);
  }
  return (i + j - others) / 2;
}
