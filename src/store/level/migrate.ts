import { join } from 'node:path';
import { Database } from './database/database.ts';
import { compare, type ExpectedIdentity, readDescription } from './folder/description.ts';
import { startError } from './folder/folder.ts';
import { DB_FOLDER } from './folder/folder-parts.ts';
import { descriptionKey } from './format/keys.ts';
import { FORMAT_VERSION, sealDescription } from './format/values.ts';

/*
 * An index of an older format brought to the present one, in place:
 *
 *   format 4 ── step 4 ── "format 5" ── step 5 ── "format 6"        each number is written when its step is on disk
 *
 * A process that is killed on the way has left an index of one of these formats, and whose step is done again: every step
 * may be done twice.
 */

const STEPS: Readonly<Record<number, (database: Database) => Promise<void>>> = {
  // a row of format 4 is one of format 5 that knows of no change between versions
  4: async () => undefined,
  // one of format 5 is one of format 6 whose versions have no sketches
  5: async () => undefined,
};

export interface Migrated {
  readonly from: number;
  readonly to: number;
}

/**
 * Brings an index to the present format; one that has it stays as it is.
 *
 * @param path its folder, which this process owns
 * @throws ShingledError `index-mismatch`, `index-damaged`, `index-locked`, `storage-full`
 */
export async function migrate(path: string, identity: ExpectedIdentity): Promise<Migrated> {
  let database: Database | undefined;
  try {
    database = await Database.open(join(path, DB_FOLDER), false);
    let description = await readDescription(database);
    compare(description, identity);
    const from = description.formatVersion;
    while (description.formatVersion < FORMAT_VERSION) {
      await STEPS[description.formatVersion]!(database);
      description = { ...description, formatVersion: description.formatVersion + 1 };
      await database.write('documents', [[descriptionKey, sealDescription(descriptionKey, description)]]);
    }
    return { from, to: FORMAT_VERSION };
  } catch (error) {
    throw startError(error);
  } finally {
    await database?.close();
  }
}
