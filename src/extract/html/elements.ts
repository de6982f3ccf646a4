/*
 * The elements that mean something to the text of a page, as small whole numbers: 0 is every other element. What each of
 * these flags does is said in page-text.ts (the first seven), hidden-element.ts (the last two) and html-scanner.ts.
 */

/** Vanishes inside a word. */
export const INLINE = 0x001;
/** Its content is no text. */
export const HIDDEN = 0x002;
/** <svg> and <math>. */
export const FOREIGN = 0x004;
export const TEMPLATE = 0x008;
export const TITLE = 0x010;
/** A start tag that ends the drawing or formula around it: WHATWG HTML, "the rules for parsing tokens in foreign content". */
export const ENDS_FOREIGN = 0x020;
/** No text inside a drawing or formula. */
export const HIDDEN_IN_FOREIGN = 0x040;
/** In its content only its own end tag is markup. */
export const RAW_TEXT = 0x080;
/** The same, but references are. */
export const ESCAPABLE_RAW_TEXT = 0x100;
export const SCRIPT = 0x200;
/** What follows it is text to the end of the page. */
export const PLAINTEXT = 0x400;
/** Its attributes are looked at. */
export const HAS_ATTRIBUTES_READ = 0x800;
/** Has no content. */
export const VOID = 0x1000;
/** End tags of ordinary elements do not reach out of it: WHATWG HTML, "special". */
export const SPECIAL = 0x2000;

/** Not known. */
const UNKNOWN = 0x4000;

/** Whoever has none of the others does nothing but separate words, or not even that, outside drawings and formulas. */
export const MEANING = ~(INLINE | ENDS_FOREIGN | HIDDEN_IN_FOREIGN | VOID | SPECIAL | UNKNOWN);
/** In XHTML an unknown name may be a known one behind a prefix. */
export const MEANING_IN_XHTML = MEANING | UNKNOWN;

const GROUPS: readonly (readonly [number, string])[] = [
  [
    INLINE,
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rbc rp rt rtc ruby s samp small span strike strong sub sup time tt u var wbr',
  ],
  [HIDDEN, 'script style iframe noembed noframes datalist rp rt rtc audio video'],
  [FOREIGN, 'svg math'],
  [TEMPLATE, 'template'],
  [TITLE, 'title'],
  [
    ENDS_FOREIGN,
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
  ],
  [HIDDEN_IN_FOREIGN, 'title desc metadata annotation annotation-xml'],
  [RAW_TEXT, 'style iframe noembed noframes xmp'],
  [ESCAPABLE_RAW_TEXT, 'title textarea'],
  [SCRIPT, 'script'],
  [PLAINTEXT, 'plaintext'],
  [HAS_ATTRIBUTES_READ, 'html template dialog'],
  [0, 'optgroup option'],
  [VOID, 'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'],
  [
    SPECIAL,
    'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp',
  ],
];

const flagsByName = new Map<string, number>();
for (const [flag, names] of GROUPS) {
  for (const name of names.split(' ')) flagsByName.set(name, (flagsByName.get(name) ?? 0) | flag);
}

const NAMES = ['', ...flagsByName.keys()];
const elementByName = new Map(NAMES.map((name, element) => [name, element]));

/** The flags of an element, by its number. */
export const FLAGS = Uint16Array.from(NAMES, (name) => flagsByName.get(name) ?? UNKNOWN);

/** The names of the elements as ASCII, by their numbers. */
export const NAME_BYTES: readonly Uint8Array[] = NAMES.map((name) => new TextEncoder().encode(name));

/** No name in NAMES has more bytes. */
export const NAME_BYTES_MAX = Math.max(...NAMES.map(({ length }) => length));

/** For every byte: 0 where it ends the name of a tag, else the byte in lower case (1 for NUL, which is in no name). */
export const NAME_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => {
  if ('\t\n\f\r />'.includes(String.fromCharCode(byte))) return 0;
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte || 1;
});

/** The number of an element, its name in lower case. */
export function elementNamed(name: string): number {
  return elementByName.get(name) ?? 0;
}

/** The same in XHTML, where a name may have a prefix, which is not looked at if it has no more than NAME_BYTES_MAX bytes. */
export function elementNamedInXhtml(name: string): number {
  const [prefix] = name.split(':', 1) as [string];
  if (prefix === name || new TextEncoder().encode(prefix).length > NAME_BYTES_MAX) return elementNamed(name);
  return elementNamed(name.slice(prefix.length + 1));
}

/** The first four and the next four bytes of each name, the first lowest: with its length, nearly all that tells them apart. */
export const LOW = Int32Array.from(NAME_BYTES, (name) => packed(name, 0));
export const HIGH = Int32Array.from(NAME_BYTES, (name) => packed(name, 4));
export const LENGTH = Uint8Array.from(NAME_BYTES, ({ length }) => length);
const PACKED_BYTES = 8;
const COLON = 0x3a;

function packed(name: Uint8Array, from: number): number {
  return name.subarray(from, from + 4).reduce((value, byte, i) => value | (byte << (8 * i)), 0);
}

/** A hash table with open addressing: element numbers, 0 for an empty slot. */
export const SLOTS = new Uint8Array(1024);
for (let element = 1; element < NAMES.length; element++) {
  let slot = slotOf(LOW[element]!, HIGH[element]!);
  while (SLOTS[slot] !== 0) slot = (slot + 1) % SLOTS.length;
  SLOTS[slot] = element;
}

function slotOf(low: number, high: number): number {
  return Math.imul(low ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1) >>> 22;
}

/**
 * The element whose name, in whatever case, begins at `start`: its number + 256 times the bytes of the name, of which no
 * more than NAME_BYTES_MAX + 1 are looked at.
 */
export function elementAt(bytes: Uint8Array, start: number): number {
  let low = 0;
  let high = 0;
  let length = 0;
  for (let byte = NAME_BYTE[bytes[start]!]!; byte !== 0 && length <= NAME_BYTES_MAX; ) {
    // a shift goes by its number modulo 32
    if (length < 4) low |= byte << (8 * length);
    else if (length < PACKED_BYTES) high |= byte << (8 * length);
    byte = NAME_BYTE[bytes[start + ++length]!]!;
  }
  for (let slot = slotOf(low, high); ; slot = (slot + 1) % SLOTS.length) {
    const element = SLOTS[slot]!;
    if (element === 0) return length << 8;
    if (LOW[element] === low && HIGH[element] === high && LENGTH[element] === length) {
      if (length <= PACKED_BYTES || isNamed(bytes, start, NAME_BYTES[element]!)) return (length << 8) | element;
    }
  }
}

/**
 * The element whose name stands behind a prefix and a colon, by its number: 0 where there is none of that name, or the prefix
 * does not end before `end`.
 */
export function elementBehindPrefix(bytes: Uint8Array, start: number, end: number): number {
  let colon = start;
  while (colon < end && bytes[colon] !== COLON) colon++;
  if (colon === end) return 0;
  const found = elementAt(bytes, colon + 1);
  return NAME_BYTE[bytes[colon + 1 + (found >> 8)]!] === 0 ? found & 0xff : 0;
}

/** Whether this name, in whatever case, begins at `start` and ends there. */
export function isNamed(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if (NAME_BYTE[bytes[start + i]!] !== name[i]) return false;
  return NAME_BYTE[bytes[start + name.length]!] === 0;
}

export const HTML_ELEMENT = elementNamed('html');
