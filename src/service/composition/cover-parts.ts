import { type Coverer, LeastCover } from '../../core/composition/least-cover.ts';
import type { NumberedFingerprints } from '../../core/composition/numbered.ts';
import type { Run } from '../../core/composition/quoted-runs.ts';
import type { ComparedSample } from '../../core/sketch/narrow.ts';
import type { Content } from '../../store/port.ts';
import type { QueryContext } from '../context.ts';
import type { SourceList } from '../similar/source-list.ts';
import type { Explainer } from './explained-text.ts';

/*
 * Contents that share something with a text -> the parts that it is made of, a greedy cover (core/composition/least-cover.ts).
 * It covers those fingerprints of the text of which all contents in question tell: the ones that are 0 mod the coarsest modulus
 * among them. A content without a source that may be shown is no part: sources are read of those only that would be one.
 *
 *   all contents            m = 4, since a long page is among them      the cover: a, b
 *   as known as a and b     m = 1, for both are short                   the cover again, exactly
 */

/** A content that shares something with the text, and what of it counts. */
export interface FoundContent extends Explainer {
  readonly record: Content;
  /** Numbers of the text's fingerprints that it explains, each once. */
  readonly covered: Uint32Array;
  /** Of quotations: where they are, in the order of the text; else empty. */
  readonly runs: readonly Run[];
  /** The fingerprints of all words of its quotations; null if sources are looked for. */
  readonly quoted: ComparedSample | null;
}

export interface CoveredPart extends FoundContent {
  readonly list: SourceList;
  /** Of the text's fingerprints at the cover's modulus: those that it has, and those that it adds. */
  readonly whole: number;
  readonly gain: number;
}

export interface Cover {
  readonly parts: readonly CoveredPart[];
  /** Fingerprints of the text at the cover's modulus, and how many of them are in a part. */
  readonly sampled: number;
  readonly covered: number;
  /** Whether the limit left out another one. */
  readonly more: boolean;
  /** Whether the deadline ended it. */
  readonly isLate: boolean;
}

export interface CoverOptions {
  readonly limit: number;
  /** What a part adds at the least, of so many fingerprints at a modulus, of which it has some. */
  gainLeast(sampled: number, modulus: number, covered: number): number;
  /** Null where the deadline passes first. */
  sourcesOf(content: Content): Promise<SourceList | null>;
}

export async function coverText(
  context: Pick<QueryContext, 'turns' | 'deadline'>,
  text: NumberedFingerprints,
  found: readonly FoundContent[],
  options: CoverOptions,
): Promise<Cover> {
  let known = found;
  for (;;) {
    const modulus = coarsest(text, known);
    const cover = await coverAt(context, text, known, modulus, options);
    const finer = coarsest(text, cover.parts);
    if (finer >= modulus || cover.isLate) return cover;
    known = known.filter((content) => content.modulus <= finer);
  }
}

function coarsest({ modulus }: NumberedFingerprints, contents: readonly FoundContent[]): number {
  return contents.reduce((most, content) => Math.max(most, content.modulus), modulus);
}

async function coverAt(
  { turns, deadline }: Pick<QueryContext, 'turns' | 'deadline'>,
  text: NumberedFingerprints,
  found: readonly FoundContent[],
  modulus: number,
  { limit, gainLeast, sourcesOf }: CoverOptions,
): Promise<Cover> {
  const sampled = text.countAt(modulus);
  const coverers: Coverer[] = [];
  for (const { record, covered } of found) {
    if (turns.spent()) await turns.next();
    const { id, shingleCount } = record;
    coverers.push({ id, shingleCount, covered: text.atModulus(covered, modulus) });
  }
  const cover = new LeastCover(text.size, coverers);
  const parts: CoveredPart[] = [];
  const ended = (how: Partial<Cover>): Cover => ({
    ...{ parts, sampled, covered: cover.coveredCount, more: false, isLate: false },
    ...how,
  });
  for (;;) {
    if (turns.spent()) await turns.next();
    deadline.throwIfGivenUp();
    const best = cover.best();
    if (best === null) return ended({});
    const whole = coverers[best.coverer]!.covered.length;
    if (best.gain < gainLeast(sampled, modulus, whole)) {
      cover.drop(best.coverer);
      continue;
    }
    const content = found[best.coverer]!;
    const list = await sourcesOf(content.record);
    if (list === null) return ended({ isLate: true });
    if (list.sources.length === 0) {
      cover.drop(best.coverer);
      continue;
    }
    if (parts.length === limit) return ended({ more: true });
    cover.take(best.coverer);
    parts.push({ ...content, list, whole, gain: best.gain });
  }
}
