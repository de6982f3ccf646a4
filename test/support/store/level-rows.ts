import { join } from 'node:path';
import { ShingledError } from '../../../src/errors.ts';
import { Check } from '../../../src/store/level/check/check.ts';
import { Database } from '../../../src/store/level/database/database.ts';
import { type LevelDatabase, openLevel } from '../../../src/store/level/database/level-handle.ts';
import { readDescription } from '../../../src/store/level/folder/description.ts';
import { readHighWater } from '../../../src/store/level/folder/high-water.ts';
import { readTrail } from '../../../src/store/level/writing/batch-log.ts';
import { TEST_RANK_KEY } from './level-folder.ts';

/** Opens the LevelDB of a closed index by itself, to look at its rows or to damage them. */
export async function withLevel<T>(dataDir: string, work: (level: LevelDatabase) => Promise<T>): Promise<T> {
  const level = await openLevel(join(dataDir, 'db'), false);
  try {
    return await work(level);
  } finally {
    await level.close();
  }
}

/** All keys of a table. */
export const keysOf = (level: LevelDatabase, table: string) => level.keys({ gte: table, lt: `${table}\u0080` }).all();

/** What a check finds wrong, without a process of its own: not for damaged table files. */
export async function problemsOf(dataDir: string): Promise<readonly string[]> {
  const database = await Database.open(join(dataDir, 'db'), false);
  try {
    const description = await readDescription(database);
    const { totals } = await readTrail(database, await readHighWater(join(dataDir, 'high-water')));
    const parts = { description, rankKey: TEST_RANK_KEY, totals, progress: () => undefined };
    return (await database.read((level) => new Check({ ...parts, level }).run())).problems;
  } catch (error) {
    if (error instanceof ShingledError) return [error.message];
    throw error;
  } finally {
    await database.close();
  }
}
