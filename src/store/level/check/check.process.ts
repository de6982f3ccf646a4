import { join } from 'node:path';
import { answerParent } from '../child/child.ts';
import { Database } from '../database/database.ts';
import { compare, readDescription } from '../folder/description.ts';
import { DB_FOLDER, HIGH_WATER_FILE } from '../folder/folder-parts.ts';
import { readHighWater } from '../folder/high-water.ts';
import { readTrail } from '../writing/batch-log.ts';
import { Check } from './check.ts';
import type { CheckInput, CheckReport } from './check-process.ts';

/* The child process of a check. */

await answerParent<CheckInput, CheckReport>(async ({ path, rankKey, ...identity }, progress) => {
  const database = await Database.open(join(path, DB_FOLDER), false);
  try {
    const description = await readDescription(database);
    compare(description, identity);
    const { totals } = await readTrail(database, await readHighWater(join(path, HIGH_WATER_FILE)));
    return await database.read((level) => new Check({ level, description, rankKey, totals, progress }).run());
  } finally {
    await database.close();
  }
});
