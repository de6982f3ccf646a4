import type { ShingleSequence } from '../sketch/sketch.ts';
import type { TextPassage } from './passages.ts';

/*
 * A passage as text: the words are the query's own, cut from its bytes by the offsets of its tokens, so no text of a match need
 * ever be stored.
 */

const ELISION = ' … ';

/**
 * The words of a passage as the query spells them, punctuation between them included, white space as it stands.
 *
 * @param text the very bytes that the sequence was made from
 * @param wordsMax at least 2: a longer passage keeps its first and its last words, with " … " between
 */
export function passageText(
  text: Uint8Array,
  sequence: ShingleSequence,
  passage: Pick<TextPassage, 'firstToken' | 'lastToken'>,
  wordsMax: number = Number.POSITIVE_INFINITY,
): string {
  const { firstToken, lastToken } = passage;
  if (lastToken - firstToken + 1 <= wordsMax) return words(text, sequence, firstToken, lastToken);
  const tail = Math.max(1, Math.floor(wordsMax / 2));
  const head = Math.max(1, wordsMax - tail);
  const start = words(text, sequence, firstToken, firstToken + head - 1);
  return start + ELISION + words(text, sequence, lastToken - tail + 1, lastToken);
}

/** Tokens first … last with what stands between them. Invalid UTF-8 reads as U+FFFD, the WHATWG way. */
function words(text: Uint8Array, { tokenStarts, tokenEnds }: ShingleSequence, first: number, last: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(text.subarray(tokenStarts[first], tokenEnds[last]));
}
