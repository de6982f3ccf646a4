import { HEAP, LOW_40, RESULT, reserve, WINDOWS } from './layout.as.ts';

/*
 * The set of all fingerprints of a document: core/sketch/distinct.ts, one list instead of two.
 *
 *   HEAP │ slots: 1 + index into the list, 0 = free; at most half of them taken │ list: the fingerprints as they came │ …
 *
 * The list ends the memory and grows with it. When the slots double, the list moves up. Where fingerprints are marked, the
 * highest bit of their slots is.
 */

const MARKED: u32 = 0x8000_0000;
const NUMBER: u32 = 0x7fff_ffff;

let slotCount: usize = 0;
/** Where the list begins, and how many fingerprints it has. */
export let list: usize = 0;
export let count: usize = 0;
/** How many of them are marked. */
export let markedCount: usize = 0;

/** Forgets all and makes room for fingerprints; returns false where there is no memory for it. */
export function clearDistinct(slots: usize): bool {
  slotCount = slots;
  count = 0;
  markedCount = 0;
  list = HEAP + (slots << 2);
  if (!reserve(list)) return false;
  memory.fill(HEAP, 0, slots << 2);
  return true;
}

/** Adds WINDOWS[from..to-1]; returns false where there is no memory for them. */
export function addDistinct(from: usize, to: usize): bool {
  if (!makeRoom(count + to - from)) return false;
  // a slot's offset from HEAP is its number times 4
  const mask = (slotCount - 1) << 2;
  const end = WINDOWS + (to << 3);
  let next = list + (count << 3);
  let number = <u32>count;
  for (let at = WINDOWS + (from << 3); at < end; at += 8) {
    const value = load<u64>(at);
    let slot = <usize>(value >> 30) & mask;
    let held = load<u32>(slot, HEAP);
    while (held !== 0 && load<u64>(list + ((<usize>held) << 3) - 8) !== value) {
      slot = (slot + 4) & mask;
      held = load<u32>(slot, HEAP);
    }
    if (held !== 0) continue;
    store<u64>(next, value);
    next += 8;
    store<u32>(slot, ++number, HEAP);
  }
  count = number;
  return true;
}

/** The same in a document of which some are marked; `marked` is whether these are. Once marked, they remain so. */
export function addMarked(from: usize, to: usize, marked: bool): bool {
  if (!makeRoom(count + to - from)) return false;
  const mask = (slotCount - 1) << 2;
  const mark: u32 = marked ? MARKED : 0;
  const end = WINDOWS + (to << 3);
  for (let at = WINDOWS + (from << 3); at < end; at += 8) {
    const value = load<u64>(at);
    let slot = <usize>(value >> 30) & mask;
    let held = load<u32>(slot, HEAP);
    while (held !== 0 && load<u64>(list + ((<usize>(held & NUMBER)) << 3) - 8) !== value) {
      slot = (slot + 4) & mask;
      held = load<u32>(slot, HEAP);
    }
    if (held === 0) {
      store<u64>(list + (count << 3), value);
      held = <u32>++count;
    }
    markedCount += <usize>((mark & ~held) >> 31);
    store<u32>(slot, held | mark, HEAP);
  }
  return true;
}

/**
 * Writes those that are marked and 0 mod m behind the list: the low 40 bits of each, as Float64, in no order. Returns how many
 * there are, or -1 where there is no memory for them. The sum over all that are marked stands in RESULT then, as that over
 * all fingerprints does (sample.as.ts). It must come before the sample is taken.
 */
export function markedMultiples(modulus: u32): i32 {
  const start = list + (count << 3);
  if (!reserve(start + (markedCount << 3))) return -1;
  const mask = <u64>modulus - 1;
  let to = start;
  let sumA: u32 = 0;
  let sumB: u32 = 0;
  let sumC: u32 = 0;
  let sumD: u32 = 0;
  for (let slot = HEAP; slot < HEAP + (slotCount << 2); slot += 4) {
    const held = load<u32>(slot);
    if ((held & MARKED) === 0) continue;
    const value = load<u64>(list + ((<usize>(held & NUMBER)) << 3) - 8);
    const low = <u32>value;
    const high = <u32>(value >> 32);
    sumA += low;
    sumB += high;
    sumC += (low ^ (high >> 16)) * (high | 1);
    sumD += (high ^ (low >> 16)) * (low | 1);
    if ((value & mask) !== 0) continue;
    store<f64>(to, <f64>(<i64>(value & LOW_40)));
    to += 8;
  }
  store<u32>(RESULT, sumA, 36);
  store<u32>(RESULT, sumB, 40);
  store<u32>(RESULT, sumC, 44);
  store<u32>(RESULT, sumD, 48);
  return <i32>((to - start) >> 3);
}

function makeRoom(most: usize): bool {
  if (most << 1 > slotCount && !enlarge(most)) return false;
  return reserve(list + (most << 3));
}

/**
 * Doubles the slots until half of them are enough, and puts every fingerprint into a slot again. The old slots are kept behind
 * the list for so long, for their marks.
 */
function enlarge(most: usize): bool {
  const oldBytes = slotCount << 2;
  while (most << 1 > slotCount) slotCount <<= 1;
  const moved = HEAP + (slotCount << 2);
  const old = moved + (most << 3);
  if (!reserve(old + oldBytes)) return false;
  memory.copy(moved, list, count << 3);
  memory.copy(old, HEAP, oldBytes);
  memory.fill(HEAP, 0, slotCount << 2);
  list = moved;
  const mask = slotCount - 1;
  for (let at = old; at < old + oldBytes; at += 4) {
    const held = load<u32>(at);
    if (held === 0) continue;
    let slot = <usize>(load<u64>(list + ((<usize>(held & NUMBER)) << 3) - 8) >> 32) & mask;
    while (load<u32>(HEAP + (slot << 2)) !== 0) slot = (slot + 1) & mask;
    store<u32>(HEAP + (slot << 2), held);
  }
  return true;
}
