import type { Prng } from '../prng.ts';

/*
 * Texts to compare two kernels on, as bytes: characters of every script and class, alone and in runs, ordered and unordered
 * marks, line ends that part and that do not, encoded surrogates, broken sequences, cut anywhere.
 */

/** First and last code point of what a run is drawn from; those of everyday text several times. */
const RANGES: readonly (readonly [number, number])[] = [
  ...([
    [0x20, 0x7e],
    [0x61, 0x7a],
    [0x61, 0x7a],
    [0x00, 0x7f],
  ] as const),
  ...([
    [0x80, 0x7ff],
    [0xc0, 0x24f],
    [0x300, 0x36f],
    [0x370, 0x3ff],
    [0x400, 0x4ff],
    [0x590, 0x5ff],
    [0x600, 0x6ff],
    [0x900, 0x97f],
    [0x980, 0xdff],
    [0xe00, 0xe7f],
    [0xe80, 0xeff],
    [0xf00, 0xfff],
    [0x1000, 0x109f],
    [0x10a0, 0x11ff],
    [0x1780, 0x17ff],
    [0x1e00, 0x1fff],
    [0x2000, 0x218f],
    // nothing that anybody sees
    [0x200b, 0x200f],
    [0xad, 0xad],
    // what stands for other characters
    [0xdf, 0xdf],
    [0x130, 0x133],
    [0x2460, 0x2fdf],
    [0x3130, 0x33ff],
    [0xfb00, 0xfdff],
    [0xfe70, 0xffef],
    [0x1d400, 0x1d7ff],
    // blanks and hyphens
    [0x9, 0xd],
    [0x2d, 0x2d],
    [0x2010, 0x2010],
    [0x34e, 0x350],
    [0xfe00, 0xfe0f],
    [0xe0000, 0xe01ff],
    [0x3000, 0x30ff],
    [0x3040, 0x30ff],
    [0x4e00, 0x9fff],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7ff],
    // encoded surrogates: three bytes, none of them a character
    [0xd800, 0xdfff],
    [0xf900, 0xffff],
    [0x10000, 0x1ffff],
    [0x11000, 0x114ff],
    [0x1d165, 0x1d1ad],
    [0x20000, 0x2fa1f],
    [0, 0x10ffff],
  ] as const),
];

/** A text of 1 to `bytesMost` bytes. */
export function anyText(prng: Prng, bytesMost: number): Uint8Array {
  const length = 1 + prng.below(bytesMost);
  const bytes = new Uint8Array(length + 1000);
  let at = 0;
  while (at < length) {
    const [first, last] = RANGES[prng.below(RANGES.length)]!;
    const run = 1 + prng.below(prng.below(20) === 0 ? 200 : 12);
    for (let i = 0; i < run; i++) at = writeCharacter(bytes, at, first + prng.below(last - first + 1));
    const then = prng.below(8);
    if (then === 0) bytes[at++] = prng.below(256);
    else if (then === 1) at--;
    else if (then < 4) bytes[at++] = 0x20;
    else if (then === 4) at = writeLineEnd(bytes, at, prng);
  }
  return bytes.slice(0, length);
}

/** A line end, often with a hyphen before it or blanks behind. */
function writeLineEnd(bytes: Uint8Array, from: number, prng: Prng): number {
  let at = from;
  if (prng.below(2) === 0) at = writeCharacter(bytes, at, [0x2d, 0x2d, 0xad, 0x2010][prng.below(4)]!);
  if (prng.below(4) === 0) bytes[at++] = 0x0d;
  bytes[at++] = 0x0a;
  for (let blanks = prng.below(4); blanks > 2; blanks--) bytes[at++] = 0x20;
  return at;
}

/** A text of one character or byte pattern again and again: what hurts most where a loop is careless. */
/**
 * Ranges of a text, ascending and apart, that begin and end where words do not reach over, as those of a page; or, one time in
 * eight, anywhere.
 */
export function anyKept(prng: Prng, text: Uint8Array): Uint32Array {
  const anywhere = prng.below(8) === 0;
  const borders = new Set<number>([0, text.length]);
  for (let i = prng.below(12); i > 0 && text.length > 0; i--) {
    let at = prng.below(text.length);
    while (!anywhere && at < text.length && text[at]! > 0x20) at++;
    borders.add(at);
  }
  const sorted = [...borders].sort((a, b) => a - b);
  const ranges: number[] = [];
  for (let i = 1; i < sorted.length; i++) {
    // the separator stays outside, and two ranges do not touch
    const from = sorted[i - 1]! === 0 ? 0 : sorted[i - 1]! + 1;
    if (prng.below(2) === 0 && from <= sorted[i]! && from > (ranges.at(-1) ?? -1)) ranges.push(from, sorted[i]!);
  }
  return Uint32Array.from(ranges);
}

export function monotonousText(prng: Prng, length: number): Uint8Array {
  const unit = anyText(prng, 12);
  return Uint8Array.from({ length }, (_, i) => unit[i % unit.length]!);
}

/** Writes any number below 2^21 the way UTF-8 writes code points, surrogates too. */
function writeCharacter(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  const following = code < 0x800 ? 1 : code < 0x1_0000 ? 2 : 3;
  bytes[at] = [0, 0xc0, 0xe0, 0xf0][following]! | (code >> (6 * following));
  for (let i = 1; i <= following; i++) bytes[at + i] = 0x80 | ((code >> (6 * (following - i))) & 0x3f);
  return at + following + 1;
}
