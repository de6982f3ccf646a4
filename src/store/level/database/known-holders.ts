import { FurtherHolders } from './further-holders.ts';

/** Which rows of table r there may be: who is told of batches, and sees all keys once, need not read them. */
export class KnownHolders {
  private readonly further: FurtherHolders;
  /** Until all keys were seen, every row may be there. */
  private seen = false;
  /** Rows that have gone while keys are seen: a page that was read before may still have them. Null where none come. */
  private gone: Set<string> | null = new Set();

  /** @param bytesMax for keys */
  constructor(bytesMax: number) {
    this.further = new FurtherHolders(bytesMax);
  }

  get bytes(): number {
    return this.further.bytes;
  }

  /** To be told of a row before it is written: it may be met as soon as it is. */
  add(key: string): void {
    this.gone?.delete(key);
    this.further.add(key);
  }

  /** To be told of rows that were there when they were read. */
  see(keys: readonly string[]): void {
    for (const key of keys) if (this.gone?.has(key) !== true) this.further.add(key);
  }

  /** … and when its deletion is written: it was there until then. */
  remove(key: string): void {
    this.gone?.add(key);
    this.further.remove(key);
  }

  /**
   * The keys of the sources that hold a content beside its owner, in no order; null where they are to be read from disk. One
   * may be there that the disk has no more, or never had: its source tells otherwise, unless it is the owner now.
   */
  keysOf(content: number): readonly string[] | null {
    return this.seen ? this.further.keysOf(content) : null;
  }

  forget(): void {
    this.seen = false;
    this.gone = new Set();
    this.further.clear();
  }

  /** All keys there are were seen or added. */
  haveAll(): void {
    this.seen = true;
    this.gone = null;
  }

  /** The keys that are there cannot be seen: rows are read from disk. */
  giveUp(): void {
    this.gone = null;
  }
}
