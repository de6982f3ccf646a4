import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ShingledError } from '../../errors.ts';
import { Check } from './check.ts';
import type { CheckAnswer, CheckInput } from './check-process.ts';
import { Database } from './database.ts';
import { DB_FOLDER, HIGH_WATER_FILE } from './folder.ts';
import { readHighWater } from './high-water.ts';
import { compare, readDescription } from './open.ts';
import { readTrail } from './trail.ts';

/*
 * The child process of a check: its input is one line of JSON on standard input, its output lines of JSON, each a
 * {@link CheckAnswer}, of which the last is the report.
 */

const say = (answer: CheckAnswer) => void writeSync(1, `${JSON.stringify(answer)}\n`);

async function check(input: CheckInput): Promise<void> {
  const database = await Database.open(join(input.path, DB_FOLDER), false);
  try {
    const description = await readDescription(database);
    compare(description, input.identity);
    const trail = await readTrail(database, await readHighWater(join(input.path, HIGH_WATER_FILE)));
    const walk = new Check(database, description, input.rankKey, (progress) => say({ progress }));
    say({ report: await walk.run(trail) });
  } finally {
    await database.close();
  }
}

try {
  await check(JSON.parse(readFileSync(0, 'utf8')) as CheckInput);
} catch (error) {
  const code = error instanceof ShingledError ? error.code : 'internal';
  say({ failed: { code, message: error instanceof Error ? error.message : String(error) } });
}
