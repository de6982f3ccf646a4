import { join } from 'node:path';
import { Check } from './check.ts';
import type { CheckInput, CheckReport } from './check-process.ts';
import { answerParent } from './child-answer.ts';
import { Database } from './database.ts';
import { compare, readDescription } from './description.ts';
import { readHighWater } from './high-water.ts';
import { DB_FOLDER, HIGH_WATER_FILE } from './parts.ts';
import { readTrail } from './trail.ts';

/* The child process of a check. */

await answerParent<CheckInput, CheckReport>(async ({ path, identity, rankKey }, progress) => {
  const database = await Database.open(join(path, DB_FOLDER), false);
  try {
    const description = await readDescription(database);
    compare(description, identity);
    const trail = await readTrail(database, await readHighWater(join(path, HIGH_WATER_FILE)));
    return await new Check(database, description, rankKey, progress).run(trail);
  } finally {
    await database.close();
  }
});
