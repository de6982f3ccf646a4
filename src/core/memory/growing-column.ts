/** Numbers of one kind. */
export type Column = Uint8Array | Uint32Array | Float64Array;

const LEAST = 1024;
const GROWTH = 1.5;

/**
 * Numbers of which nobody knows how many will come: a push costs some nanoseconds, memory is half as much again at the most.
 */
export class GrowingColumn<T extends Column> {
  size = 0;
  private all: T;
  private readonly make: (size: number) => T;

  /** @param make memory for so many numbers */
  constructor(make: (size: number) => T) {
    this.make = make;
    this.all = make(LEAST);
  }

  /** As many as were added; no copy. */
  get values(): T {
    return this.all.subarray(0, this.size) as T;
  }

  /** Of memory, with what is still free. */
  get bytes(): number {
    return this.all.byteLength;
  }

  /** @param index below the size */
  at(index: number): number {
    return this.all[index]!;
  }

  push(value: number): void {
    if (this.size === this.all.length) {
      const larger = this.make(Math.ceil(GROWTH * this.size));
      larger.set(this.all);
      this.all = larger;
    }
    this.all[this.size++] = value;
  }
}

export const ownBytes = (size: number) => new Uint8Array(size);
export const ownWords = (size: number) => new Uint32Array(size);
export const ownDoubles = (size: number) => new Float64Array(size);
/** That threads can share. */
export const sharedBytes = (size: number) => new Uint8Array(new SharedArrayBuffer(size));
export const sharedWords = (size: number) => new Uint32Array(new SharedArrayBuffer(4 * size));
export const sharedDoubles = (size: number) => new Float64Array(new SharedArrayBuffer(8 * size));
