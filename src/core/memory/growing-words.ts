/** Whole numbers below 2^32, of which nobody knows how many will come. */
export class GrowingWords {
  size = 0;
  private all = new Uint32Array(1024);

  get values(): Uint32Array {
    return this.all.subarray(0, this.size);
  }

  reserve(more: number): void {
    if (this.size + more <= this.all.length) return;
    const larger = new Uint32Array(Math.max(this.size + more, Math.ceil(1.5 * this.all.length)));
    larger.set(this.values);
    this.all = larger;
  }

  push(value: number): void {
    this.all[this.size++] = value;
  }

  /** Sets bits of the last one. */
  mark(bits: number): void {
    this.all[this.size - 1] = (this.all[this.size - 1]! | bits) >>> 0;
  }
}
