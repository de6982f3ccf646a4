import { ShingledError } from '../../errors.ts';
import { postedFingerprints, shingleDigestKey } from '../contents.ts';
import type { IndexDescription } from '../port.ts';
import type { LevelReader } from './database/level-handle.ts';
import { openContent } from './format/content-values.ts';
import { contentKey, numberOfContentKey, Table, under } from './format/keys.ts';
import type { Totals } from './format/values.ts';
import { presenceOfCount } from './segments/content-table.ts';
import type { PostingIndex } from './segments/posting-index.ts';

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
    const records = level.iterator({ gte: contentKey(index.flushedUpTo), lt, highWaterMarkBytes: 1 << 20 });
    const read = () => {
      const page = records.nextv(RECORDS_AT_ONCE);
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
