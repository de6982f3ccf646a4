import { ShingledError } from '../../errors.ts';
import { postedFingerprints, shingleDigestKey } from '../contents.ts';
import type { IndexDescription } from '../port.ts';
import { presenceOfCount } from './candidates.ts';
import type { Database } from './database.ts';
import { contentKey, numberOfContentKey, Table, under } from './keys.ts';
import type { PostingIndex } from './segments/posting-index.ts';
import { contentOfDeathKey } from './segments/segment-keys.ts';
import { openContent, type Totals } from './values.ts';

/*
 * After opening: the postings that no segment holds yet are made again from the records, which are their write-ahead log.
 * What is known of contents by then must agree with the totals of the last batch.
 */

const RECORDS_AT_ONCE = 1000;

/** @throws ShingledError `index-damaged`, `index-unreadable` where a record cannot be read */
export async function rebuildTail(
  database: Database,
  index: PostingIndex,
  description: IndexDescription,
  { nextContent, contents }: Totals,
): Promise<void> {
  await addFrom(database, index, description, index.flushedUpTo);
  let found = 0;
  for (let number = 0; number < nextContent; number++) found += Number(index.contents.shingleCount(number) !== 0);
  if (found === contents) return;
  throw new ShingledError('index-damaged', `The index has ${found} contents; its last batch says ${contents}.`);
}

/**
 * Takes up what a batch did of which the disk said that it refused it, and which is there nevertheless after the database
 * was opened anew.
 *
 * @param from the first content number that was free before
 */
export async function catchUp(
  database: Database,
  index: PostingIndex,
  description: IndexDescription,
  from: number,
): Promise<void> {
  await addFrom(database, index, description, from);
  for (const key of await database.keys(under(Table.tombstone, Number.MAX_SAFE_INTEGER))) {
    const number = contentOfDeathKey(key);
    if (index.contents.shingleCount(number) !== 0) index.remove(number);
  }
}

async function addFrom(
  database: Database,
  index: PostingIndex,
  { indexModulusMax }: IndexDescription,
  from: number,
): Promise<void> {
  await database.read(async (level) => {
    const { lt } = under(Table.content, 0);
    const records = level.iterator({ gte: contentKey(from), lt, highWaterMarkBytes: 1 << 20 });
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
        await index.room();
        for (const [key, value] of entries) {
          const { record } = openContent(key, value);
          const posted = postedFingerprints(record, indexModulusMax);
          const digest = shingleDigestKey(record.shingleDigest);
          index.add(numberOfContentKey(key), presenceOfCount(record.shingleCount), posted, digest);
        }
      }
    } finally {
      await coming.catch(() => undefined);
      await records.close();
    }
  });
}
