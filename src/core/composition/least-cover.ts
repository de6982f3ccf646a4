/*
 * What explains a text with the fewest contents: the greedy cover of its fingerprints.
 *
 *   text        0 1 2 3 4 5 6 7 8 9       numbers of the text's fingerprints
 *   a           x x x x x x               adds 6: the first of the cover
 *   b                 x x x x x           adds 2 to it, though it has 5
 *   c             x x x                   adds nothing: it is not in the cover
 *                               - -       nothing explains these
 *
 * Each step takes the content that adds most; of equals the one with fewer shingles, whose part it rather is, then the one
 * with the smaller id. What each adds and what is left sum to the whole. The best k contents together explain no more than
 * 1 / (1 - 1/e) = 1.58 times as much as the first k of this cover (Nemhauser, Wolsey & Fisher 1978): to find the least cover
 * itself is NP-hard.
 *
 * What a content adds only falls while others are taken. So a gain that was counted before is a bound, and is counted again
 * only where it would be the greatest. Source of the idea for documents: sourmash gather (Irber et al. 2022), for genomes.
 * Cost: O(fingerprints of all contents) once, then for each step a look at each content and a few counts.
 */

/** A content that may explain some of a text. */
export interface Coverer {
  readonly id: string;
  readonly shingleCount: number;
  /** The numbers of the text's fingerprints that it has, each once. */
  readonly covered: Uint32Array;
}

export interface CoverChoice {
  /** Which of the coverers. */
  readonly coverer: number;
  /** How many it adds to those that are covered; 1 or more. */
  readonly gain: number;
}

export class LeastCover {
  readonly #isCovered: Uint8Array;
  readonly #coverers: readonly Coverer[];
  /** Coverers in the order of ties. */
  readonly #order: readonly number[];
  readonly #gains: Uint32Array;
  #coveredCount = 0;

  /** @param size how many fingerprints there are to cover */
  constructor(size: number, coverers: readonly Coverer[]) {
    this.#isCovered = new Uint8Array(size);
    this.#coverers = coverers;
    this.#order = coverers.map((_, i) => i).sort((a, b) => inOrder(coverers[a]!, coverers[b]!));
    this.#gains = Uint32Array.from(coverers, ({ covered }) => covered.length);
  }

  /** How many are covered by what was taken. */
  get coveredCount(): number {
    return this.#coveredCount;
  }

  isCovered(number: number): boolean {
    return this.#isCovered[number] === 1;
  }

  /** What adds most to what was taken, null where nothing adds anything. */
  best(): CoverChoice | null {
    for (;;) {
      let best = -1;
      let most = 0;
      for (const coverer of this.#order) {
        if (this.#gains[coverer]! <= most) continue;
        best = coverer;
        most = this.#gains[coverer]!;
      }
      if (best < 0) return null;
      const gain = this.#gainOf(best);
      this.#gains[best] = gain;
      if (gain === most) return { coverer: best, gain };
    }
  }

  take(coverer: number): void {
    for (const number of this.#coverers[coverer]!.covered) {
      this.#coveredCount += 1 - this.#isCovered[number]!;
      this.#isCovered[number] = 1;
    }
    this.drop(coverer);
  }

  /** It is not to be chosen any more. */
  drop(coverer: number): void {
    this.#gains[coverer] = 0;
  }

  #gainOf(coverer: number): number {
    const isCovered = this.#isCovered;
    const { covered } = this.#coverers[coverer]!;
    let gain = 0;
    for (let i = 0; i < covered.length; i++) gain += 1 - isCovered[covered[i]!]!;
    return gain;
  }
}

function inOrder(a: Coverer, b: Coverer): number {
  if (a.shingleCount !== b.shingleCount) return a.shingleCount - b.shingleCount;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
