import { contentOfHolderKey, Table } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import type { Database } from './database.ts';
import { keyPages } from './key-pages.ts';

/*
 * Which contents have holders beside their owner, a bit a content. Most have none, and to ask LevelDB whether there are
 * some costs as much as all the rest of a match's sources.
 *
 *   opening   rows r, a page at a time ─┐
 *   a batch with rows r, before it is ──┴─► bits        never taken back: a bit that is too much costs a look
 *
 * Until the rows were all seen, every content may have some; and again from when the database was opened anew (known-keys.ts).
 */

const BITS_FIRST = 1 << 16;

export class FurtherHolders {
  private bits = new Uint32Array(BITS_FIRST / 32);
  private complete = false;
  private scans = 0;

  /** To be told of a batch before it is written. */
  note(changes: readonly RowChange[]): void {
    for (const [key, value] of changes) if (value !== null && key.startsWith(Table.holder)) this.add(key);
  }

  /** False only where no source but the owner holds the content. */
  mayHave(content: number): boolean {
    return !this.complete || ((this.bits[content >>> 5] ?? 0) & (1 << (content & 31))) !== 0;
  }

  /**
   * Sees all rows there are; what is written meanwhile is noted. Of two at a time the later one counts. Rejects where they
   * cannot be read: then nothing is lost but time.
   */
  async scan(database: Pick<Database, 'keys'>): Promise<void> {
    this.complete = false;
    const scan = ++this.scans;
    for await (const keys of keyPages(database, Table.holder)) for (const key of keys) this.add(key);
    if (scan === this.scans) this.complete = true;
  }

  private add(holderKey: string): void {
    const content = contentOfHolderKey(holderKey);
    const at = content >>> 5;
    if (at >= this.bits.length) {
      const grown = new Uint32Array(2 ** Math.ceil(Math.log2(at + 1)));
      grown.set(this.bits);
      this.bits = grown;
    }
    this.bits[at]! |= 1 << (content & 31);
  }
}
