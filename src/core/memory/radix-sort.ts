/*
 * Sorts pairs of 32-bit numbers by the first, stably: least significant digit first, 11, 11 and 10 bits at a time. Cost: some
 * 10 ns a pair where all of it is in the cache, twice that where it is not; as much memory again as is sorted.
 */

const DIGITS = [
  { shift: 0, size: 2048 },
  { shift: 11, size: 2048 },
  { shift: 22, size: 1024 },
] as const;

export interface Pairs {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
}

export const newPairs = (size: number): Pairs => ({ keys: new Uint32Array(size), values: new Uint32Array(size) });

/**
 * @param pairs of which the first `count` are sorted
 * @param other as large
 * @returns the one of the two in which they are in order
 */
export function sortPairs(pairs: Pairs, other: Pairs, count: number): Pairs {
  let from = pairs;
  let to = other;
  for (const { shift, size } of DIGITS) {
    const offsets = offsetsOf(from.keys, count, shift, size);
    if (offsets === null) continue;
    scatter(from, to, count, shift, size - 1, offsets);
    [from, to] = [to, from];
  }
  return from;
}

/** null where all have one digit. */
function offsetsOf(keys: Uint32Array, count: number, shift: number, size: number): Uint32Array | null {
  const offsets = new Uint32Array(size);
  const mask = size - 1;
  for (let i = 0; i < count; i++) offsets[(keys[i]! >>> shift) & mask]!++;
  let before = 0;
  for (let digit = 0; digit < size; digit++) {
    const here = offsets[digit]!;
    if (here === count) return null;
    offsets[digit] = before;
    before += here;
  }
  return offsets;
}

function scatter(from: Pairs, to: Pairs, count: number, shift: number, mask: number, offsets: Uint32Array): void {
  const { keys, values } = from;
  for (let i = 0; i < count; i++) {
    const key = keys[i]!;
    const at = offsets[(key >>> shift) & mask]!++;
    to.keys[at] = key;
    to.values[at] = values[i]!;
  }
}

/** Of keys that are spread: the first digit, by which they are parted, and those of each part, the last one first. */
const FIRST_SHIFT = 21;
const PARTS = 2 ** (32 - FIRST_SHIFT);
const PART_BITS = 7;
const PART_MASK = 2 ** PART_BITS - 1;

/**
 * The same for keys that are spread evenly, as those of hashes are. They are parted by their first 11 bits, and each part is
 * sorted in the cache, 7 bits at a time. Other keys are sorted, too, and more slowly. It takes a third less time where there
 * are some hundred thousand pairs or more.
 *
 * @param pairs of which the first `count` are sorted: in order afterwards
 * @param other as large
 */
export function sortSpreadPairs(pairs: Pairs, other: Pairs, count: number): void {
  const { keys } = pairs;
  const starts = new Uint32Array(PARTS + 1);
  for (let i = 0; i < count; i++) starts[(keys[i]! >>> FIRST_SHIFT) + 1]!++;
  for (let part = 0; part < PARTS; part++) starts[part + 1]! += starts[part]!;
  scatter(pairs, other, count, FIRST_SHIFT, PARTS - 1, starts.slice());
  const offsets = [0, 1, 2].map(() => new Uint32Array(PART_MASK + 1));
  for (let part = 0; part < PARTS; part++) sortPart(other, pairs, starts[part]!, starts[part + 1]!, offsets);
}

/** From one to the other, by way of both: three times. */
function sortPart(from: Pairs, to: Pairs, start: number, end: number, offsets: readonly Uint32Array[]): void {
  if (start === end) return;
  const [low, middle, high] = offsets as readonly [Uint32Array, Uint32Array, Uint32Array];
  for (const digits of offsets) digits.fill(0);
  for (let i = start; i < end; i++) {
    const key = from.keys[i]!;
    low[key & PART_MASK]!++;
    middle[(key >>> PART_BITS) & PART_MASK]!++;
    high[(key >>> (2 * PART_BITS)) & PART_MASK]!++;
  }
  for (const digits of offsets) {
    for (let digit = 0, before = start; digit <= PART_MASK; digit++) {
      const here = digits[digit]!;
      digits[digit] = before;
      before += here;
    }
  }
  scatterPart(from, to, start, end, 0, low);
  scatterPart(to, from, start, end, PART_BITS, middle);
  scatterPart(from, to, start, end, 2 * PART_BITS, high);
}

function scatterPart(from: Pairs, to: Pairs, start: number, end: number, shift: number, offsets: Uint32Array): void {
  const { keys, values } = from;
  const { keys: toKeys, values: toValues } = to;
  for (let i = start; i < end; i++) {
    const key = keys[i]!;
    const at = offsets[(key >>> shift) & PART_MASK]!++;
    toKeys[at] = key;
    toValues[at] = values[i]!;
  }
}
