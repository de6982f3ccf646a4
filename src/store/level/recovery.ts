import type { IndexDescription } from '../port.ts';
import type { Database } from './database/database.ts';
import type { HighWater } from './folder/high-water.ts';
import type { Disk } from './outage/disk.ts';
import type { Recovery } from './outage/outage.ts';
import { rebuildTail } from './replay.ts';
import type { PostingIndex } from './segments/posting-index.ts';
import { readTrail } from './writing/trail.ts';
import type { Writer } from './writing/writer.ts';

/*
 * From a refused write back to writing: what opening an index does, in a process that goes on answering.
 *
 *   quiet      batches under way have ended, refused; no step of the posting index, no clearing, no worker thread
 *   reopen     the handle is exchanged; reads wait from here …
 *   restore    the trail of batches, the list of segments, shingle counts, tails: all from disk; which keys
 *              there are is not known then, until all were seen again
 *              … to here
 *   mark       the high-water mark in a file of its own
 *   prove      an empty batch: the disk takes it, so writing goes on; only now segments that are gone are cleared
 *
 * No step waits for what the outage has stopped: tails are made again without room for them, since nothing flushes them now.
 */

export interface RecoveryParts {
  readonly database: Database;
  readonly disk: Disk;
  readonly highWater: HighWater;
  readonly index: PostingIndex;
  readonly writer: Writer;
  readonly description: IndexDescription;
  /** Begins to look at all keys, and forgets at once that they were seen before. */
  scanKeys(): void;
  /** Told what the index could not be read by: where it means damage, that is noted. */
  onDamage(error: unknown): void;
}

export function recoveryOf(parts: RecoveryParts): Recovery {
  const { database, disk, highWater, index, writer } = parts;
  return {
    pause: () => void index.suspend(parts),
    resume: () => index.resume(parts),
    checkRoom: async () => disk.checkReserve(await database.openingBytes()),
    probe: () => disk.probe(),
    recover: async () => {
      await writer.turn();
      await index.suspend(parts);
      await restore(parts);
      await highWater.renew();
      await writer.prove();
    },
  };
}

async function restore({
  database,
  highWater,
  index,
  writer,
  description,
  onDamage,
  scanKeys,
}: RecoveryParts): Promise<void> {
  await database.reopen(async (reader) => {
    try {
      const trail = await readTrail(reader, highWater.value);
      await index.restore(reader);
      await rebuildTail({ reader, index, description, room: async () => undefined }, trail.totals);
      writer.goBackTo(trail);
      scanKeys();
    } catch (error) {
      onDamage(error);
      throw error;
    }
  });
}
