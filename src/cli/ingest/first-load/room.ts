import type { FirstLoadState } from '../../../client/port.ts';
import type { Input } from '../../../ingest/inputs/inputs.ts';
import { bytes as bytesText } from '../../texts.ts';

/*
 * Whether a first load has room: guessed before anything is read, from what the inputs take, and again from what it has taken
 * itself, once it has read some. It warns and goes on: what the inputs hold is not known, and what was read is kept.
 */

/** The most that a first load takes on disk, as a share of its input, for texts of 4.5 KB; 1.5 at 0.8 KB, 0.5 at 30 KB. */
const SHARE = 0.8;
/** How many bytes a byte of a packed file becomes when it is unpacked. */
const UNPACKED = 4;
const PACKED = /\.(gz|zst|bz2|xz|parquet|wacz)$/i;
/** What the second half takes, as a share of what the first half has taken. Measured. */
const SECOND_HALF = 0.6;
/** A load that has taken a smaller share of the free space is far from its end, or has room. */
const SHORT = 1 / 4;
/** Before this many bytes are read, files of a fixed size weigh too much. */
const READ_LEAST = 16 * 2 ** 20;

export class Room {
  private readonly firstLoad: () => FirstLoadState | undefined;
  private first: { readonly left: number; readonly free: number } | null = null;
  private hasWarned = false;

  /** @param firstLoad the state of the first load; undefined if there is none */
  constructor(firstLoad: () => FirstLoadState | undefined) {
    this.firstLoad = firstLoad;
  }

  /** What is to be said before anything is read; null: nothing. */
  before(inputs: readonly Input[]): string | null {
    const needed = inputs.reduce((sum, { name, size }) => sum + (size ?? 0) * (PACKED.test(name) ? UNPACKED : 1), 0);
    return this.warning(SHARE * needed);
  }

  /** … while they are read. @param bytesLeft of them; only asked for where room may be short: folders are counted for it */
  while(bytesLeft: () => number | 'counting' | null): string | null {
    const { freeBytes: free = null, freeBytesAtBegin = null, phase } = this.firstLoad() ?? {};
    if (free === null || freeBytesAtBegin === null || phase !== 'documents') return null;
    if (freeBytesAtBegin - free < free * SHORT) return null;
    const left = bytesLeft();
    if (typeof left !== 'number') return null;
    this.first ??= { left, free };
    const read = this.first.left - left;
    if (read < READ_LEAST) return null;
    const more = ((this.first.free - free) * left) / read;
    return this.warning(more + SECOND_HALF * (freeBytesAtBegin - free + more));
  }

  private warning(needed: number): string | null {
    const { isKept = true, freeBytes = null } = this.firstLoad() ?? {};
    if (this.hasWarned || isKept || freeBytes === null || needed <= freeBytes) return null;
    this.hasWarned = true;
    return (
      `The disk may be too small: this first load needs about ${bytesText(needed)}, and ${bytesText(freeBytes)} are free. ` +
      'Where it becomes full, what was read is kept, and the same command goes on when there is room.\n'
    );
  }
}
