import { closeSync, openSync } from 'node:fs';
import { MARK } from '../block-builder.ts';
import { blockOf, type Handle, rowsOf, TRAILER_BYTES } from '../table-blocks.ts';

/* Where the blocks of rows of a table file lie, one behind the other: 30 bytes of memory and a key a block. */

export class WrittenBlocks {
  private readonly lastKeys: string[] = [];
  private readonly offsets: number[] = [0];

  get count(): number {
    return this.lastKeys.length;
  }

  /** The last key of the last one; '' if there is none. */
  get lastKey(): string {
    return this.lastKeys.at(-1) ?? '';
  }

  /** Where each begins, and the last one ends. */
  get places(): readonly number[] {
    return this.offsets;
  }

  /** @param end where the next one begins */
  push(lastKey: string, end: number): void {
    this.lastKeys.push(lastKey);
    this.offsets.push(end);
  }

  /** The one that may have a key; null where all keys are below. */
  find(key: string): Handle | null {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.lastKeys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low === this.count ? null : this.at(low);
  }

  /** All of them, with their last keys. */
  *all(): Generator<readonly [lastKey: string, handle: Handle], void, undefined> {
    for (const [block, key] of this.lastKeys.entries()) yield [key, this.at(block)];
  }

  /** Their rows, read from the file. @throws Unreadable; the file system's error */
  *rows(path: string): Generator<readonly [key: string, value: Buffer], void, undefined> {
    const file = openSync(path, 'r');
    try {
      for (const [, handle] of this.all()) {
        for (const { key, value } of rowsOf(blockOf(file, handle))) yield [key.slice(0, -MARK.length), value];
      }
    } finally {
      closeSync(file);
    }
  }

  private at(block: number): Handle {
    const offset = this.offsets[block]!;
    return { offset, size: this.offsets[block + 1]! - offset - TRAILER_BYTES };
  }
}
