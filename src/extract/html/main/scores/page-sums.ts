import { type BlockTable, LEVELS } from '../block-table.ts';
import { H1_TAG, TAGS } from '../element-kinds.ts';

/** Words from which on a block is an ordinary paragraph, unless so much of it is links. */
const GOOD_WORDS = 10;
const GOOD_LINKED = 1 / 3;
/** Words of a sentence. */
const SENTENCE_WORDS = 12;
const ROOM_LEAST = 1024;

/**
 * Numbers of a page as a whole and of each of its elements, which one pass over the blocks adds up. "Good" words are those of
 * paragraphs.
 */
export class PageSums {
  linkShare: Float32Array = new Float32Array(ROOM_LEAST);
  sentences: Float32Array = new Float32Array(ROOM_LEAST);
  /** Good words before each block. */
  goodBefore: Float64Array = new Float64Array(ROOM_LEAST + 1);
  readonly siblings = new Siblings();
  goodTotal = 1;
  /** Its logarithm, as a feature. */
  logGood = 0;
  words = 0;
  /** The element with most good words among those at the second level, at the third, and at any; -1 where there are none. */
  topSecond = -1;
  topThird = -1;
  top = -1;
  /** The first heading of the first rank; -1 where there is none. */
  h1 = -1;
  /** Good words in each element, at any level; 0 of no element. Times perWord, its share of all good words. */
  goodIn: Float64Array = new Float64Array(ROOM_LEAST);
  perWord = 1;
  /** Where the group of each block stands among the siblings. */
  groups: Uint32Array = new Uint32Array(ROOM_LEAST);
  /** Good words in each element, at two levels. */
  #second = new Float64Array(ROOM_LEAST);
  #third = new Float64Array(ROOM_LEAST);

  begin({ columns, count, elements }: BlockTable): void {
    this.#makeRoom(count, elements);
    const { words, linked, around, tag, sentences } = columns;
    const { linkShare, goodBefore, goodIn, groups, siblings } = this;
    const second = this.#second;
    const third = this.#third;
    siblings.begin(count);
    let total = 0;
    let good = 0;
    this.h1 = -1;
    for (let i = 0; i < count; i++) {
      const own = words[i]!;
      const share = linked[i]! / own;
      linkShare[i] = share;
      this.sentences[i] = Math.min(1, sentences[i]! / Math.max(1, own / SENTENCE_WORDS));
      goodBefore[i] = good;
      const at = LEVELS * i;
      if (own >= GOOD_WORDS && share < GOOD_LINKED) {
        good += own;
        for (let level = 0; level < LEVELS; level++) goodIn[around[at + level]!]! += own;
        second[around[at + 1]!]! += own;
        third[around[at + 2]!]! += own;
      }
      total += own;
      groups[i] = siblings.add(around[at + 1]!, tag[i]!, own, linked[i]!);
      if (this.h1 < 0 && tag[i] === H1_TAG && own >= 2) this.h1 = i;
    }
    goodIn[0] = 0;
    goodBefore[count] = good;
    this.goodTotal = good || 1;
    this.logGood = Math.log1p(this.goodTotal) / 8;
    this.perWord = 1 / this.goodTotal;
    this.words = total;
    this.topSecond = greatest(second, elements);
    this.topThird = greatest(third, elements);
    this.top = greatest(goodIn, elements);
  }

  #makeRoom(count: number, elements: number): void {
    if (count > this.linkShare.length || elements > this.goodIn.length) {
      const room = 2 * Math.max(count, Math.ceil(elements / LEVELS));
      this.linkShare = new Float32Array(room);
      this.sentences = new Float32Array(room);
      this.groups = new Uint32Array(room);
      this.goodBefore = new Float64Array(room + 1);
      this.goodIn = new Float64Array(LEVELS * room);
      this.#second = new Float64Array(LEVELS * room);
      this.#third = new Float64Array(LEVELS * room);
    } else {
      this.goodIn.fill(0, 0, elements);
      this.#second.fill(0, 0, elements);
      this.#third.fill(0, 0, elements);
    }
  }
}

/** Where the greatest of the first `count` values is that belong to an element; -1 where all are 0. */
function greatest(values: Float64Array, count: number): number {
  let found = -1;
  let most = 0;
  for (let i = 1; i < count; i++) {
    if (values[i]! <= most) continue;
    most = values[i]!;
    found = i;
  }
  return found;
}

/** Blocks with one kind of own element, in one parent: a hash table with open addressing. */
class Siblings {
  count: Uint32Array = new Uint32Array(0);
  words: Uint32Array = new Uint32Array(0);
  linked: Uint32Array = new Uint32Array(0);
  #keys = new Uint32Array(0);
  #mask = 0;

  /** Forgets all, and makes room for the groups of so many blocks. */
  begin(blocks: number): void {
    const slots = Math.max(64, 2 ** (33 - Math.clz32(blocks)));
    this.#mask = slots - 1;
    if (slots > this.#keys.length) {
      this.#keys = new Uint32Array(slots);
      this.count = new Uint32Array(slots);
      this.words = new Uint32Array(slots);
      this.linked = new Uint32Array(slots);
      return;
    }
    for (const column of [this.#keys, this.count, this.words, this.linked]) column.fill(0, 0, slots);
  }

  /** Adds a block. Returns where its group stands. */
  add(parent: number, tag: number, words: number, linked: number): number {
    const key = parent * TAGS.length + tag + 1;
    const keys = this.#keys;
    const mask = this.#mask;
    let slot = (Math.imul(key, 0x9e37_79b1) >>> 8) & mask;
    while (keys[slot] !== key && keys[slot] !== 0) slot = (slot + 1) & mask;
    keys[slot] = key;
    this.count[slot]!++;
    this.words[slot]! += words;
    this.linked[slot]! += linked;
    return slot;
  }
}
