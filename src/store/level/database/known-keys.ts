import { rest } from '../../../sharing/waiting.ts';
import { type KeyRange, Table, under } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { hashOf, mixed } from '../mixed.ts';
import { KnownHolders } from './known-holders.ts';
import type { LevelReader } from './level-handle.ts';

/*
 * Which rows of tables s, l and r there may be. Most documents are new: neither their URL nor their content is in the
 * index. To hear that from LevelDB costs two reads, each of which looks into all its levels. LevelDB also counts how
 * often a file is read in vain, and merges it for that: with such reads it merges several times as often. Whatever shows the
 * words of another page costs an iterator over table r.
 *
 *   opening   keys of r, then of l and s in a tenth of the time ─┬─► s, l   Bloom filter       never taken back: a key that
 *   a batch, before it is written ───────────────────────────────┴─► r      the keys of most   is there no more costs a read
 *
 * Until all keys of a table were seen, every row may be there. The same holds when the database was opened anew: a deletion
 * that was seen may have been of a batch that the disk refused, and its row is back.
 *
 *   layer   blocks of 64 bits, 8 keys each in the mean; a key sets 3 bits in each half of one block
 *
 * A full layer is followed by one of twice its size. Cost: 8 bits a key; one look into memory a layer; a read in vain for some
 * 3 % of the keys that are new, a full layer.
 */

/** The share of its time that the scan of documents rests. */
const REST = 9;
/** As many as are taken in within a millisecond of the event loop. */
const KEYS_A_PAGE = 500;

const TABLES = [Table.holder, Table.lexicalDigest, Table.source];
const KEYS_A_BLOCK = 8;
const KEYS_LEAST = 2 ** 19;
/** Beside the keys that there are. */
const SPARE = 1.25;
const FIELDS = 3;
const FIELD_BITS = 5;

interface Layer {
  readonly words: Uint32Array;
  readonly capacity: number;
  count: number;
}

export class KnownKeys {
  private readonly layers: Layer[];
  readonly holders: KnownHolders;
  /** Tables of which all keys were seen. */
  private readonly seen = new Set<string>();
  private scans = 0;
  /** Told of each row r of a batch: before it is written, or when its deletion is. */
  onHolder: ((key: string, isThere: boolean) => void) | undefined;

  /**
   * @param expected keys that are there
   * @param holderBytesMax for keys of further holders; none are kept unless it is given
   */
  constructor(expected: number, holderBytesMax = 0) {
    this.holders = new KnownHolders(holderBytesMax);
    this.layers = [newLayer(Math.max(KEYS_LEAST, SPARE * expected))];
  }

  get bytes(): number {
    return this.layers.reduce((sum, { words }) => sum + words.byteLength, 0);
  }

  /** To be told of a batch before it is written: what it adds may be met as soon as it is. */
  note(changes: readonly RowChange[]): void {
    for (const [key, value] of changes) {
      if (value === null) continue;
      this.add(key);
      if (key.startsWith(Table.holder)) this.onHolder?.(key, true);
    }
  }

  /** … and when it is written, before the next one: what it deletes was there until then. */
  noteWritten(changes: readonly RowChange[]): void {
    for (const [key, value] of changes) {
      if (value !== null || !key.startsWith(Table.holder)) continue;
      this.holders.remove(key);
      this.onHolder?.(key, false);
    }
  }

  /** @param key of table s or l: false only where there is no such row, nor has been since the opening */
  mayHave(key: string): boolean {
    return !this.seen.has(key.charAt(0)) || this.has(hashOf(key));
  }

  /**
   * Sees all keys there are; what is written meanwhile is noted. Of two at a time the later one counts. Rejects where they
   * cannot be read: then nothing is lost but time.
   */
  async scan(database: Pick<LevelReader, 'keys'>): Promise<void> {
    this.seen.clear();
    this.holders.forget();
    const scan = ++this.scans;
    try {
      for (const table of TABLES) {
        let began = performance.now();
        for await (const keys of keyPages(database, table)) {
          if (scan !== this.scans) return;
          if (table === Table.holder) this.holders.see(keys);
          else for (const key of keys) this.addHash(hashOf(key));
          if (table !== Table.holder) await rest(REST * (performance.now() - began));
          began = performance.now();
        }
        if (scan !== this.scans) return;
        this.seen.add(table);
        if (table === Table.holder) this.holders.haveAll();
      }
    } catch (error) {
      if (scan === this.scans) this.holders.giveUp();
      throw error;
    }
  }

  /** There is nothing but what is noted, of a database that is empty: no scan is needed. */
  haveAll(): void {
    for (const table of TABLES) this.seen.add(table);
    this.holders.haveAll();
  }

  private add(key: string): void {
    if (key.startsWith(Table.holder)) this.holders.add(key);
    else if (key.startsWith(Table.source) || key.startsWith(Table.lexicalDigest)) this.addHash(hashOf(key));
  }

  private addHash(hash: number): void {
    if (this.has(hash)) return;
    let layer = this.layers[this.layers.length - 1]!;
    if (layer.count === layer.capacity) {
      layer = newLayer(2 * layer.capacity);
      this.layers.push(layer);
    }
    const at = blockOf(layer, hash);
    const bits = mixed(hash);
    layer.words[at]! |= mask(bits);
    layer.words[at + 1]! |= mask(bits >>> (FIELDS * FIELD_BITS));
    layer.count++;
  }

  private has(hash: number): boolean {
    const bits = mixed(hash);
    const low = mask(bits);
    const high = mask(bits >>> (FIELDS * FIELD_BITS));
    return this.layers.some((layer) => {
      const at = blockOf(layer, hash);
      return (~layer.words[at]! & low) === 0 && (~layer.words[at + 1]! & high) === 0;
    });
  }
}

/** All keys of a table in order, a page at a time, so that writes and queries go on between them. */
export async function* keyPages(database: Pick<LevelReader, 'keys'>, table: string): AsyncGenerator<readonly string[]> {
  let range: KeyRange = under(table, KEYS_A_PAGE);
  for (;;) {
    const keys = await database.keys(range);
    yield keys;
    if (keys.length < KEYS_A_PAGE) return;
    range = { ...range, gte: `${keys.at(-1)!}\0` };
  }
}

function newLayer(keys: number): Layer {
  const blocks = Math.ceil(keys / KEYS_A_BLOCK);
  return { words: new Uint32Array(2 * blocks), capacity: blocks * KEYS_A_BLOCK, count: 0 };
}

/** The first word of the block of a key. */
const blockOf = ({ words }: Layer, hash: number) => 2 * Math.floor((hash / 2 ** 32) * (words.length / 2));

/** The bits that three fields choose of a word. */
function mask(fields: number): number {
  return (1 << (fields & 31)) | (1 << ((fields >>> FIELD_BITS) & 31)) | (1 << ((fields >>> (2 * FIELD_BITS)) & 31));
}
