import { runToEnd } from '../../../core/memory/steps.ts';

/*
 * The postings that no segment has yet, in memory, found by hashing.
 *
 *   heads     hash of a fingerprint -> its newest posting + 1, 0 = none
 *   next      posting -> the posting before it with the same hash + 1, 0 = none
 *   low, high, contents                 the postings in order of arrival (rows/sort.ts)
 *   published                           how many there are, a content at a time
 *
 *   fingerprint ── heads[hash] ── posting 9 ── posting 4 ── posting 1
 *
 * Each step of such a chain misses the caches. So a list that was found to be long is written down in one piece, and
 * from then on only what came after is walked.
 *
 * All of it is memory that threads share: one adds, others ask meanwhile. A posting is whole before its head names it, and a
 * content is whole before it is published. Who asks takes the count first, and passes over what came after it.
 *
 * Cost: 17 bytes a posting and 4 to 8 a slot; adding one, two writes to memory that is not in a cache.
 */

/** Fibonacci hashing: 2^32 / golden ratio. */
const SPREAD = 0x9e37_79b1;
/** Postings that are added in one step: 10 ms where each is a miss of all caches. */
export const STEP_POSTINGS = 2 ** 16;
const LONG_LIST = 256;
const NONE = new Uint32Array(0);

/** The memory of a tail. Plain data: threads give it to one another. */
export interface TailMemory {
  readonly firstContent: number;
  readonly low: Uint32Array<SharedArrayBuffer>;
  readonly high: Uint8Array<SharedArrayBuffer>;
  readonly contents: Uint32Array<SharedArrayBuffer>;
  readonly next: Uint32Array<SharedArrayBuffer>;
  readonly heads: Uint32Array<SharedArrayBuffer>;
  readonly published: Uint32Array<SharedArrayBuffer>;
}

export const tailBytes = ({ low, high, contents, next, heads }: TailMemory): number =>
  low.byteLength + high.byteLength + contents.byteLength + next.byteLength + heads.byteLength;

/** Contents of a long list, ascending, as far as posting `upTo`. */
interface LongList {
  contents: Uint32Array;
  size: number;
  upTo: number;
}

/**
 * Names what may be found: a content that comes is added to a tail, whose count grows, or there are other tails.
 *
 * @param changes another number whenever there are other segments or tails
 */
export function editionOf(changes: number, tails: readonly Tail[]): string {
  return [changes, ...tails.map(({ count }) => count)].join('-');
}

export class Tail {
  readonly memory: TailMemory;
  /** The last content added by this thread; firstContent - 1 while there is none. */
  lastContent: number;
  contentCount = 0;
  /** Postings that were added by this thread. */
  private added = 0;
  private readonly shift: number;
  private readonly long = new Map<number, LongList>();
  private found: Uint32Array = new Uint32Array(1024);

  /** @param memory of a new tail, or of one that another thread adds to */
  constructor(memory: TailMemory) {
    this.memory = memory;
    this.lastContent = memory.firstContent - 1;
    this.shift = 32 - Math.log2(memory.heads.length);
  }

  /** @param capacity postings, 2 or more */
  static create(firstContent: number, capacity: number): Tail {
    const bits = Math.max(1, Math.floor(Math.log2(capacity)));
    const words = (count: number) => new Uint32Array(new SharedArrayBuffer(4 * count));
    const columns = { low: words(capacity), high: new Uint8Array(new SharedArrayBuffer(capacity)) };
    const chains = { next: words(capacity), heads: words(2 ** bits), published: words(1) };
    return new Tail({ firstContent, ...columns, contents: words(capacity), ...chains });
  }

  get firstContent(): number {
    return this.memory.firstContent;
  }

  get capacity(): number {
    return this.memory.next.length;
  }

  /** Postings of whole contents. */
  get count(): number {
    return Atomics.load(this.memory.published, 0);
  }

  get bytes(): number {
    let bytes = tailBytes(this.memory);
    for (const { contents } of this.long.values()) bytes += contents.byteLength;
    return bytes;
  }

  /** @param fingerprints as many as there is room for at most */
  add(content: number, fingerprints: Float64Array, digest: number): void {
    runToEnd(this.addSteps(content, fingerprints, digest));
  }

  /** The same in steps, between which nobody may add anything else, or ask. */
  *addSteps(content: number, fingerprints: Float64Array, digest: number): Generator<undefined, void> {
    for (let from = 0; from < fingerprints.length; from += STEP_POSTINGS) {
      if (from > 0) yield;
      this.addPostings(content, fingerprints, from, Math.min(fingerprints.length, from + STEP_POSTINGS));
    }
    this.addPosting(digest, content);
    this.lastContent = content;
    this.contentCount++;
    Atomics.store(this.memory.published, 0, this.added);
  }

  /**
   * The contents that hold a fingerprint.
   *
   * @param before only the first so many postings count: `count` at an earlier moment
   * @returns distinct, in no order; a view of memory that the next call may use again
   */
  list(fingerprint: number, before: number): Uint32Array {
    const known = this.long.size === 0 ? undefined : this.long.get(fingerprint);
    const { size, newest } = this.walk(fingerprint, known?.upTo ?? 0);
    const last = before === 0 ? -1 : this.memory.contents[before - 1]!;
    if (known === undefined && size === 0) return NONE;
    if (known === undefined && size < LONG_LIST) {
      let first = 0;
      while (first < size && this.found[first]! > last) first++;
      return this.found.subarray(first, size);
    }
    const list = known ?? { contents: new Uint32Array(2 * size), size: 0, upTo: 0 };
    this.long.set(fingerprint, list);
    this.writeDown(list, size, newest);
    let end = list.size;
    while (end > 0 && list.contents[end - 1]! > last) end--;
    return list.contents.subarray(0, end);
  }

  /** Has near, all at once, what each {@link list} of these begins with. @returns of no use, but not to be left out */
  touch(fingerprints: Float64Array): number {
    const { heads } = this.memory;
    let near = 0;
    for (let i = 0; i < fingerprints.length; i++) {
      const fingerprint = fingerprints[i]!;
      near ^= heads[this.slot(fingerprint >>> 0, Math.floor(fingerprint / 0x1_0000_0000))]!;
    }
    return near;
  }

  /** Finds the contents of a list that came after posting `from`, newest first. @returns how many, and up to which posting */
  private walk(fingerprint: number, from: number): { size: number; newest: number } {
    const { low, high, contents, next, heads } = this.memory;
    const wantedLow = fingerprint >>> 0;
    const wantedHigh = Math.floor(fingerprint / 0x1_0000_0000);
    let size = 0;
    const newest = Atomics.load(heads, this.slot(wantedLow, wantedHigh));
    for (let at = newest; at > from; at = next[at - 1]!) {
      if (low[at - 1] !== wantedLow || high[at - 1] !== wantedHigh) continue;
      if (size === this.found.length) this.found = grown(this.found);
      this.found[size++] = contents[at - 1]!;
    }
    return { size, newest };
  }

  private writeDown(list: LongList, size: number, newest: number): void {
    while (list.size + size > list.contents.length) list.contents = grown(list.contents);
    for (let i = size - 1; i >= 0; i--) list.contents[list.size++] = this.found[i]!;
    list.upTo = Math.max(list.upTo, newest);
  }

  private addPostings(content: number, fingerprints: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) this.addPosting(fingerprints[i]!, content);
  }

  private addPosting(fingerprint: number, content: number): void {
    const { low, high, contents, next, heads } = this.memory;
    const at = this.added++;
    const wantedLow = fingerprint >>> 0;
    const wantedHigh = Math.floor(fingerprint / 0x1_0000_0000);
    low[at] = wantedLow;
    high[at] = wantedHigh;
    contents[at] = content;
    const slot = this.slot(wantedLow, wantedHigh);
    next[at] = heads[slot]!;
    Atomics.store(heads, slot, at + 1);
  }

  private slot(low: number, high: number): number {
    return Math.imul(low ^ (high << 24), SPREAD) >>> this.shift;
  }
}

function grown(array: Uint32Array): Uint32Array {
  const larger = new Uint32Array(2 * array.length);
  larger.set(array);
  return larger;
}

/**
 * A tail of one content, in steps of some 10 ms at the most: of so many postings that to add them at once would hold up
 * everything else.
 */
export function* tailSteps(content: number, fingerprints: Float64Array, digest: number): Generator<undefined, Tail> {
  const tail = Tail.create(content, fingerprints.length + 1);
  yield* tail.addSteps(content, fingerprints, digest);
  return tail;
}
