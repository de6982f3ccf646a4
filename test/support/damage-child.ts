import { cpSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Damage } from './damage-process.ts';
import { answersOf, judge } from './damaged-index.ts';

/*
 * A process that damages an index and looks at what it answers, since LevelDB may abort on what it reads:
 * `node damage-child.ts SOUND WORK`. Each line of its input is a damage, each of its output a verdict.
 */

const [sound, work] = process.argv.slice(2) as [string, string];

function damage({ path, offset, bit }: Damage): void {
  const file = join(work, path);
  if (offset === undefined) {
    rmSync(file);
    return;
  }
  const bytes = readFileSync(file);
  bytes[offset]! ^= 1 << bit!;
  writeFileSync(file, bytes);
}

const restore = () => {
  rmSync(work, { recursive: true, force: true });
  cpSync(sound, work, { recursive: true });
};

restore();
const answers = await answersOf(work);
for await (const line of createInterface({ input: process.stdin })) {
  restore();
  damage(JSON.parse(line) as Damage);
  writeSync(1, `${JSON.stringify(await judge(work, answers))}\n`);
}
