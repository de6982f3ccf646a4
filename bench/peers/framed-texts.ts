import { edited, randomFrom, textOf } from '../support/texts.ts';
import { exactResemblance, wordShingles } from '../support/word-shingles.ts';

/*
 * Short texts with common frames, and their truth at a threshold.
 *
 *   [ frame ] own words [ frame ]     110 words of its own; 60 % have a frame or two of 14 to 30 words, out of 2,000 by Zipf's law,
 *                                     so that the most common one is in every tenth text
 *   families                          39 % of the texts are copies of another one, which they resemble by .3 to 1
 *
 * Frames are too short for two texts of two families to reach the threshold, so sets of shingles are compared within families.
 */

export const THRESHOLD = 0.5;
/** Words in a shingle. */
export const WORDS = 10;
/** Texts in a row, some of which are copies of one. */
const FAMILY = 25;
const SHARE_OF_COPIES = 0.39;
const EDITED_MOST = 0.08;
const BYTES = 700;
const FRAMES = 2000;
const FRAME_EXPONENT = 1.1;
const SHARE_WITH_FRAMES = 0.6;
const SHARE_WITH_TWO = 0.2;

const frames = Array.from({ length: FRAMES }, (_, i) => {
  const words = 14 + Math.floor(17 * randomFrom(i)());
  return textOf(i + 9_000_000, BYTES)
    .split(' ')
    .slice(0, words)
    .join(' ');
});
const chances = frames.map((_, i) => (i + 1) ** -FRAME_EXPONENT);
const all = chances.reduce((sum, chance) => sum + chance, 0);

function drawFrame(random: () => number): string {
  let left = random() * all;
  const at = chances.findIndex((chance) => {
    left -= chance;
    return left < 0;
  });
  return frames[Math.max(0, at)]!;
}

export function framedText(number: number): string {
  const random = randomFrom(number * 7919 + 1);
  const base = Math.floor(number / FAMILY);
  let text =
    random() >= SHARE_OF_COPIES
      ? textOf(number + 1_000_000, BYTES)
      : edited(textOf(base + 5_000_000, BYTES), number, EDITED_MOST * random());
  const kind = random();
  const count = kind < SHARE_WITH_TWO ? 2 : kind < SHARE_WITH_FRAMES ? 1 : 0;
  for (let i = 0; i < count; i++) {
    const frame = drawFrame(random);
    text = random() < 0.5 ? `${frame} ${text}` : `${text} ${frame}`;
  }
  return text;
}

/** The texts that resemble one by the threshold or more, itself among them. */
export function truthOf(number: number, count: number): Set<number> {
  const own = wordShingles(WORDS, framedText(number));
  const from = number - (number % FAMILY);
  const found = new Set<number>();
  for (let other = from; other < Math.min(count, from + FAMILY); other++) {
    if (exactResemblance(own, wordShingles(WORDS, framedText(other))) >= THRESHOLD) found.add(other);
  }
  return found;
}
