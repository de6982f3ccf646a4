import { expect, it } from 'vitest';
import {
  combiningRank,
  foldedParts,
  IGNORED,
  infoOf,
  KIND_MASK,
  MARK,
  SPLITS,
  UNSAFE,
} from '../../src/core/text/unicode.ts';
import { unicodeImage } from '../../src/kernel/unicode-image.ts';

/**
 * Bits of the kernel: a character is left to core, is a mark with a rank, composes with what is before it, is passed over, may
 * part a word, is spelled in a table.
 */
const [SLOW, RANKED, COMPOSES, UNSEEN, HYPHEN, SPELLED] = [4, 8, 16, 32, 64, 128];
const CHANGES = 1 << 8;
const HYPHENS = [0xad, 0x2010];

function expectedInfo(code: number, found: number): number {
  const info = infoOf(code);
  const hyphen = HYPHENS.includes(code) ? HYPHEN : 0;
  if (info === IGNORED) return UNSEEN | hyphen;
  if ((info & (UNSAFE | SPLITS)) === 0) return info | hyphen;
  // how it is spelled, canonicalized texts show
  if ((info & UNSAFE) === 0)
    return (found & SPELLED) !== 0 ? (found & ~0xff) | SPELLED | (info & KIND_MASK) : SLOW | (info & KIND_MASK);
  if (info !== (MARK | UNSAFE) || foldedParts(code) !== undefined) return CHANGES | SLOW | (info & KIND_MASK);
  // whether it composes, canonicalized texts show
  return (combiningRank(code) << 8) | (found & COMPOSES) | RANKED | MARK;
}

it('says of each character what core says', () => {
  const { blockOf, infos } = unicodeImage();
  const others: number[] = [];
  for (let code = 0; code < 0x11_0000; code++) {
    const found = infos[128 * blockOf[code >> 7]! + (code & 127)]!;
    if (found !== expectedInfo(code, found)) others.push(code);
  }
  expect(others).toEqual([]);
});

it('knows of each character that decomposes, a syllable of Hangul among them, and of each that is passed over', () => {
  const { joining } = unicodeImage();
  const unknown: number[] = [];
  let known = 0;
  for (let code = 0; code < 0x1_0000; code++) {
    const isSet = (joining[code >> 3]! & (1 << (code & 7))) !== 0;
    known += Number(isSet);
    if (!isSet && (infoOf(code) === IGNORED || foldedParts(code) !== undefined)) unknown.push(code);
  }
  expect(unknown).toEqual([]);
  // most are not: those that are seen alone take no second look
  expect(known).toBeLessThan(0x1_0000 / 2);
});
