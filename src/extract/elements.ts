/*
 * The elements that mean something to the text of a page, as small whole numbers: 0 is every other element. What each of
 * these flags does is said in page-text.ts (the first seven) and html-scanner.ts (the others).
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

const GROUPS: readonly (readonly [number, string])[] = [
  [
    INLINE,
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr',
  ],
  [HIDDEN, 'script style iframe noembed noframes'],
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
  [HAS_ATTRIBUTES_READ, 'html template'],
];

const flagsByName = new Map<string, number>();
for (const [flag, names] of GROUPS) {
  for (const name of names.split(' ')) flagsByName.set(name, (flagsByName.get(name) ?? 0) | flag);
}

const NAMES = ['', ...flagsByName.keys()];
const elementByName = new Map(NAMES.map((name, element) => [name, element]));

/** The flags of an element, by its number. */
export const FLAGS = Uint16Array.from(NAMES, (name) => flagsByName.get(name) ?? 0);

/** The names of the elements as ASCII, by their numbers. */
export const NAME_BYTES: readonly Uint8Array[] = NAMES.map((name) => new TextEncoder().encode(name));

/** No name in NAMES has more bytes. */
export const NAME_BYTES_MAX = Math.max(...NAMES.map(({ length }) => length));

export const HTML_ELEMENT = elementNamed('html');

/** The number of an element, its name in lower case. */
export function elementNamed(name: string): number {
  return elementByName.get(name) ?? 0;
}

/** A hash table with open addressing: element numbers, 0 for an empty place. */
const PLACES = 512;
const table = new Uint8Array(PLACES);
for (let element = 1; element < NAMES.length; element++) {
  let place = hashOf(NAME_BYTES[element]!, 0, NAME_BYTES[element]!.length);
  while (table[place] !== 0) place = (place + 1) % PLACES;
  table[place] = element;
}

/** Of the first two and the last letter, in whatever case, and the length. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start]! | 0x20;
  const second = bytes[Math.min(start + 1, end - 1)]! | 0x20;
  const last = bytes[end - 1]! | 0x20;
  return (first * 5 + second * 37 + last * 101 + (end - start) * 11) % PLACES;
}

/** The number of the element whose name, in whatever case, is bytes start..end-1; at least one byte. */
export function elementAt(bytes: Uint8Array, start: number, end: number): number {
  for (let place = hashOf(bytes, start, end); ; place = (place + 1) % PLACES) {
    const element = table[place]!;
    if (element === 0 || isNamed(bytes, start, end, NAME_BYTES[element]!)) return element;
  }
}

/** Whether bytes start..end-1 are this name, in whatever case. */
export function isNamed(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) {
    const byte = bytes[start + i]!;
    const expected = name[i]!;
    // only letters have a second spelling
    if (byte !== expected && ((byte | 0x20) !== expected || expected < 0x61)) return false;
  }
  return true;
}
