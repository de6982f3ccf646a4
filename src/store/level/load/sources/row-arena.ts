import { hashOf } from '../../mixed.ts';
import { type Strings, sortPlaces } from './row-sort.ts';

/*
 * Rows in memory in any order, and then in the order of their keys.
 *
 *   bytes   | key bytes:4 | value bytes:4 | key | value | …        one row behind the other, below 4 GiB
 *   places  where each row begins
 *   slots   place + 1, by a hash of the key: open addressing, made once a row is asked for
 *
 * Cost: 12 bytes a row beside its own, 8 to 16 more where rows are asked for; 8 more while they are sorted.
 */

const HEAD_BYTES = 8;
const BYTES_LEAST = 64 * 1024;
const ROWS_LEAST = 1024;

export class RowArena implements Strings {
  bytes = Buffer.allocUnsafeSlow(BYTES_LEAST);
  /** Of all rows. */
  size = 0;
  private places = new Uint32Array(ROWS_LEAST);
  private count = 0;
  private slots: Uint32Array | undefined;

  /** @param key one byte a character, none that is 0 at its end, and that of no other row */
  add(key: string, value: Uint8Array): void {
    const { size } = this;
    this.reserve(HEAD_BYTES + key.length + value.length);
    const { bytes } = this;
    bytes.writeUInt32LE(key.length, size);
    bytes.writeUInt32LE(value.length, size + 4);
    bytes.write(key, size + HEAD_BYTES, 'latin1');
    bytes.set(value, size + HEAD_BYTES + key.length);
    this.places[this.count++] = size;
    this.size += HEAD_BYTES + key.length + value.length;
    if (this.slots === undefined) return;
    if (2 * this.count > this.slots.length) this.slots = undefined;
    else this.enter(this.slots, key, size);
  }

  get(key: string): Buffer | undefined {
    this.slots ??= this.newSlots();
    const place = this.slots[this.slotOf(this.slots, key)]!;
    return place === 0 ? undefined : this.valueAt(place - 1);
  }

  /** The rows that were added last. @param from {@link size} when the first of them was not added yet */
  tail(from: number): Uint8Array {
    return this.bytes.subarray(from, this.size);
  }

  /** Takes rows over, where there are none. @param tail of an arena, from 0 on */
  restore(tail: Buffer): void {
    for (let at = 0; at < tail.length; ) {
      const keyEnd = at + HEAD_BYTES + tail.readUInt32LE(at);
      const end = keyEnd + tail.readUInt32LE(at + 4);
      this.add(tail.toString('latin1', at + HEAD_BYTES, keyEnd), tail.subarray(keyEnd, end));
      at = end;
    }
  }

  /** All keys, in the order in which they were added. */
  *keys(): Generator<string, void, undefined> {
    for (const place of this.places.subarray(0, this.count)) yield this.keyAt(place);
  }

  /** All rows in the order of their keys; values are views. */
  *rows(): Generator<readonly [key: string, value: Buffer], void, undefined> {
    const places = this.places.subarray(0, this.count);
    sortPlaces(places, this);
    for (const place of places) yield [this.keyAt(place), this.valueAt(place)];
  }

  clear(): void {
    this.size = 0;
    this.count = 0;
    this.slots = undefined;
  }

  readonly begin = (place: number): number => place + HEAD_BYTES;
  readonly end = (place: number): number => place + HEAD_BYTES + this.bytes.readUInt32LE(place);

  private keyAt(place: number): string {
    return this.bytes.toString('latin1', this.begin(place), this.end(place));
  }

  private valueAt(place: number): Buffer {
    const from = this.end(place);
    return this.bytes.subarray(from, from + this.bytes.readUInt32LE(place + 4));
  }

  private newSlots(): Uint32Array {
    const slots = new Uint32Array(2 ** Math.ceil(Math.log2(4 * Math.max(ROWS_LEAST, this.count))));
    for (const place of this.places.subarray(0, this.count)) this.enter(slots, this.keyAt(place), place);
    return slots;
  }

  private enter(slots: Uint32Array, key: string, place: number): void {
    slots[this.slotOf(slots, key)] = place + 1;
  }

  /** Where the key is, or may be entered. */
  private slotOf(slots: Uint32Array, key: string): number {
    const mask = slots.length - 1;
    let at = hashOf(key) & mask;
    while (slots[at] !== 0 && this.keyAt(slots[at]! - 1) !== key) at = (at + 1) & mask;
    return at;
  }

  private reserve(more: number): void {
    if (this.count === this.places.length) {
      const larger = new Uint32Array(2 * this.count);
      larger.set(this.places);
      this.places = larger;
    }
    if (this.size + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * Math.max(this.bytes.length, more));
    this.bytes.copy(larger, 0, 0, this.size);
    this.bytes = larger;
  }
}
