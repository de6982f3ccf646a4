/** Numbers of which nobody knows how many will come, in memory that threads can share. */
export class SharedColumn<T extends Uint8Array | Uint32Array | Float64Array> {
  size = 0;
  private all: T;
  private readonly make: (size: number) => T;

  constructor(make: (size: number) => T) {
    this.make = make;
    this.all = make(1024);
  }

  /** As many as were added; no copy. */
  get values(): T {
    return this.all.subarray(0, this.size) as T;
  }

  push(value: number): void {
    if (this.size === this.all.length) {
      const larger = this.make(Math.ceil(1.5 * this.size));
      larger.set(this.all);
      this.all = larger;
    }
    this.all[this.size++] = value;
  }
}

export const sharedBytes = (size: number) => new Uint8Array(new SharedArrayBuffer(size));
export const sharedWords = (size: number) => new Uint32Array(new SharedArrayBuffer(4 * size));
export const sharedDoubles = (size: number) => new Float64Array(new SharedArrayBuffer(8 * size));
