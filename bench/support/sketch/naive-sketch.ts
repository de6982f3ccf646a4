import xxhash from 'xxhash-wasm';

/**
 * A sketch as an afternoon's code makes it: lower case, a regular expression, join, a 32-bit xxHash of each window, those
 * that are 0 mod 4, sorted. Returns how many there are.
 */
export function naiveSketch(text: string, shingleSize: number): number {
  const tokens = naiveTokens(text);
  const all = new Set<number>();
  for (let i = 0; i + shingleSize <= tokens.length; i++) all.add(h32(tokens.slice(i, i + shingleSize).join(' ')));
  return [...all].filter((hash) => hash % 4 === 0).sort((a, b) => a - b).length;
}

/** It knows no pairs of unspaced letters, which makes its tokens of Han long and few. */
export function naiveTokens(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

const { h32 } = await xxhash();
