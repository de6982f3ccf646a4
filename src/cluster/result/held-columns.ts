/*
 * Columns of a file as they are held: numbers mostly are far smaller than those that there is room for in the file.
 *
 *   count   32 bits in the file      bytes, 2 bytes or 4, as its greatest number needs
 *   place   a double in the file     whole: as a count, and a double where 32 bits do not do
 *   date    a double in the file     nothing where all are NaN
 *
 * A column begins as bytes, and is copied once when the first number comes that is too large. Zeros are not written, since new
 * memory has them: of a column of zeros the system gives none. Cost: some nanoseconds a number.
 */

/** Whole numbers, each as wide as the greatest needs. */
export type NarrowColumn = Uint8Array | Uint16Array | Uint32Array | Float64Array;

type Filling = Uint32Array | Float64Array;
type MakeMemory = (bytes: number) => ArrayBufferLike;

const WIDTHS = [Uint8Array, Uint16Array, Uint32Array, Float64Array] as const;
const isWideEnough = (bytes: number, greatest: number) => bytes === 8 || greatest < 2 ** (8 * bytes);

/** Takes whole numbers from 0 on, some at a time. */
export class NarrowFiller {
  values: NarrowColumn;
  private readonly length: number;
  private readonly memory: MakeMemory;
  private size = 0;

  /** @param length numbers that will be added */
  constructor(length: number, memory: MakeMemory) {
    this.length = length;
    this.memory = memory;
    this.values = new Uint8Array(memory(length));
  }

  add(numbers: Filling): void {
    let greatest = 0;
    for (let i = 0; i < numbers.length; i++) if (numbers[i]! > greatest) greatest = numbers[i]!;
    if (!isWideEnough(this.values.BYTES_PER_ELEMENT, greatest)) this.widen(greatest);
    if (greatest > 0) this.values.set(numbers, this.size);
    this.size += numbers.length;
  }

  private widen(greatest: number): void {
    const Wide = WIDTHS.find((one) => isWideEnough(one.BYTES_PER_ELEMENT, greatest))!;
    const wide = new Wide(this.memory(Wide.BYTES_PER_ELEMENT * this.length) as ArrayBuffer);
    wide.set(this.values.subarray(0, this.size));
    this.values = wide;
  }
}

/** Takes doubles, some at a time; holds none as long as all are NaN. */
export class KnownFiller {
  /** As many as were added, or none. */
  values: Float64Array;
  private readonly length: number;
  private readonly memory: MakeMemory;
  private size = 0;

  constructor(length: number, memory: MakeMemory) {
    this.length = length;
    this.memory = memory;
    this.values = new Float64Array(0);
  }

  add(numbers: Float64Array): void {
    if (this.values.length === 0 && !numbers.every(Number.isNaN)) {
      this.values = new Float64Array(this.memory(8 * this.length) as ArrayBuffer).fill(Number.NaN, 0, this.size);
    }
    if (this.values.length > 0) this.values.set(numbers, this.size);
    this.size += numbers.length;
  }
}
