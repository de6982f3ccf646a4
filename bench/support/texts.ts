/*
 * English-like texts, seeded: the same on every machine. Words are drawn from a vocabulary of 20,000 with Zipf's law;
 * documents of one family are copies of a base text in which a share of the words was replaced.
 */

const SYLLABLES = 'ba ce di fo gu la me ni po ru sa te vi wo xu za the an er in on st ing al or es'.split(' ');
const VOCABULARY = 20_000;

/** Uniform numbers in [0, 1): mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

const words = vocabulary();

function vocabulary(): string[] {
  const random = randomFrom(1997);
  const made = new Set<string>();
  while (made.size < VOCABULARY) {
    const syllables = 1 + Math.floor(random() * 3);
    let word = '';
    for (let i = 0; i <= syllables; i++) word += SYLLABLES[Math.floor(random() * SYLLABLES.length)];
    made.add(word);
  }
  return [...made];
}

function drawWord(random: () => number): string {
  return words[Math.floor(VOCABULARY ** random()) - 1]!;
}

/** A text of about `bytes` bytes. */
export function textOf(seed: number, bytes: number): string {
  const random = randomFrom(seed);
  const parts: string[] = [];
  for (let length = 0; length < bytes; ) {
    const word = drawWord(random);
    parts.push(word);
    length += word.length + 1;
  }
  return parts.join(' ');
}

/** `text` with each word replaced with probability `share`. */
export function edited(text: string, seed: number, share: number): string {
  const random = randomFrom(seed);
  return text
    .split(' ')
    .map((word) => (random() < share ? drawWord(random) : word))
    .join(' ');
}

/** Document `index` of a collection: 39 % belong to families of about ten that share one base text. */
export function documentText(index: number, bytes: number): string {
  const random = randomFrom(index * 7919 + 1);
  if (random() >= 0.39) return textOf(index + 1_000_000, bytes);
  const family = Math.floor(index / 25);
  return edited(textOf(family + 5_000_000, bytes), index, 0.02 * random());
}
