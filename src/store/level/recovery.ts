import { ShingledError } from '../../errors.ts';
import { postedFingerprints, shingleDigestKey } from '../contents.ts';
import type { IndexDescription } from '../port.ts';
import { type LevelReader, Pages } from './database/level-handle.ts';
import { openContent } from './format/content-values.ts';
import { contentKey, numberOfContentKey, Table, under } from './format/keys.ts';
import type { Totals } from './format/values.ts';
import type { Recovery } from './outage/outage.ts';
import { presenceOfCount } from './segments/content-table.ts';
import type { PostingIndex } from './segments/posting-index.ts';
import { readTrail } from './writing/batch-log.ts';
import type { Writer, WriterParts } from './writing/writer.ts';

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

export interface RecoveryParts extends WriterParts {
  readonly index: PostingIndex;
  readonly writer: Writer;
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

async function restore(parts: RecoveryParts): Promise<void> {
  const { database, highWater, index, writer, description, onDamage, scanKeys } = parts;
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

/*
 * After opening: the postings that no segment holds yet are made again from the records, which are their write-ahead log.
 * What is known of contents by then must agree with the totals of the last batch.
 */

const RECORDS_AT_ONCE = 1000;

export interface RebuildParts {
  readonly reader: LevelReader;
  readonly index: PostingIndex;
  readonly description: IndexDescription;
  /** Resolves when the index may be given more. */
  room(): Promise<void>;
}

/** @throws ShingledError `index-damaged`, `index-unreadable` where a record cannot be read, what `room` throws */
export async function rebuildTail(parts: RebuildParts, { nextContent, contents }: Totals): Promise<void> {
  await addRecords(parts);
  const { index } = parts;
  let found = 0;
  for (let number = 0; number < nextContent; number++) found += Number(index.contents.shingleCount(number) !== 0);
  if (found === contents) return;
  throw new ShingledError('index-damaged', `The index has ${found} contents; its last batch says ${contents}.`);
}

function addRecords({ reader, index, description, room }: RebuildParts): Promise<void> {
  return reader.read(async (level) => {
    const { lt } = under(Table.content, 0);
    const range = { gte: contentKey(index.flushedUpTo), lt };
    const records = new Pages(level.iterator({ ...range, highWaterMarkBytes: 1 << 20 }));
    const read = () => {
      const page = records.next(RECORDS_AT_ONCE);
      // that it failed is met where it is awaited
      page.catch(() => undefined);
      return page;
    };
    let coming = read();
    try {
      for (;;) {
        const entries = await coming;
        if (entries.length === 0) return;
        // in another thread, while these are decoded
        coming = read();
        await room();
        for (const [key, value] of entries) {
          const content = openContent(key, value);
          const posted = postedFingerprints(content, description.indexModulusMax);
          const digest = shingleDigestKey(content.shingleDigest);
          index.add(numberOfContentKey(key), presenceOfCount(content.shingleCount), posted, digest);
        }
      }
    } finally {
      await coming.catch(() => undefined);
      await records.close();
    }
  });
}
