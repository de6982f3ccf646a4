/* The names of elements: ../elements.ts in WebAssembly. */

/** Uint8 for each byte: NAME_BYTE of ../elements.ts. */
export const NAME_BYTE: usize = 0x400;
/** The table of names of ../elements.ts. Uint8: SLOTS; and by elements: Uint16, Int32, Int32, Uint8, and 16 Uint8. */
export const SLOTS: usize = 0x600;
export const FLAGS: usize = 0xa00;
export const LOW: usize = 0xc00;
export const HIGH: usize = 0x1000;
export const LENGTH: usize = 0x1400;
export const NAMES: usize = 0x1500;

const PACKED_BYTES: i32 = 8;
/** No name of an element is longer. */
const NAME_BYTES_MOST: i32 = 14;
const NEWLINE: u8 = 0x0a;
const SPACE: u8 = 0x20;
const SLASH: u8 = 0x2f;
const GREATER: u8 = 0x3e;

/** The element whose name begins at `start` + 256 times the bytes of the name, of which no more than 15 are looked at. */
export function elementAt(start: usize): i32 {
  const bytes = v128.load(start);
  const capitals = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
  const name = v128.or(bytes, v128.and(capitals, i8x16.splat(0x20)));
  const breaks = v128.or(
    v128.or(i8x16.eq(bytes, i8x16.splat(SPACE)), i8x16.eq(bytes, i8x16.splat(NEWLINE))),
    v128.or(i8x16.eq(bytes, i8x16.splat(0x09)), i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x0c)), i8x16.splat(2))),
  );
  const marks = v128.or(i8x16.eq(bytes, i8x16.splat(SLASH)), i8x16.eq(bytes, i8x16.splat(GREATER)));
  // the bit behind the last name stands for one that goes on
  const length = ctz(i8x16.bitmask(v128.or(breaks, marks)) | (1 << (NAME_BYTES_MOST + 1)));
  const packed = i64x2.extract_lane(name, 0) & (length < PACKED_BYTES ? ((<i64>1) << ((<i64>length) << 3)) - 1 : -1);
  const low = <i32>packed;
  const high = <i32>(packed >> 32);
  const hash = (low ^ (high * 0x85eb_ca6b)) * 0x9e37_79b1;
  let slot = <i32>(<u32>hash >> 22);
  let element = <i32>load<u8>(SLOTS + slot);
  while (element !== 0 && !isElement(element, low, high, length, start)) {
    slot = (slot + 1) & 1023;
    element = <i32>load<u8>(SLOTS + slot);
  }
  return (length << 8) | element;
}

function isElement(element: i32, low: i32, high: i32, length: i32, start: usize): bool {
  if (load<i32>(LOW + 4 * element) !== low || load<i32>(HIGH + 4 * element) !== high) return false;
  if (<i32>load<u8>(LENGTH + element) !== length) return false;
  return length <= PACKED_BYTES || isNamed(start, NAMES + 16 * element, length);
}

function isNamed(start: usize, name: usize, length: i32): bool {
  for (let i = 0; i < length; i++) if (nameByte(start + i) !== <i32>load<u8>(name + i)) return false;
  return true;
}

export function nameByte(at: usize): i32 {
  return load<u8>(NAME_BYTE + load<u8>(at));
}
