import { expect, it } from 'vitest';
import { DIGEST_WORDS, DigestNumbers, digestWords } from '../../../src/core/memory/digest-numbers.ts';
import { createPrng } from '../../support/prng.ts';

/** A digest behind others. */
function wordsOf(digest: string): Float64Array {
  const words = new Float64Array(2 * DIGEST_WORDS);
  digestWords(digest, words, DIGEST_WORDS);
  return words;
}

it('numbers are found by their digests, however many there are, also where digests differ in one bit only', () => {
  const prng = createPrng(5);
  const word = () => prng.uint32().toString(16).padStart(8, '0');
  // many begin alike, so that they lie side by side
  const digests = Array.from({ length: 30_000 }, (_, i) =>
    i % 3 === 0 ? `0000${word()}${word()}${word()}`.padEnd(32, '0') : word() + word() + word() + word(),
  );
  digests.push(...digests.slice(0, 2000).map((one) => one.slice(0, -1) + (one.endsWith('f') ? 'e' : 'f')));
  const [numbers, expected] = [new DigestNumbers(), new Map<string, number>()];
  const wrong: string[] = [];
  for (const digest of [...digests, ...digests.slice(100, 900)]) {
    const known = expected.get(digest);
    const isFound = numbers.find(digest) === known;
    if (!isFound || numbers.findOrAdd(wordsOf(digest), DIGEST_WORDS, expected.size) !== (known ?? expected.size))
      wrong.push(digest);
    if (known === undefined) expected.set(digest, expected.size);
  }
  for (const [digest, number] of expected) if (numbers.find(digest) !== number) wrong.push(digest);
  expect(wrong).toEqual([]);
  expect(numbers.bytes).toBeGreaterThan(16 * expected.size);
  expect([...numbers.take()].sort((a, b) => a - b)).toEqual([...expected.values()]);
});

it('of two numbers with one digest the last one is found', () => {
  const numbers = new DigestNumbers();
  const digest = 'ab'.repeat(16);
  numbers.add(digest, 3);
  numbers.add(digest, 7);
  expect(numbers.find(digest)).toBe(7);
  expect(numbers.findOrAdd(wordsOf(digest), DIGEST_WORDS, 9)).toBe(7);
  expect([...numbers.take()]).toEqual([7]);
});
