import { contentOfHolderKey } from '../format/keys.ts';

/*
 * Keys of rows r: the holders of contents beside their owners. Most contents have none, and to ask LevelDB for them takes an
 * iterator, as much as all the rest of a match's sources.
 *
 *   a bit a content      whether there may be any; never taken back
 *   the keys themselves  of contents that have few, in so many bytes
 *
 * Where a content has a bit and no keys here, they are only on disk: they were too many, or there was no room.
 */

const BITS_FIRST = 1 << 16;
/** Of one content. More are read from disk: a page of answers shows a few. */
const KEYS_MAX = 16;
/** Of an array and its place in a map, and of a string beside its letters. */
const LIST_BYTES = 100;
const KEY_BYTES = 24;

export class FurtherHolders {
  private readonly bytesMax: number;
  private bits = new Uint32Array(BITS_FIRST / 32);
  private readonly lists = new Map<number, string[]>();
  private listBytes = 0;

  /** @param bytesMax for keys; with 0 there are bits alone */
  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.bits.byteLength + this.listBytes;
  }

  /** The keys of a content's further holders, in no order; null where they are to be read from disk. */
  keysOf(content: number): readonly string[] | null {
    return this.hasBit(content) ? (this.lists.get(content) ?? null) : NONE;
  }

  clear(): void {
    this.bits.fill(0);
    this.lists.clear();
    this.listBytes = 0;
  }

  add(holderKey: string): void {
    const content = contentOfHolderKey(holderKey);
    const list = this.lists.get(content);
    if (!this.hasBit(content)) {
      this.setBit(content);
      if (this.listBytes + LIST_BYTES + bytesOf(holderKey) > this.bytesMax) return;
      this.lists.set(content, [holderKey]);
      this.listBytes += LIST_BYTES + bytesOf(holderKey);
    } else if (list !== undefined && !list.includes(holderKey)) {
      list.push(holderKey);
      this.listBytes += bytesOf(holderKey);
      if (list.length > KEYS_MAX || this.listBytes > this.bytesMax) this.drop(content, list);
    }
  }

  remove(holderKey: string): void {
    const list = this.lists.get(contentOfHolderKey(holderKey));
    const at = list?.indexOf(holderKey) ?? -1;
    if (at < 0) return;
    list!.splice(at, 1);
    this.listBytes -= bytesOf(holderKey);
  }

  private hasBit(content: number): boolean {
    return ((this.bits[content >>> 5] ?? 0) & (1 << (content & 31))) !== 0;
  }

  private setBit(content: number): void {
    const at = content >>> 5;
    if (at >= this.bits.length) {
      const grown = new Uint32Array(2 ** Math.ceil(Math.log2(at + 1)));
      grown.set(this.bits);
      this.bits = grown;
    }
    this.bits[at]! |= 1 << (content & 31);
  }

  private drop(content: number, list: readonly string[]): void {
    this.lists.delete(content);
    this.listBytes -= list.reduce((sum, key) => sum + bytesOf(key), LIST_BYTES);
  }
}

const NONE: readonly string[] = [];
const bytesOf = (key: string) => KEY_BYTES + key.length;
