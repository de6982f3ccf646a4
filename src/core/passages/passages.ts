import type { FingerprintIndex } from '../compare/fingerprint-index.ts';
import { FINGERPRINT_BITS } from '../sketch/modulus.ts';
import type { ShingleSequence } from '../sketch/sketch.ts';

/*
 * Shared fingerprints -> passages: the stretches of the query's own text that the match has too.
 *
 *   token      0 1 2 3 4 5 6 7 8 9 …      window i covers tokens i … i + w - 1; at modulus m only the windows whose
 *   window     + ? ? + ? - ? ? + +        fingerprint is 0 mod m were compared:  + shared   - not shared   ? not known
 *              [-----]       [---]        a run begins and ends with a + and has no - inside
 *
 * At m = 1 every window is known and a passage is a maximal run of +, exactly. At a coarser modulus unknown windows
 * between two + are bridged where the gap is one that sampling explains; the passage is not `exact` then. The longest
 * gap bridged is the one that shared text would reach with a chance of 1 % between two samples, (1 - 1/m)^gap >= .01:
 *
 *   m               1   2   4   8     A stretch of v changed words makes v + w - 1 windows that are not shared. It is bridged
 *   longest gap     0   6   16  34    by mistake only if none of them was sampled: (1 - 1/m)^(v + w - 1), for w = 7 and one
 *                                     word never at m = 2, .13 at m = 4, .39 at m = 8; for v >= 11 (m = 4) never.
 *
 * A + may be false: one window in 500 or so agrees by chance with a value that a record keeps (core/sketch/narrow.ts). Where
 * such are to be expected, since the query is long, a passage of a single window is not told. Two side by side are hardly ever
 * false.
 *
 * What a passage has beyond its first and last + is not known and not claimed: m - 1 words at either end in the mean.
 * Ours: the 1997 system showed no passages. Cost: some 5 ns a window; no text is stored anywhere.
 */

/** A stretch of the query. */
export interface TextPassage {
  /** Positions of its first and last token. */
  readonly firstToken: number;
  readonly lastToken: number;
  /** lastToken - firstToken + 1 */
  readonly words: number;
  /** Whether every window of it is known to be shared; false where a gap that sampling leaves was bridged. */
  readonly exact: boolean;
  /** Its first tokens as far as this one, and its last ones from the other on, stand in shared windows that overlap. */
  readonly headLast: number;
  readonly tailFirst: number;
}

/** What stands for the middle of a long passage. */
const ELISION = ' … ';

/** A gap that shared text would show less often than this between two samples is not bridged. */
const GAP_CHANCE_LEAST = 0.01;

/** So many passages of a window may be false, in the mean. */
const FALSE_PASSAGES_MOST = 0.05;

/**
 * The passages of a query that a match shares, in the order of the text; of too many the longest, which are the strongest
 * evidence. Two passages overlap only where words are shared in two orders.
 *
 * @param match the match's sample
 * @param modulus the coarser of the moduli of its sample and the query's, a power of two
 */
export function findPassages(
  sequence: ShingleSequence,
  match: FingerprintIndex,
  modulus: number,
  passagesMax: number,
): TextPassage[] {
  const passages: TextPassage[] = [];
  const { fingerprints, shingleSize } = sequence;
  let compared = 0;
  const close = (firstToken: number, last: number): void => {
    const lastToken = last + shingleSize - 1;
    const headLast = (headEnd < 0 ? last : headEnd) + shingleSize - 1;
    passages.push({ firstToken, lastToken, words: lastToken - firstToken + 1, exact, headLast, tailFirst });
  };
  const share = 1 / modulus;
  const gapMost = longestGap(modulus);
  let first = -1;
  let last = -1;
  let exact = true;
  /** The last of the first windows that overlap, -1 while all do; the first of the last ones. */
  let headEnd = -1;
  let tailFirst = -1;
  for (let window = 0; window < fingerprints.length; window++) {
    const multiple = fingerprints[window]! * share;
    if (Math.floor(multiple) !== multiple) continue;
    compared++;
    const continues = match.has(fingerprints[window]!, FINGERPRINT_BITS);
    const gap = window - last - 1;
    if (first >= 0 && (!continues || gap > gapMost)) {
      close(first, last);
      first = -1;
    }
    if (!continues) continue;
    if (first < 0) {
      first = window;
      tailFirst = window;
      headEnd = -1;
      exact = true;
    } else if (gap > 0) {
      exact = false;
      if (gap >= shingleSize - 1) {
        if (headEnd < 0) headEnd = last;
        tailFirst = window;
      }
    }
    last = window;
  }
  if (first >= 0) close(first, last);
  const isSingleTold = compared * match.falseDensity <= FALSE_PASSAGES_MOST;
  const told = isSingleTold ? passages : passages.filter(({ words }) => words > shingleSize);
  if (told.length <= passagesMax) return told;
  // of one length the first: the sort is stable
  const longest = told.sort((a, b) => b.words - a.words).slice(0, passagesMax);
  return longest.sort((a, b) => a.firstToken - b.firstToken);
}

/** The longest run of unknown windows that is bridged. */
export function longestGap(modulus: number): number {
  return modulus <= 1 ? 0 : Math.floor(Math.log(GAP_CHANCE_LEAST) / Math.log(1 - 1 / modulus));
}

/**
 * The words of a passage as the query spells them, punctuation between them included, white space as it stands.
 *
 * @param text the very bytes that the sequence was made from
 * @param wordsMax at least 2: a longer passage keeps its first and its last words, with " … " between
 */
export function passageText(
  text: Uint8Array,
  sequence: ShingleSequence,
  { firstToken, lastToken }: Pick<TextPassage, 'firstToken' | 'lastToken'>,
  wordsMax: number = Number.POSITIVE_INFINITY,
): string {
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
