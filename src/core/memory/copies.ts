/*
 * Memory for the doubles of results. Making an ArrayBuffer takes longer than filling a small one: with its collection, a
 * third of the time of a short text. So short results lie one behind the other in blocks. A block lives as long as any
 * result in it. So whoever keeps one result of many for long copies it, and whoever hands a buffer over to a thread packs
 * what it hands over.
 */

const BLOCK_DOUBLES = 4096;
/** Longer copies get memory of their own. */
const SHARED_DOUBLES_MAX = 1024;

/** Memory for so many doubles, all 0. */
export type Room = (count: number) => Float64Array;

export function createRoom(): Room {
  let block = new Float64Array(BLOCK_DOUBLES);
  let used = 0;
  return (count) => {
    if (count > SHARED_DOUBLES_MAX) return new Float64Array(count);
    if (used + count > BLOCK_DOUBLES) {
      block = new Float64Array(BLOCK_DOUBLES);
      used = 0;
    }
    const room = new Float64Array(block.buffer, 8 * used, count);
    used += count;
    return room;
  };
}

/** A copy of values[from] … values[to - 1]. */
export type Copier = (values: Float64Array, from: number, to: number) => Float64Array;

export function createCopier(): Copier {
  const room = createRoom();
  return (values, from, to) => {
    const count = to - from;
    if (count > SHARED_DOUBLES_MAX) return values.slice(from, to);
    const copy = room(count);
    for (let i = 0; i < count; i++) copy[i] = values[from + i]!;
    return copy;
  };
}

/** A copy of bytes in the memory of a room. */
export function copyBytes(bytes: Uint8Array, room: Room): Uint8Array {
  const { buffer, byteOffset } = room(Math.ceil(bytes.length / Float64Array.BYTES_PER_ELEMENT));
  const copy = new Uint8Array(buffer, byteOffset, bytes.length);
  copy.set(bytes);
  return copy;
}
