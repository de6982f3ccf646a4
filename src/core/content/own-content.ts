import {
  createFingerprintIndex,
  type FingerprintIndex,
  falseDensityOf,
  STEP_VALUES,
} from '../compare/fingerprint-index.ts';
import { runToEnd } from '../memory/steps.ts';
import { isMarked, type MainMarks } from '../sketch/main-marks.ts';
import type { ComparedSample, KeptSample } from '../sketch/narrow.ts';
import type { HostTemplate } from '../template/host-template.ts';

/*
 * What a document says by itself: its main text, less what the pages of its host have in common.
 *
 *   page       │ menu │ headline  article  article │ follow us │ related │ foot │
 *   main              │ headline  article  article │ follow us │                      marks of the record
 *   template   │ menu │                            │ follow us │         │ foot │     of the host: most of its pages have it
 *   own               │ headline  article  article │
 *
 * Neither is enough by itself: main texts of one host share much of its frame, and what a page has to itself is not all
 * article. Own content is a part of the page's own shingles, so that a record tells of it by the sample that it has.
 *
 * A template is known at a modulus. Own content from which one was taken is known at the coarser of the two:
 *
 *   n      exact without a template, or at modulus 1; else (main shingles) · (values left) / (main values)
 *
 * Cost: some 20 ns a value of the sample.
 */

/** Where something was taken off, fewer shingles that are left say nothing: they are a heading, or a rest of the frame. */
export const OWN_SHINGLES_LEAST = 20;

/** The own content of a document, as far as its sample tells. */
export interface OwnContent<Of extends ComparedSample = ComparedSample> {
  /** n: distinct shingles, as many as values at the least. */
  readonly shingleCount: number;
  /** Whether that is their number, and no estimate of it. */
  readonly isExact: boolean;
  readonly sample: Of;
  /** How many of its values were taken off with the template by chance, in the mean: they agree with one of the template's. */
  readonly takenByChance?: number;
}

/** What is known of a document whose own content is to be told. */
export interface MarkedDocument<Of extends ComparedSample = ComparedSample> {
  readonly shingleCount: number;
  readonly sample: Of;
  /** null: all of it is main. */
  readonly main: Pick<MainMarks, 'shingleCount' | 'bits'> | null;
}

/**
 * The own content of a document.
 *
 * @param template of its host; null where that has none
 */
export function ownContent<Of extends ComparedSample>(
  document: MarkedDocument<Of>,
  template: HostTemplate | null,
): OwnContent<Of> {
  return runToEnd(ownContentSteps(document, template));
}

/** The same in steps of some 10 ms at the most. */
export function* ownContentSteps<Of extends ComparedSample>(
  document: MarkedDocument<Of>,
  template: HostTemplate | null,
): Generator<undefined, OwnContent<Of>> {
  const { shingleCount, sample, main } = document;
  if (main === null && template === null) return { shingleCount, isExact: true, sample };
  const modulus = Math.max(sample.modulus, template?.modulus ?? 1);
  const parts = new OwnValues(document, template, modulus);
  for (let from = 0; from < sample.values.length; from += STEP_VALUES) {
    if (from > 0) yield;
    parts.look(from, Math.min(sample.values.length, from + STEP_VALUES));
  }
  const mainCount = main?.shingleCount ?? shingleCount;
  const isExact = template === null || modulus === 1;
  const { left, mainValues } = parts;
  const estimate = mainValues === 0 ? mainCount : Math.round((mainCount * left) / mainValues);
  const own = { shingleCount: template === null ? mainCount : estimate, isExact, sample: parts.sample() };
  return template === null ? own : { ...own, takenByChance: left * falseDensityOf(template) };
}

/*
 * The memory of documents of one step, which all of them share: nothing else runs until their sample is made. New arrays would
 * cost more than the step. V8 counts them as external memory, and marks all that lives because of them.
 */
const stepValues = new Float64Array(STEP_VALUES + 1);
const stepNumbers = new Uint32Array(STEP_VALUES + 1);
const stepTaken = new Uint8Array(STEP_VALUES);

/** Which values of a sample are own. */
class OwnValues<Of extends ComparedSample> {
  readonly #document: MarkedDocument<Of>;
  readonly #template: FingerprintIndex | null;
  readonly #modulus: number;
  readonly #values: Float64Array;
  /** Which values of the sample they are. */
  readonly #numbers: Uint32Array;
  mainValues = 0;
  left = 0;

  constructor(document: MarkedDocument<Of>, template: HostTemplate | null, modulus: number) {
    this.#document = document;
    this.#template = template && indexOf(template);
    this.#modulus = modulus;
    const { length } = document.sample.values;
    const isOneStep = length <= STEP_VALUES;
    // one more: what is passed over is written, too
    this.#values = isOneStep ? stepValues : new Float64Array(length + 1);
    this.#numbers = isOneStep ? stepNumbers : new Uint32Array(length + 1);
  }

  /** The values `from`..`to`; those before them have been looked at. */
  look(from: number, to: number): void {
    const { sample, main } = this.#document;
    const { values } = sample;
    const [own, numbers] = [this.#values, this.#numbers];
    const mask = this.#modulus - 1;
    const begin = this.left;
    let end = begin;
    // in place: what is left is moved down below
    for (let i = from; i < to; i++) {
      own[end] = values[i]!;
      numbers[end] = i;
      end += Number((values[i]! & mask) === 0 && (main === null || isMarked(main, i)));
    }
    this.mainValues += end - begin;
    if (this.#template === null) {
      this.left = end;
      return;
    }
    const isTaken = this.#template.found(own.subarray(begin, end), end - begin, sample.bits, stepTaken);
    let left = begin;
    for (let at = begin; at < end; at++) {
      own[left] = own[at]!;
      numbers[left] = numbers[at]!;
      left += 1 - isTaken[at - begin]!;
    }
    this.left = left;
  }

  /** Of the values that are left, those that are known to all 40 bits. */
  #exactOf({ values, exactModulus, exact }: KeptSample): Float64Array {
    const left = new Float64Array(exact.length);
    const mask = exactModulus - 1;
    let [count, next, at] = [0, 0, 0];
    for (let i = 0; i < values.length; i++) {
      const isLeft = next < this.left && this.#numbers[next] === i;
      if (isLeft) next++;
      if ((values[i]! & mask) !== 0) continue;
      if (isLeft) left[count++] = exact[at]!;
      at++;
    }
    return left.slice(0, count);
  }

  sample(): Of {
    const { sample } = this.#document;
    const values = this.#values.slice(0, this.left);
    const own = { ...sample, modulus: this.#modulus, values };
    const kept = keptOf(sample);
    if (kept === null) return own;
    const exactModulus = Math.max(this.#modulus, kept.exactModulus);
    return { ...own, exactModulus, exact: kept.exact === sample.values ? values : this.#exactOf(kept) };
  }
}

const keptOf = (sample: ComparedSample): KeptSample | null => ('exact' in sample ? (sample as KeptSample) : null);

/** Templates are asked for every page of their host that is met. */
const indexes = new WeakMap<HostTemplate, FingerprintIndex>();

function indexOf(template: HostTemplate): FingerprintIndex {
  let index = indexes.get(template);
  if (index === undefined) {
    index = createFingerprintIndex(template);
    indexes.set(template, index);
  }
  return index;
}
