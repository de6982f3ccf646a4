import type { TextPassage } from './passages.ts';
import type { ShingleSequence } from './sketch.ts';

/*
 * A passage as text and as a link. The words are the query's own, cut from its bytes by the offsets of its tokens, so no
 * text of a match need ever be stored.
 *
 *   text       The Quick (brown) fox -- jumps, as ever, over the lazy dog
 *   tokens     ^^^ ^^^^^  ^^^^^  ^^^
 *   link       #:~:text=The%20Quick%20%28brown%29,over%20the%20lazy%20dog      (URL Fragment Text Directives, WICG)
 *
 * A browser looks for the words of a link letter by letter (case apart), so a link names a few words at either end, and only
 * such as stand in one shared shingle: the passage's first window and its last are always shared ones.
 */

/** Words at either end of a link: enough to be rare, few enough to have the same punctuation in both texts. */
const LINK_WORDS = 4;
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

/** `#:~:text=first%20words,last%20words`: appended to a match's URL, it scrolls a browser to the passage. */
export function textFragment(text: Uint8Array, sequence: ShingleSequence, passage: TextPassage): string {
  const { firstToken, lastToken, exact } = passage;
  const certain = exact ? passage.words : sequence.shingleSize;
  const count = Math.min(LINK_WORDS, certain);
  if (passage.words <= 2 * count) {
    const last = firstToken + Math.min(passage.words, certain) - 1;
    return `#:~:text=${encodeWords(words(text, sequence, firstToken, last))}`;
  }
  const start = words(text, sequence, firstToken, firstToken + count - 1);
  const end = words(text, sequence, lastToken - count + 1, lastToken);
  return `#:~:text=${encodeWords(start)},${encodeWords(end)}`;
}

/** Tokens first … last with what stands between them. Invalid UTF-8 reads as U+FFFD, the WHATWG way. */
function words(text: Uint8Array, { tokenStarts, tokenEnds }: ShingleSequence, first: number, last: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(text.subarray(tokenStarts[first], tokenEnds[last]));
}

/** Percent-encoded for a text directive, where `-`, `,` and `&` are syntax; white space of any kind is one space. */
function encodeWords(spelled: string): string {
  return encodeURIComponent(spelled.trim().replaceAll(/\s+/gu, ' ')).replaceAll('-', '%2D');
}
