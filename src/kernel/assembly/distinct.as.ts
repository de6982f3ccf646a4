import { HEAP, reserve, WINDOWS } from './layout.as.ts';

/*
 * The set of all fingerprints of a document: core/sketch/distinct.ts, one list instead of two.
 *
 *   HEAP │ slots: 1 + index into the list, 0 = free; at most half of them taken │ list: the fingerprints as they came │ …
 *
 * The list ends the memory and grows with it. When the slots double, the list moves up.
 */

let slotCount: usize = 0;
/** Where the list begins, and how many fingerprints it has. */
export let list: usize = 0;
export let count: usize = 0;

/** Forgets all and makes room for fingerprints; returns false where there is no memory for it. */
export function clearDistinct(slots: usize): bool {
  slotCount = slots;
  count = 0;
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

function makeRoom(most: usize): bool {
  if (most << 1 > slotCount && !enlarge(most)) return false;
  return reserve(list + (most << 3));
}

/** Doubles the slots until half of them are enough, and puts every fingerprint into a slot again. */
function enlarge(most: usize): bool {
  while (most << 1 > slotCount) slotCount <<= 1;
  const moved = HEAP + (slotCount << 2);
  if (!reserve(moved + (most << 3))) return false;
  memory.copy(moved, list, count << 3);
  memory.fill(HEAP, 0, slotCount << 2);
  list = moved;
  const mask = slotCount - 1;
  for (let i: usize = 0; i < count; i++) {
    let slot = <usize>(load<u64>(list + (i << 3)) >> 32) & mask;
    while (load<u32>(HEAP + (slot << 2)) !== 0) slot = (slot + 1) & mask;
    store<u32>(HEAP + (slot << 2), <u32>i + 1);
  }
  return true;
}
