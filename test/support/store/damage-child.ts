import { cpSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Damage } from './damage-process.ts';
import { answersOf, judge, type Verdict } from './damaged-index.ts';
import { problemsOf } from './level-rows.ts';

/*
 * A process that damages an index and looks at what it answers, since LevelDB may abort on what it reads:
 * `node damage-child.ts SOUND WORK [FILTER_BYTES]`. Each line of its input is a damage, each of its output a verdict.
 */

const [sound, work, filterBytes] = process.argv.slice(2) as [string, string, string?];
const filterBytesMax = filterBytes === undefined ? undefined : Number(filterBytes);

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

async function checked(): Promise<Verdict> {
  return { verdict: (await problemsOf(work)).length > 0 ? 'reported' : 'harmless' };
}

restore();
const answers = await answersOf(work, filterBytesMax);
for await (const line of createInterface({ input: process.stdin })) {
  restore();
  const asked = JSON.parse(line) as Damage;
  damage(asked);
  const verdict = asked.check === true ? await checked() : await judge(work, answers, filterBytesMax);
  writeSync(1, `${JSON.stringify(verdict)}\n`);
}
