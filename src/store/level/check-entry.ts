import { join } from 'node:path';
import { Check } from './check.ts';
import type { CheckInput, CheckReport } from './check-process.ts';
import { answerParent } from './child-answer.ts';
import { Database } from './database.ts';
import { damagedTables } from './files/verify.ts';
import { DB_FOLDER, HIGH_WATER_FILE } from './folder.ts';
import { readHighWater } from './high-water.ts';
import { compare, readDescription } from './open.ts';
import { readTrail } from './trail.ts';

/* The child process of a check. */

await answerParent<CheckInput, CheckReport>(async ({ path, identity, rankKey }, progress) => {
  const location = join(path, DB_FOLDER);
  // before LevelDB opens them: it may write their rows anew, damaged as they are
  progress('Checking files ...');
  const files: string[] = [];
  for await (const problem of damagedTables(location, 'full')) files.push(problem);
  const database = await Database.open(location, false);
  try {
    const description = await readDescription(database);
    compare(description, identity);
    const trail = await readTrail(database, await readHighWater(join(path, HIGH_WATER_FILE)));
    const { problems, counts } = await new Check(database, description, rankKey, progress).run(trail);
    return { problems: [...files, ...problems], counts };
  } finally {
    await database.close();
  }
});
