import { Buffer } from 'node:buffer';
import type { RecordHead } from './record-head.ts';

/*
 * What the records of a run were, for revisits that name one by its id, or by the digest of its payload:
 *
 *   WARC-Record-ID         ─┐   ┌ the URL and time of a document
 *   WARC-Payload-Digest    ─┴───┴ or that it was none: a picture, a redirect
 *
 * Most records are never referred to, and an object for each would cost the garbage collector a fifth of the time that an
 * archive takes to be read. So they are bytes, one behind the other, and a table says where a name is:
 *
 *   bytes   | document | name, document at | name, document at | document | …
 *   slots   where a name is, by its hash; the next free slot where that is taken
 *
 * There are two such parts. Where the newer one is full, it takes the place of the older one: what was noted longest ago is
 * forgotten.
 */

/** Some 200,000 records, whose ids, digests and URLs have 50, 40 and 100 bytes. */
export const MEMORY_BYTES_MAX = 32 * 2 ** 20;
const PART_BYTES_MAX = MEMORY_BYTES_MAX / 2;
/** Ids and digests that are longer are not known. */
const NAME_CHARACTERS_MAX = 256;
const NAMES = ['warc-record-id', 'warc-payload-digest'];

/** A document that was read. */
export interface Earlier {
  readonly url: string;
  /** WARC-Date as it is written; null where it is no time. */
  readonly date: string | null;
}

export class EarlierRecords {
  #newer = new Part();
  #older = new Part();

  /** @param document null where the record is none. Records without an id and a digest are not known. */
  note({ fields }: RecordHead, document: Earlier | null): void {
    const text = document === null ? null : `${document.date ?? ''} ${document.url}`;
    let at = text === null ? NO_DOCUMENT : null;
    for (const field of NAMES) {
      const name = fields.get(field);
      if (name === undefined || name.length > NAME_CHARACTERS_MAX) continue;
      // a digest that a document has may be that of a redirect's body too
      if (at === NO_DOCUMENT && this.#documentOf(name)) continue;
      if (this.#newer.isFull) {
        [this.#older, this.#newer] = [this.#newer, new Part()];
        if (text !== null) at = null;
      }
      at ??= this.#newer.add(text!);
      this.#newer.set(name, at);
    }
  }

  /** The record that a revisit refers to; null: it holds no document; undefined: it is unknown. */
  of({ fields }: RecordHead): Earlier | null | undefined {
    for (const field of ['warc-refers-to', 'warc-payload-digest']) {
      const name = fields.get(field);
      const known = name === undefined ? undefined : this.#documentOf(name);
      if (known === undefined) continue;
      if (known === null) return null;
      const space = known.indexOf(' ');
      return { url: known.slice(space + 1), date: known.slice(0, space) || null };
    }
    return undefined;
  }

  #documentOf(name: string): string | null | undefined {
    const known = this.#newer.documentOf(name);
    return known === undefined ? this.#older.documentOf(name) : known;
  }
}

/** In place of where a document is. */
const NO_DOCUMENT = 0;
const LENGTH_BYTES = 4;
const BYTES_LEAST = 2 ** 12;
const SLOTS_LEAST = 2 ** 6;

class Part {
  #bytes = Buffer.allocUnsafe(BYTES_LEAST);
  /** The first byte stands for what is nowhere. */
  #end = 1;
  /** Where a name is; 0: nowhere. */
  #slots = new Uint32Array(SLOTS_LEAST);
  /** Hashes of those names. */
  #hashes = new Uint32Array(SLOTS_LEAST);
  #names = 0;

  get isFull(): boolean {
    return this.#end + 2 * this.#slots.byteLength > PART_BYTES_MAX;
  }

  /** @returns where it is */
  add(text: string): number {
    const at = this.#end;
    // a code unit takes at most three bytes in UTF-8
    this.#makeRoom(LENGTH_BYTES + 3 * text.length);
    const length = this.#bytes.write(text, at + LENGTH_BYTES);
    this.#bytes.writeUInt32LE(length, at);
    this.#end = at + LENGTH_BYTES + length;
    return at;
  }

  set(name: string, documentAt: number): void {
    const hash = hashOf(name);
    const slot = this.#slotOf(name, hash);
    if (this.#slots[slot] === 0) {
      const at = this.add(name);
      this.#makeRoom(LENGTH_BYTES);
      this.#end = this.#bytes.writeUInt32LE(documentAt, this.#end);
      this.#slots[slot] = at;
      this.#hashes[slot] = hash;
      this.#names++;
      if (2 * this.#names > this.#slots.length) this.#growSlots();
    } else {
      const at = this.#slots[slot]!;
      this.#bytes.writeUInt32LE(documentAt, at + LENGTH_BYTES + this.#bytes.readUInt32LE(at));
    }
  }

  /** @returns null where the record is no document, undefined where the name is unknown */
  documentOf(name: string): string | null | undefined {
    const at = this.#slots[this.#slotOf(name, hashOf(name))]!;
    if (at === 0) return undefined;
    const documentAt = this.#bytes.readUInt32LE(at + LENGTH_BYTES + this.#bytes.readUInt32LE(at));
    return documentAt === NO_DOCUMENT ? null : this.#textAt(documentAt);
  }

  #textAt(at: number): string {
    const from = at + LENGTH_BYTES;
    return this.#bytes.toString('utf8', from, from + this.#bytes.readUInt32LE(at));
  }

  /** The slot that has the name, or a free one. */
  #slotOf(name: string, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = this.#slots[slot]!;
      if (at === 0 || (this.#hashes[slot] === hash && this.#textAt(at) === name)) return slot;
    }
  }

  #makeRoom(count: number): void {
    const needed = this.#end + count;
    if (needed <= this.#bytes.length) return;
    const bytes = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * needed, PART_BYTES_MAX)));
    this.#bytes.copy(bytes, 0, 0, this.#end);
    this.#bytes = bytes;
  }

  #growSlots(): void {
    const [slots, hashes] = [this.#slots, this.#hashes];
    const length = 2 * slots.length;
    this.#slots = new Uint32Array(length);
    this.#hashes = new Uint32Array(length);
    for (let i = 0; i < slots.length; i++) {
      if (slots[i] === 0) continue;
      let slot = hashes[i]! & (length - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (length - 1);
      this.#slots[slot] = slots[i]!;
      this.#hashes[slot] = hashes[i]!;
    }
  }
}

/** FNV-1a, 0 to 2^32 - 1. */
function hashOf(name: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x0100_0193);
  return hash >>> 0;
}
