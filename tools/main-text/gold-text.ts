import { wordsOf } from './gold-pages.ts';

/** What stretches of a page are its main text, by the words that somebody copied out of it. */
export class GoldText {
  readonly #triples = new Set<string>();
  readonly #lines: ReadonlySet<string>;

  constructor(main: string) {
    for (const triple of triplesOf(wordsOf(main))) this.#triples.add(triple);
    this.#lines = new Set(main.split('\n').map((line) => wordsOf(line).join(' ')));
  }

  /** The share of a stretch that is main, 0 to 1; one of fewer than three words has to be a line of it. */
  shareOf(stretch: string): number {
    const words = wordsOf(stretch);
    if (words.length < 3) return words.length > 0 && this.#lines.has(words.join(' ')) ? 1 : 0;
    const triples = triplesOf(words);
    return triples.filter((triple) => this.#triples.has(triple)).length / triples.length;
  }
}

/** From this share on a stretch counts as main. */
export const MAIN_SHARE = 0.6;

function triplesOf(words: readonly string[]): string[] {
  return words.slice(2).map((_, i) => words.slice(i, i + 3).join(' '));
}

/** Word F1, precision and recall, 0 to 1, with every word as often as it stands there. */
export function wordFigures(found: readonly string[], gold: readonly string[]): readonly [number, number, number] {
  const counts = new Map<string, number>();
  for (const word of gold) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of found) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    counts.set(word, left - 1);
    common++;
  }
  if (common === 0) return [0, 0, 0];
  const [precision, recall] = [common / found.length, common / gold.length];
  return [(2 * precision * recall) / (precision + recall), precision, recall];
}
