import { rest } from '../../../sharing/waiting.ts';
import { Table } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { hashOf, mixed } from '../mixed.ts';
import type { Database } from './database.ts';
import { keyPages } from './key-pages.ts';

/*
 * Which rows of tables s and l there may be. Most documents are new: neither their URL nor their content is in the
 * index. To hear that from LevelDB costs two reads, each of which looks into all its levels. LevelDB also counts how
 * often a file is read in vain, and merges it for that: with such reads it merges several times as often.
 *
 *   opening   keys of s and l, a page at a time, in a tenth of the time ─┐
 *   a batch, before it is written ───────────────────────────────────────┴─► Bloom filter      never taken back: a key that
 *                                                                                              is there no more costs a read
 *
 * Until all keys were seen, every row may be there. The same holds when the database was opened anew: a deletion that
 * was seen may have been of a batch that the disk refused, and its row is back.
 *
 *   layer   blocks of 64 bits, 8 keys each in the mean; a key sets 3 bits in each half of one block
 *
 * A full layer is followed by one of twice its size. Cost: 8 bits a key; one look into memory a layer; a read in vain for some
 * 3 % of the keys that are new, a full layer.
 */

/** The share of its time that the scan rests. */
const REST = 9;

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
  private complete = false;
  private scans = 0;

  /** @param expected keys that are there */
  constructor(expected: number) {
    this.layers = [newLayer(Math.max(KEYS_LEAST, SPARE * expected))];
  }

  get bytes(): number {
    return this.layers.reduce((sum, { words }) => sum + words.byteLength, 0);
  }

  /** To be told of a batch before it is written. */
  note(changes: readonly RowChange[]): void {
    for (const [key, value] of changes) if (value !== null && isWatched(key)) this.add(key);
  }

  /** @param key of table s or l: false only where there is no such row, nor has been since the opening */
  mayHave(key: string): boolean {
    return !this.complete || this.has(hashOf(key));
  }

  /**
   * Sees all keys there are; what is written meanwhile is noted. Of two at a time the later one counts. Rejects where they
   * cannot be read: then nothing is lost but time.
   */
  async scan(database: Pick<Database, 'keys'>): Promise<void> {
    this.complete = false;
    const scan = ++this.scans;
    for (const table of [Table.lexicalDigest, Table.source]) {
      let began = performance.now();
      for await (const keys of keyPages(database, table)) {
        for (const key of keys) this.add(key);
        await rest(REST * (performance.now() - began));
        began = performance.now();
      }
    }
    if (scan === this.scans) this.complete = true;
  }

  private add(key: string): void {
    const hash = hashOf(key);
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

function isWatched(key: string): boolean {
  return key.startsWith(Table.source) || key.startsWith(Table.lexicalDigest);
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
