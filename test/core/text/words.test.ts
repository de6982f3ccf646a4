import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameWord, wordsOf } from '../../../src/core/text/tokens.ts';
import { draws } from '../../support/draws.ts';

const word = fc.constantFrom('a', 'A', 'ab', 'b', 'ä', 'Ä', 'été', '3', '語');
const texts = fc.tuple(fc.array(word), fc.array(word));
const spelled = (words: readonly string[]) => new TextEncoder().encode(`, ${words.join(' - ')}.`);

describe('the words of two texts', () => {
  it('are the same where they are but for their case', () => {
    fc.assert(
      fc.property(texts, ([one, other]) => {
        const [a, b] = [wordsOf(spelled(one)), wordsOf(spelled(other))];
        for (const [i, left] of one.entries()) {
          for (const [j, right] of other.entries()) {
            expect(isSameWord(a, i, b, j)).toBe(left.toLowerCase() === right.toLowerCase());
          }
        }
      }),
      draws(50, 7),
    );
  });
});
