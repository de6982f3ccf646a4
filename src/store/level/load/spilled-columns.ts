import type { PostingSpill, SpilledChunk } from '../../../spill/posting-spill.ts';
import { type Columns, newColumns } from '../segments/rows/sort.ts';

/** Postings of one 256th of a spill, or of a part of it: whose fingerprints begin with these 8 bits, then with these `bits`. */
export interface SpilledPart {
  readonly top: number;
  readonly bits: number;
  readonly index: number;
}

/** @returns columns in the order in which the postings were added, `count` of them */
export async function readColumns(spill: PostingSpill, { top, bits, index }: SpilledPart) {
  const all = spill.countOf(top);
  const taken = { columns: newColumns(bits === 0 ? all : Math.ceil((1.5 * all) / 2 ** bits) + 1024), count: 0 };
  const shift = 32 - bits;
  const isIn = bits === 0 ? () => true : (low: number) => low >>> shift === index;
  for await (const chunk of spill.chunks(top)) take(chunk, top, isIn, taken);
  return taken;
}

function take(
  { low: lowOf, numbers }: SpilledChunk,
  top: number,
  isIn: (low: number) => boolean,
  taken: { columns: Columns; count: number },
): void {
  const most = taken.count + lowOf.length;
  if (most > taken.columns.low.length) taken.columns = grown(taken.columns, most);
  const { low, high, contents } = taken.columns;
  let at = taken.count;
  for (let i = 0; i < lowOf.length; i++) {
    const value = lowOf[i]!;
    if (!isIn(value)) continue;
    low[at] = value;
    high[at] = top;
    contents[at++] = numbers[i]!;
  }
  taken.count = at;
}

function grown(columns: Columns, least: number): Columns {
  const larger = newColumns(Math.max(least, 2 * columns.low.length));
  larger.low.set(columns.low);
  larger.high.set(columns.high);
  larger.contents.set(columns.contents);
  return larger;
}
