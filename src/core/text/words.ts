import { canonicalTextOf } from './tokens.ts';

/* The words of a text one by one, for those who ask which of two texts are alike: sketches need none. */

const SPACE = 0x20;

/** Word i is starts[i] .. starts[i + 1], a space after it. */
export interface Words {
  readonly canonical: Uint8Array;
  readonly starts: readonly number[];
}

/** @param text UTF-8 */
export function wordsOf(text: Uint8Array): Words {
  const canonical = canonicalTextOf(text);
  const starts = [0];
  for (let at = 0; at < canonical.length; at++) if (canonical[at] === SPACE) starts.push(at + 1);
  return { canonical, starts };
}

/** Whether word i of one text is word j of another. */
export function isSameWord(a: Words, i: number, b: Words, j: number): boolean {
  const [fromA, fromB] = [a.starts[i]!, b.starts[j]!];
  const length = a.starts[i + 1]! - fromA;
  if (b.starts[j + 1]! - fromB !== length) return false;
  for (let at = 0; at < length; at++) if (a.canonical[fromA + at] !== b.canonical[fromB + at]) return false;
  return true;
}
