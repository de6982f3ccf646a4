import { join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import type { IndexDescription } from '../../port.ts';
import { Database } from '../database/database.ts';
import { beginCreation, creationsIn, discard, publish, replace } from '../folder/creation.ts';
import { compare, describeNew, type ExpectedIdentity, readDescription, refuseOlder } from '../folder/description.ts';
import type { PreparedFolder } from '../folder/folder.ts';
import { DB_FOLDER, HIGH_WATER_FILE } from '../folder/folder-parts.ts';
import { createHighWater, readHighWater } from '../folder/high-water.ts';
import { refuseIfOpen } from '../folder/lock.ts';
import type { Totals } from '../format/values.ts';
import { readTrail } from '../writing/batch-log.ts';

/*
 * Where a loaded index comes into being: beside the one that it is to be (folder/creation.ts), which is absent or empty
 * until all of it is on disk.
 *
 *   DATA_DIR/creating.<uuid>/db           the index
 *   DATA_DIR/creating.<uuid>/load/        what it is sorted with
 */

export interface LoadPlace {
  /** Of the new index, and of what is needed until it is there. */
  readonly location: string;
  readonly temporary: string;
  readonly description: IndexDescription;
  /** What the index says of itself that is empty; its numbers are not given again. */
  readonly totals: Totals;
  /** The batch that the whole load counts as. */
  readonly seq: number;
  /** The new index, on disk and closed, becomes the one of the folder. */
  publish(): Promise<void>;
  discard(): Promise<void>;
}

const NOTHING: Totals = { nextContent: 0, sources: 0, contents: 0, postings: 0 };

/**
 * @param folder owned by this process; its database is not open
 * @returns null where the index holds documents: then nothing was made
 * @throws ShingledError `index-mismatch`, `index-damaged`, `index-locked`, and errors of the file system
 */
export async function takePlace(
  folder: PreparedFolder,
  expected: ExpectedIdentity,
  now: number,
): Promise<LoadPlace | null> {
  const { path } = folder;
  const before = folder.isNew ? null : await readEmpty(path, expected);
  if (before !== null && before.totals.sources + before.totals.contents > 0) return null;
  const creation = folder.creation ?? (await beginCreation(path));
  await clearLoads(path, creation);
  const { description, totals, seq } = before ?? { description: describeNew(expected, now), totals: NOTHING, seq: 0 };
  return {
    ...{ location: join(creation, DB_FOLDER), temporary: join(creation, 'load'), description, totals, seq: seq + 1 },
    publish: async () => {
      await createHighWater(join(creation, HIGH_WATER_FILE), seq + 1);
      await (folder.isNew ? publish(creation, path) : replace(creation, path));
    },
    discard: () => discard(creation),
  };
}

async function readEmpty(path: string, expected: ExpectedIdentity) {
  await refuseIfOpen(join(path, DB_FOLDER));
  const database = await Database.open(join(path, DB_FOLDER), false);
  try {
    const description = await readDescription(database);
    compare(description, expected);
    refuseOlder(description);
    return { description, ...(await readTrail(database, await readHighWater(join(path, HIGH_WATER_FILE)))) };
  } finally {
    await database.close();
  }
}

/**
 * Clears away what loads have left that were killed. One of another container, which our lock does not see, has its database
 * open.
 */
async function clearLoads(path: string, own: string): Promise<void> {
  for (const creation of await creationsIn(path)) {
    if (creation === own) continue;
    const isOver = await refuseIfOpen(join(creation, DB_FOLDER)).then(
      () => true,
      (error: unknown) => !(error instanceof ShingledError),
    );
    if (isOver) await discard(creation);
  }
}
