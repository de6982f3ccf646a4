import { BYTE_KIND } from '../tag-grammar.ts';
import { groupsOf } from './class-words.ts';
import { ARTICLE_BIT, HIDDEN_BIT, MAIN_BIT, ROLE_BIT } from './element-kinds.ts';

/* What the attributes class, id, role, aria-hidden and style of a start tag say of the text in it, as bits. */

/** Roles by their first three letters, the first lowest: among roles that is enough, and no other value is a role. */
export const ROLES = new Map<number, number>();
for (const [bit, roles] of [
  [MAIN_BIT, 'main'],
  [ARTICLE_BIT, 'article'],
  [ROLE_BIT, 'navigation banner contentinfo complementary search dialog alertdialog menu toolbar tablist'],
] as const) {
  for (const role of roles.split(' ')) ROLES.set(packed(new TextEncoder().encode(role), 0), bit);
}
const NAMES = ['class', 'id', 'role', 'aria-hidden', 'style'] as const;
const NAME_BYTES = NAMES.map((name) => new TextEncoder().encode(name));
const [CLASS, ID, ROLE, ARIA_HIDDEN] = [0, 1, 2, 3];
/** display:none, as styles of elements spell it, white space apart. */
const DISPLAY_NONE = new TextEncoder().encode('display:none');
const STYLE_BYTES_READ = 256;

/** So much of a tag is looked at. What matters comes early, but for tags with more in them than the text that they are for. */
const TAG_BYTES_READ = 256;
const EQUALS = 0x3d;

/** What the attributes of a plain start tag say (plain-tags.ts), of which bytes from..to-1 follow the name. */
export function plainTagBits(bytes: Uint8Array, from: number, to: number): number {
  const end = Math.min(to, from + TAG_BYTES_READ);
  let bits = 0;
  for (let at = from; at < end; ) {
    if (bytes[at++] !== EQUALS) continue;
    const quote = bytes[at]!;
    const value = at + 1;
    for (at++; at < end && bytes[at] !== quote; at++);
    if (LAST_LETTERS[bytes[value - 3]!] !== 0) bits |= attributeBits(bytes, value - 2, value, at);
  }
  return bits;
}

/** For every byte: 1 where the name of an attribute that is looked at may end with it. */
const LAST_LETTERS = new Uint8Array(256);
for (const name of NAMES) {
  const last = name.charCodeAt(name.length - 1);
  LAST_LETTERS[last] = 1;
  LAST_LETTERS[last & ~0x20] = 1;
}

/** What an attribute says, whose name ends before `nameEnd` and whose value is bytes from..to-1. */
export function attributeBits(bytes: Uint8Array, nameEnd: number, from: number, to: number): number {
  const attribute = attributeBefore(bytes, nameEnd);
  if (attribute < 0) return 0;
  if (attribute === CLASS || attribute === ID) return groupsOf(bytes, from, to);
  if (attribute === ROLE) return roleBits(bytes, from, to);
  if (attribute === ARIA_HIDDEN) return (bytes[from]! | 0x20) === 0x74 ? HIDDEN_BIT : 0;
  return saysDisplayNone(bytes, from, to) ? HIDDEN_BIT : 0;
}

/** Which of NAMES ends before `end`, by its place; -1 where it is none. */
function attributeBefore(bytes: Uint8Array, end: number): number {
  if (LAST_LETTERS[bytes[end - 1]!] === 0) return -1;
  for (let i = 0; i < NAME_BYTES.length; i++) if (isNameBefore(bytes, end, NAME_BYTES[i]!)) return i;
  return -1;
}

function isNameBefore(bytes: Uint8Array, end: number, name: Uint8Array): boolean {
  const start = end - name.length;
  for (let i = name.length - 1; i >= 0; i--) if ((bytes[start + i]! | 0x20) !== (name[i]! | 0x20)) return false;
  return BYTE_KIND[bytes[start - 1]!] !== 0;
}

function roleBits(bytes: Uint8Array, from: number, to: number): number {
  return to - from < 3 ? 0 : (ROLES.get(packed(bytes, from)) ?? 0);
}

function packed(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | 0x20_2020;
}

function saysDisplayNone(bytes: Uint8Array, from: number, to: number): boolean {
  const end = Math.min(to, from + STYLE_BYTES_READ);
  let matched = 0;
  for (let at = from; at < end && matched < DISPLAY_NONE.length; at++) {
    const byte = bytes[at]!;
    if (byte === 0x20) continue;
    const lower = byte | 0x20;
    matched = lower === DISPLAY_NONE[matched] || byte === DISPLAY_NONE[matched] ? matched + 1 : lower === 0x64 ? 1 : 0;
  }
  return matched === DISPLAY_NONE.length;
}
