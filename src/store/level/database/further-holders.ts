import { contentOfHolderKey, Table } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import type { Database } from './database.ts';
import { keyPages } from './key-pages.ts';

/*
 * The holders of contents beside their owners: keys of rows r. Most contents have none, and to ask LevelDB for them takes an
 * iterator, as much as all the rest of a match's sources.
 *
 *   opening   rows r, a page at a time ─┐     a bit a content: whether there may be any; never taken back
 *   a batch with rows r ────────────────┴─►   and the keys themselves, of contents that have few, in so many bytes
 *
 * Where a content has a bit and no keys here, they are only on disk: they were too many, or there was no room.
 *
 * Until the rows were all seen, every content may have some; and again from when the database was opened anew (known-keys.ts).
 * A key may be here that the disk has no more, where a batch was noted and not written. Whoever reads finds that its source
 * tells otherwise (found-holders.ts).
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
  private lists = new Map<number, string[]>();
  private listBytes = 0;
  private complete = false;
  private scans = 0;

  /** @param bytesMax for keys; with 0 there are bits alone */
  constructor(bytesMax = 0) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.bits.byteLength + this.listBytes;
  }

  /** To be told of a batch before it is written: what it adds may be met as soon as it is. */
  note(changes: readonly RowChange[]): void {
    for (const [key, value] of changes) if (value !== null && key.startsWith(Table.holder)) this.add(key);
  }

  /** … and when it is written, before the next one: what it deletes was there until then. */
  noteWritten(changes: readonly RowChange[]): void {
    for (const [key, value] of changes) if (value === null && key.startsWith(Table.holder)) this.remove(key);
  }

  /** The keys of a content's further holders, in no order; null where they are to be read from disk. */
  keysOf(content: number): readonly string[] | null {
    if (!this.complete) return null;
    return this.hasBit(content) ? (this.lists.get(content) ?? null) : NONE;
  }

  /**
   * Sees all rows there are; what is written meanwhile is noted. Of two at a time the later one counts. Rejects where they
   * cannot be read: then nothing is lost but time.
   */
  async scan(database: Pick<Database, 'keys'>): Promise<void> {
    this.complete = false;
    // what was noted and never written may be there
    this.bits.fill(0);
    this.lists = new Map();
    this.listBytes = 0;
    const scan = ++this.scans;
    for await (const keys of keyPages(database, Table.holder)) for (const key of keys) this.add(key);
    if (scan === this.scans) this.complete = true;
  }

  private hasBit(content: number): boolean {
    return ((this.bits[content >>> 5] ?? 0) & (1 << (content & 31))) !== 0;
  }

  private add(holderKey: string): void {
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

  private remove(holderKey: string): void {
    const list = this.lists.get(contentOfHolderKey(holderKey));
    const at = list?.indexOf(holderKey) ?? -1;
    if (at < 0) return;
    list!.splice(at, 1);
    this.listBytes -= bytesOf(holderKey);
  }

  private drop(content: number, list: readonly string[]): void {
    this.lists.delete(content);
    this.listBytes -= list.reduce((sum, key) => sum + bytesOf(key), LIST_BYTES);
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
}

const NONE: readonly string[] = [];
const bytesOf = (key: string) => KEY_BYTES + key.length;
