/*
 * What the attributes of a plain start tag say of its text: ../main/attribute-bits.ts and ../main/class-words.ts in
 * WebAssembly, under the same names.
 */

/** Pairs of Int32, up to an end of two zeros: the first three letters of a role, and its bit. */
export const ROLES: usize = 0x6a00;
/** The table of words of classes, 2,048 slots of Int32 each: their hashes, and their groups. */
export const HASHES: usize = 0x7000;
export const GROUPS: usize = 0x9000;

const HASH_SLOTS_MASK: i32 = 2047;
const TAG_BYTES_READ: usize = 256;
const CLASS_BYTES_READ: usize = 160;
const STYLE_BYTES_READ: usize = 256;
const HIDDEN_BIT: i32 = 1 << 12;
const FOR_AND_AGAINST: i32 = 3 << 25;
const SEED: i32 = 0x811c_9dc5;

const SPACE: u8 = 0x20;
const EQUALS: u8 = 0x3d;
const LOWER_D: u8 = 0x64;
const LOWER_E: u8 = 0x65;
const LOWER_N: u8 = 0x6e;
const LOWER_S: u8 = 0x73;
const LOWER_T: u8 = 0x74;
/** The names that are looked at, in lower case, as little-endian numbers. */
const CLAS: u32 = 0x7361_6c63;
const ROLE: u32 = 0x656c_6f72;
const TYLE: u32 = 0x656c_7974;
const ARIA: u32 = 0x6169_7261;
const HIDD: u32 = 0x6464_6968;
const LOWER: u32 = 0x2020_2020;
/** "display:none", four bytes in a number. */
const DISP: u32 = 0x7073_6964;
const LAY: u32 = 0x3a79_616c;
const NONE: u32 = 0x656e_6f6e;
const DISPLAY_NONE_BYTES: i32 = 12;

/** What the bytes from..to-1 say, which follow the name of a tag. @param kinds the table BYTE_KIND of ../tag-grammar.ts */
export function bitsOf(from: usize, to: usize, kinds: usize): i32 {
  const end = min<usize>(to, from + TAG_BYTES_READ);
  let bits = 0;
  let at = positionOf(EQUALS, from, end);
  while (at < end) {
    const nameEnd = at;
    const value = nameEnd + 2;
    at = min<usize>(positionOf(load<u8>(nameEnd, 1), value, end), max<usize>(value, end));
    bits |= attributeBits(nameEnd, value, at, kinds);
    at = positionOf(EQUALS, at, end);
  }
  return bits;
}

/** Where a byte is next; `end`, or somewhat further, where it is not before that. */
export function positionOf(byte: u8, from: usize, end: usize): usize {
  const wanted = i8x16.splat(byte);
  let at = from;
  while (at < end) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), wanted));
    if (found !== 0) return at + ctz(found);
    at += 16;
  }
  return at;
}

function attributeBits(nameEnd: usize, from: usize, to: usize, kinds: usize): i32 {
  const last = load<u8>(nameEnd - 1) | 0x20;
  if (last === LOWER_S) {
    const isClass = (load<u32>(nameEnd - 5) | LOWER) === CLAS && endsName(nameEnd - 6, kinds);
    return isClass ? groupsOf(from, to) : 0;
  }
  if (last === LOWER_D) {
    const isId = (load<u8>(nameEnd - 2) | 0x20) === 0x69 && endsName(nameEnd - 3, kinds);
    return isId ? groupsOf(from, to) : 0;
  }
  if (last === LOWER_E) {
    const name = load<u32>(nameEnd - 4) | LOWER;
    if (name === ROLE && endsName(nameEnd - 5, kinds)) return roleBits(from, to);
    const isStyle = name === TYLE && (load<u8>(nameEnd - 5) | 0x20) === LOWER_S && endsName(nameEnd - 6, kinds);
    return isStyle && saysDisplayNone(from, to) ? HIDDEN_BIT : 0;
  }
  if (last !== LOWER_N || (load<u32>(nameEnd - 11) | LOWER) !== ARIA) return 0;
  if ((load<u32>(nameEnd - 6) | LOWER) !== HIDD || (load<u8>(nameEnd - 2) | 0x20) !== LOWER_E) return 0;
  const isHidden = (load<u8>(nameEnd - 7) | 0x20) === 0x2d && endsName(nameEnd - 12, kinds);
  return isHidden && (load<u8>(from) | 0x20) === LOWER_T ? HIDDEN_BIT : 0;
}

/** Whether a name may begin behind the byte there. */
function endsName(at: usize, kinds: usize): bool {
  return load<u8>(kinds + load<u8>(at)) !== 0;
}

function groupsOf(from: usize, to: usize): i32 {
  const end = min<usize>(to, from + CLASS_BYTES_READ);
  let found = 0;
  let at = from;
  while (at < end) {
    const first = letterAt(at++);
    if (first === 0) continue;
    let hash = withLetter(SEED, first);
    let wasLower = <u32>load<u8>(at - 1) === first;
    while (at < end) {
      const letter = letterAt(at);
      const isLower = letter === <u32>load<u8>(at);
      if (letter === 0 || (wasLower && !isLower)) break;
      hash = withLetter(hash, letter);
      wasLower = isLower;
      at++;
    }
    found |= groupOf(hash);
  }
  return (found & FOR_AND_AGAINST) === FOR_AND_AGAINST ? found & ~FOR_AND_AGAINST : found;
}

/** A letter in lower case; 0 where it is none. */
function letterAt(at: usize): u32 {
  const lower = <u32>load<u8>(at) | 0x20;
  return lower - 0x61 < 26 ? lower : 0;
}

function withLetter(hash: i32, letter: u32): i32 {
  return (hash ^ <i32>letter) * 0x0100_0193;
}

function groupOf(hash: i32): i32 {
  let slot = (hash ^ <i32>(<u32>hash >> 15)) & HASH_SLOTS_MASK;
  let group = load<i32>(GROUPS + 4 * slot);
  while (group !== 0 && load<i32>(HASHES + 4 * slot) !== hash) {
    slot = (slot + 1) & HASH_SLOTS_MASK;
    group = load<i32>(GROUPS + 4 * slot);
  }
  return group;
}

function roleBits(from: usize, to: usize): i32 {
  if (to - from < 3) return 0;
  const role = (load<u32>(from) & 0xff_ffff) | 0x20_2020;
  for (let at: usize = ROLES; load<u32>(at) !== 0; at += 8) if (load<u32>(at) === role) return load<i32>(at, 4);
  return 0;
}

function saysDisplayNone(from: usize, to: usize): bool {
  const end = min<usize>(to, from + STYLE_BYTES_READ);
  let matched = 0;
  for (let at = from; at < end && matched < DISPLAY_NONE_BYTES; at++) {
    const byte = load<u8>(at);
    if (byte === SPACE) continue;
    const lower = byte | 0x20;
    const four = matched < 4 ? DISP : matched < 8 ? LAY : NONE;
    const wanted = <u8>(four >> (8 * (matched & 3)));
    matched = lower === wanted ? matched + 1 : lower === LOWER_D ? 1 : 0;
  }
  return matched === DISPLAY_NONE_BYTES;
}
