import type { HolderCounts } from '../../port.ts';
import { ValueReader, ValueWriter } from './value-bytes.ts';
import type { SourceRow } from './values.ts';

/*
 * How many sources hold a content, by their state. Most contents have one source, which shows them: they have no row.
 *
 *   live, gone   sources whose present content it is
 *   past         sources that had it, and still hold it
 */

/** Before, there are no rows. */
export const COUNTS_SINCE_FORMAT = 7;

/** Of a content without a row. */
export const ONE_LIVE: HolderCounts = { live: 1, gone: 0, past: 0 };
export const NO_HOLDERS: HolderCounts = { live: 0, gone: 0, past: 0 };

/** Whether a content that is held so has no row. */
export const needsNoRow = ({ live, gone, past }: HolderCounts): boolean => gone === 0 && past === 0 && live <= 1;

export function sealCounts(key: string, { live, gone, past }: HolderCounts): Buffer {
  return new ValueWriter(16).varint(live).varint(gone).varint(past).seal(key);
}

export function openCounts(key: string, value: Buffer): HolderCounts {
  const reader = new ValueReader(key, value);
  const counts = { live: reader.varint(), gone: reader.varint(), past: reader.varint() };
  reader.end();
  return counts;
}

/** In which state a source holds a content; null if it does not hold it. */
export function stateOfHolder({ present, state, past }: SourceRow, content: number): keyof HolderCounts | null {
  if (present.content === content) return state;
  return past.some((hold) => hold.content === content) ? 'past' : null;
}
