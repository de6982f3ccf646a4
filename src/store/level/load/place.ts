import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexDescription } from '../../port.ts';
import { Database } from '../database/database.ts';
import { discard, isBegunLoad, publish, replace } from '../folder/creation.ts';
import {
  broughtUp,
  compare,
  describeNew,
  type ExpectedIdentity,
  readDescription,
  refuseOlder,
} from '../folder/description.ts';
import type { PreparedFolder } from '../folder/folder.ts';
import { CHECKPOINT_FILE, DB_FOLDER, HIGH_WATER_FILE } from '../folder/folder-parts.ts';
import { createHighWater, readHighWater } from '../folder/high-water.ts';
import { refuseIfOpen } from '../folder/lock.ts';
import type { Totals } from '../format/values.ts';
import { readTrail } from '../writing/batch-log.ts';
import { type Checkpoint, readCheckpoint, unusable } from './checkpoint/checkpoint-file.ts';
import type { LoadFolders } from './load-rows.ts';

/*
 * Where a loaded index comes into being: beside the one that it is to be (folder/creation.ts), which is absent or empty
 * until all of it is on disk.
 *
 *   DATA_DIR/loading/db           the index
 *   DATA_DIR/loading/index.key    its key, unless that lies elsewhere or is there
 *   DATA_DIR/loading/kept/        what a later process needs beside to go on
 *   DATA_DIR/loading/again/       what it makes again
 *   DATA_DIR/loading/checkpoint   how far the load came; without it nobody goes on, and the folder is cleared away
 */

export interface LoadPlace {
  readonly folders: LoadFolders;
  readonly checkpointFile: string;
  /** From which the load goes on; null: it begins. */
  readonly begun: Checkpoint | null;
  readonly description: IndexDescription;
  /** What the index says of itself that is empty; its numbers are not given again. */
  readonly totals: Totals;
  /** The batch that the whole load counts as. */
  readonly seq: number;
  /** The new index, on disk and closed, becomes the one of the folder. */
  publish(): Promise<void>;
  /** Leaves what a later process needs to go on, if there is a checkpoint, else nothing. */
  leave(): Promise<void>;
}

const NOTHING: Totals = { nextContent: 0, sources: 0, contents: 0, postings: 0 };

/**
 * @param folder owned by this process, for a load; its database is not open
 * @returns null where the index holds documents: then nothing was made
 * @throws ShingledError `index-mismatch`, `index-damaged`, `index-locked`, `load-unfinished`, and errors of the file system
 */
export async function takePlace(
  folder: PreparedFolder,
  expected: ExpectedIdentity,
  now: number,
): Promise<LoadPlace | null> {
  const { path, isNew } = folder;
  const creation = folder.creation!;
  const before = isNew ? null : await readEmpty(path, expected);
  const checkpointFile = join(creation, CHECKPOINT_FILE);
  const begun = await readCheckpoint(checkpointFile);
  if (begun !== null) refuseOther(begun, before, checkpointFile, expected);
  if (before !== null && before.totals.sources + before.totals.contents > 0) return null;
  // of a process that was killed before the very end
  await rm(join(creation, HIGH_WATER_FILE), { force: true });
  const { totals, seq } = before ?? { totals: NOTHING, seq: 0 };
  return {
    folders: { index: join(creation, DB_FOLDER), kept: join(creation, 'kept'), temporary: join(creation, 'again') },
    ...{ checkpointFile, begun, totals, seq: seq + 1 },
    description: begun?.description ?? before?.description ?? describeNew(expected, now),
    publish: async () => {
      await createHighWater(join(creation, HIGH_WATER_FILE), seq + 1);
      await (isNew ? publish(creation, path) : replace(creation, path));
    },
    leave: async () => {
      if (isBegunLoad(creation)) await rm(join(creation, 'again'), { recursive: true, force: true });
      else await discard(creation);
    },
  };
}

/** @throws ShingledError where the folder is not what it was when the load was begun */
function refuseOther(begun: Checkpoint, before: Before | null, file: string, expected: ExpectedIdentity): void {
  compare(begun.description, expected);
  if (broughtUp(begun.description, expected).fingerprintId !== begun.description.fingerprintId) {
    throw unusable(file, 'was begun by another version of shingled');
  }
  const seq = (before?.seq ?? 0) + 1;
  if (begun.seq !== seq || (before !== null && before.description.indexId !== begun.description.indexId)) {
    throw unusable(file, 'is of another index than the one that is there now, which was written to since');
  }
}

type Before = Awaited<ReturnType<typeof readEmpty>>;

async function readEmpty(path: string, expected: ExpectedIdentity) {
  await refuseIfOpen(join(path, DB_FOLDER));
  const database = await Database.open(join(path, DB_FOLDER), false);
  try {
    const description = await readDescription(database);
    compare(description, expected);
    refuseOlder(description, expected);
    return { description, ...(await readTrail(database, await readHighWater(join(path, HIGH_WATER_FILE)))) };
  } finally {
    await database.close();
  }
}
