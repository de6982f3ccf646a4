/*
 * The order of byte strings that lie in one buffer, by four bytes at a time (Bentley and Sedgewick 1997, "Fast algorithms for
 * sorting and searching strings"). Strings are split in three: their next four bytes are below, equal to or above those of one
 * of them. Only the equal ones go on to the four behind.
 *
 *   com.example NUL https://example.com/0171
 *   └── all alike: looked at once ─────┘└──┘ split
 *
 * Cost: 4 bytes a string beside its place; .7 to 1.3 µs a string to sort a million addresses, and read them in order.
 */

/** Strings that lie at places: where each begins and ends. None ends with 0, and no two are equal. */
export interface Strings {
  readonly bytes: Buffer;
  begin(place: number): number;
  end(place: number): number;
}

/** Strings that agree up to `depth`, and whether their next words are there. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  readonly isLoaded: boolean;
}

/** Fewer are sorted by looking at each. */
const FEW = 8;
const WORD_BYTES = 4;

/** Brings places into the order of their strings. */
export function sortPlaces(places: Uint32Array, strings: Strings): void {
  const words = new Uint32Array(places.length);
  const parts: Part[] = [{ from: 0, to: places.length, depth: 0, isLoaded: false }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { from, to, depth } = part;
    if (to - from <= FEW) {
      sortFew(places, part, strings);
      continue;
    }
    if (!part.isLoaded) for (let i = from; i < to; i++) words[i] = wordAt(strings, places[i]!, depth);
    const [equal, above] = splitByWord(places, words, from, to);
    parts.push({ ...part, to: equal, isLoaded: true }, { ...part, from: above, isLoaded: true });
    parts.push({ from: equal, to: above, depth: depth + WORD_BYTES, isLoaded: false });
  }
}

/** Zeros follow where a string ends. */
function wordAt({ bytes, begin, end }: Strings, place: number, depth: number): number {
  const at = begin(place) + depth;
  const stop = end(place);
  if (at + WORD_BYTES <= stop) return bytes.readUInt32BE(at);
  let word = 0;
  for (let i = at; i < at + WORD_BYTES; i++) word = word * 256 + (i < stop ? bytes[i]! : 0);
  return word;
}

/** @returns where those begin that are equal to one among them, and those that are above */
function splitByWord(places: Uint32Array, words: Uint32Array, from: number, to: number): [number, number] {
  const pivot = middleOf(words[from]!, words[(from + to) >>> 1]!, words[to - 1]!);
  let equal = from;
  let above = to;
  for (let i = from; i < above; ) {
    const word = words[i]!;
    if (word === pivot) i++;
    else if (word < pivot) swap(places, words, i++, equal++);
    else swap(places, words, i, --above);
  }
  return [equal, above];
}

const middleOf = (a: number, b: number, c: number) => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));

function swap(places: Uint32Array, words: Uint32Array, i: number, j: number): void {
  const place = places[i]!;
  const word = words[i]!;
  places[i] = places[j]!;
  words[i] = words[j]!;
  places[j] = place;
  words[j] = word;
}

function sortFew(places: Uint32Array, { from, to, depth }: Part, strings: Strings): void {
  for (let i = from + 1; i < to; i++) {
    const place = places[i]!;
    let at = i;
    for (; at > from && isBelow(strings, place, places[at - 1]!, depth); at--) places[at] = places[at - 1]!;
    places[at] = place;
  }
}

/** Of two that agree up to `depth`. */
function isBelow({ bytes, begin, end }: Strings, one: number, other: number, depth: number): boolean {
  const [oneEnd, otherEnd] = [end(one), end(other)];
  let at = begin(one) + depth;
  let to = begin(other) + depth;
  while (at < oneEnd && to < otherEnd && bytes[at] === bytes[to]) {
    at++;
    to++;
  }
  return at >= oneEnd || (to < otherEnd && bytes[at]! < bytes[to]!);
}
