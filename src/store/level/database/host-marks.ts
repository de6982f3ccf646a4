import { hashOf } from '../mixed.ts';

/*
 * Whether the sources of a host may have changed, without a look at the disk. For each of many groups of hosts changes are
 * counted, in memory that all threads see.
 *
 *   a batch is written ── +1 for the group of each host whose live sources or their contents changed ── it is acknowledged
 *   a read             ── takes the count first, then a snapshot
 *
 * So what was read when the count was the same is what would be read now. A host that is in the same group as one that is
 * written to is read in vain.
 */

const GROUPS = 2 ** 14;

/** One more, which counts for all hosts. */
const MEMORY_BYTES = 4 * (GROUPS + 1);

export class HostMarks {
  readonly memory: SharedArrayBuffer;
  private readonly counts: Uint32Array<SharedArrayBuffer>;

  /** @param memory of those of another thread */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(MEMORY_BYTES);
    this.counts = new Uint32Array(this.memory);
    // what was named by those of another opening names nothing here
    if (memory === undefined) this.counts[GROUPS] = Math.random() * 2 ** 32;
  }

  /** @param host as keys of sources have it */
  of(host: string): string {
    return `${Atomics.load(this.counts, GROUPS)}.${Atomics.load(this.counts, groupOf(host))}`;
  }

  /** Before a batch is acknowledged, and when it can be read. */
  changed(hosts: Iterable<string>): void {
    for (const host of hosts) Atomics.add(this.counts, groupOf(host), 1);
  }

  /** What was written may be gone. */
  allChanged(): void {
    Atomics.add(this.counts, GROUPS, 1);
  }
}

const groupOf = (host: string) => hashOf(host) & (GROUPS - 1);
