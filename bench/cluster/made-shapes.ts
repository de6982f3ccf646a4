import type { Prng } from '../../test/support/prng.ts';

/*
 * Families whose shingles are common, as words of each document:
 *
 *   copies     of 250 words, 1 to 4 of which are others
 *   frame      of 400 words, and 20 to 60 own ones behind it
 *   frames     three, of 150 words, each with 100 to 200 own ones behind it
 *   chain      ten: each document is the one before with a word of 250 changed, around a frame that all have
 *   stars      of a middle in which each changes one word in 40: alike to the middle, not to one another
 *   crossed    a beginning of two, and an end of two others, of 120 words each, and ten own words
 *   dates      equal, but for a date of three numbers
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const wordOf = (prng: Prng) => Array.from({ length: 7 }, () => LETTERS[prng.below(26)]).join('');
const wordsOf = (prng: Prng, count: number) => Array.from({ length: count }, () => wordOf(prng));
function changed(prng: Prng, words: readonly string[], count: number): string[] {
  const other = [...words];
  for (let i = 0; i < count; i++) other[prng.below(words.length)] = wordOf(prng);
  return other;
}

export const SHAPES: Readonly<Record<string, (prng: Prng, count: number) => string[][]>> = {
  copies: (prng, count) => {
    const base = wordsOf(prng, 250);
    return Array.from({ length: count }, () => changed(prng, base, 1 + prng.below(4)));
  },
  frame: (prng, count) => {
    const base = wordsOf(prng, 400);
    return Array.from({ length: count }, () => [...base, ...wordsOf(prng, 20 + prng.below(41))]);
  },
  frames: (prng, count) => {
    const bases = Array.from({ length: 3 }, () => wordsOf(prng, 150));
    return Array.from({ length: count }, (_, i) => [...bases[i % 3]!, ...wordsOf(prng, 100 + prng.below(101))]);
  },
  chain: (prng, count) => {
    const base = wordsOf(prng, 100);
    const lengths = Math.ceil(count / 10);
    return Array.from({ length: 10 }, () => {
      let own = wordsOf(prng, 150);
      return Array.from({ length: lengths }, () => {
        own = changed(prng, own, 1);
        return [...base, ...own];
      });
    }).flat();
  },
  stars: (prng, count) => {
    const base = wordsOf(prng, 600);
    return Array.from({ length: count }, (_, i) => changed(prng, base, i === count >> 1 ? 0 : 15));
  },
  crossed: (prng, count) => {
    const halves = Array.from({ length: 4 }, () => wordsOf(prng, 120));
    const half = (end: number) => halves[2 * end + prng.below(2)]!;
    return Array.from({ length: count }, () => [...half(0), ...wordsOf(prng, 10), ...half(1)]);
  },
  dates: (prng, count) => {
    const base = wordsOf(prng, 250);
    return Array.from({ length: Math.ceil((5 * count) / 3) }, () => {
      const date = [1990 + prng.below(36), 1 + prng.below(12), 1 + prng.below(28), prng.below(86_400)];
      return [...base.slice(0, 125), ...date.map(String), ...base.slice(125)];
    });
  },
};
