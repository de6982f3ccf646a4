import { crc32 } from 'node:zlib';
import type { ContentId } from '../../port.ts';
import { hashOf } from '../mixed.ts';

/*
 * What a rebuild knows of every content by its number: whether there is a record, whose it is, and whether that source was
 * met.
 *
 *   ids      96 bits of its id, all 0 where there is no record; two of 10^7 contents agree once in 10^15 rebuilds
 *   owners   two hashes of its owner's URL, of different kinds: CRCs of texts of one length collide whatever they begin with
 *   slots    id -> number + 1 of the last content with it, 0 = none: open addressing, at most half full
 *
 * Cost: 29 to 58 bytes a content, 8 of them slots. A Map of ids would take 77 beside the rest, and no more than 2^24 of them.
 */

const ID_WORDS = 3;
/** Hexadecimal digits of a word. */
const WORD = 8;
const SIZE_FIRST = 1024;

export class RebuiltContents {
  private ids = new Uint32Array(ID_WORDS * SIZE_FIRST);
  private owners = new Uint32Array(2 * SIZE_FIRST);
  private state = new Uint8Array(SIZE_FIRST);
  private slots = new Uint32Array(2 * SIZE_FIRST);
  private readonly words = new Uint32Array(ID_WORDS);
  /** Contents whose id a later one has too: of those that came back after their deletion. */
  private readonly aliases = new Map<number, number>();
  /** One more than the highest number. */
  end = 0;

  /** @param number ascending from call to call; numbers may be left out */
  add(number: number, id: ContentId, owner: string): void {
    this.reserve(number);
    const words = this.wordsOf(id);
    const slot = this.slotOf(words);
    const earlier = this.slots[slot]! - 1;
    if (earlier >= 0) {
      this.aliases.set(earlier, number);
      this.ids.fill(0, ID_WORDS * earlier, ID_WORDS * (earlier + 1));
    }
    this.ids.set(words, ID_WORDS * number);
    this.slots[slot] = number + 1;
    this.owners[2 * number] = crc32(owner);
    this.owners[2 * number + 1] = hashOf(owner);
  }

  /** The number under which a content is kept; undefined where it has no record. */
  find(number: number): number | undefined {
    let found = number;
    for (let next = this.aliases.get(found); next !== undefined; next = this.aliases.get(found)) found = next;
    const at = ID_WORDS * found;
    return found < this.end && (this.ids[at]! | this.ids[at + 1]! | this.ids[at + 2]!) !== 0 ? found : undefined;
  }

  /** The same, where its id is this one. */
  findNamed(number: number, id: ContentId): number | undefined {
    const found = this.find(number);
    return found !== undefined && this.hasId(found, this.wordsOf(id)) ? found : undefined;
  }

  /** Notes that a source has a content. @returns whether it is its owner */
  hold(number: number, url: string): boolean {
    const isOwner = this.owners[2 * number] === crc32(url) && this.owners[2 * number + 1] === hashOf(url);
    this.state[number]! |= isOwner ? 1 : 2;
    return isOwner;
  }

  hasOwner(number: number): boolean {
    return (this.state[number]! & 1) !== 0;
  }

  hasOtherHolders(number: number): boolean {
    return (this.state[number]! & 2) !== 0;
  }

  /** The last digits of an id, in memory that the next call uses again. */
  private wordsOf(id: ContentId): Uint32Array {
    for (let i = 0; i < ID_WORDS; i++) {
      const end = id.length - i * WORD;
      this.words[i] = Number.parseInt(id.slice(end - WORD, end), 16);
    }
    return this.words;
  }

  private hasId(number: number, words: Uint32Array): boolean {
    const at = ID_WORDS * number;
    return this.ids[at] === words[0] && this.ids[at + 1] === words[1] && this.ids[at + 2] === words[2];
  }

  /** Where the number of the last content with that id is, or may be put. Ids are a keyed hash: their digits are spread. */
  private slotOf(words: Uint32Array): number {
    const mask = this.slots.length - 1;
    let slot = words[0]! & mask;
    while (this.slots[slot] !== 0 && !this.hasId(this.slots[slot]! - 1, words)) slot = (slot + 1) & mask;
    return slot;
  }

  private reserve(number: number): void {
    this.end = Math.max(this.end, number + 1);
    if (number < this.state.length) return;
    const size = 2 ** Math.ceil(Math.log2(number + 1));
    const [ids, owners, state, slots] = [this.ids, this.owners, this.state, this.slots];
    this.ids = new Uint32Array(ID_WORDS * size);
    this.ids.set(ids);
    this.owners = new Uint32Array(2 * size);
    this.owners.set(owners);
    this.state = new Uint8Array(size);
    this.state.set(state);
    this.slots = new Uint32Array(2 * size);
    for (const slot of slots) {
      if (slot === 0) continue;
      const at = ID_WORDS * (slot - 1);
      this.slots[this.slotOf(this.ids.subarray(at, at + ID_WORDS))] = slot;
    }
  }
}
