import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ShingledError } from '../../../src/errors.ts';
import type { DamagedPart, Store } from '../../../src/store/port.ts';
import { isPassing } from '../model/patience.ts';
import { endWorkers } from '../model/worker-end.ts';
import { CLIENTS, CRASH_OPTIONS, operation } from '../store/level-clients.ts';
import { openFolder } from '../store/level-folder.ts';
import { below, randomFrom } from '../store/level-plans.ts';

/*
 * A process that writes until it is killed: `node level-writer.ts FOLDER SEED POSITIONS [TROUBLES]`. It prints `open`, and the
 * number of a client whenever an operation of that client has been acknowledged, which is tried until it is. `damaged: …` and
 * `wrong: …` should not come. TROUBLES: `compact` now and then, `end-workers` now and then, `may-not-open`, and `tiny-tails`, so
 * that more of them wait than there is room for.
 */

const [dataDir, seed, positions, troubles = ''] = process.argv.slice(2);
const next = positions!.split(',').map(Number);
const random = randomFrom(Number(seed) + next[0]!);

/** Whoever listens may stand still for a while: then the pipe is full. */
function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

const { segments: usual } = CRASH_OPTIONS;
const segments = troubles.includes('tiny-tails') ? { ...usual, flushContents: 6 } : usual;

if (troubles.includes('end-workers')) endWorkers({ kind: '', times: below(random, 4), afterMsMax: 30 });

/** A disk that fails while the index is opened may keep it from opening, and no more. */
async function open(): Promise<Store> {
  const onDamage = ({ file, problem }: DamagedPart) => say(`damaged: ${file ?? 'no file'}: ${problem}`);
  try {
    return await openFolder(dataDir!, { ...CRASH_OPTIONS, segments, diskRetryMs: 10, onDamage });
  } catch (error) {
    if (troubles.includes('may-not-open')) process.exit(0);
    throw error;
  }
}

const store = await open();
// the timers of the store hold nobody up
setInterval(() => undefined, 1000);
say('open');

/** Every few operations are acknowledged before they are synced; such a one counts when it is. */
async function apply(client: number, n: number): Promise<void> {
  const plan = operation(Number(seed), client, n);
  if (n % 7 !== 3) return void (await store.apply(plan));
  const { relaxedLosses } = store;
  await store.apply(plan, { relaxed: true });
  await store.sync();
  if (store.relaxedLosses !== relaxedLosses) throw new ShingledError('storage-full', 'Lost before it was synced.');
}

async function write(client: number): Promise<never> {
  for (;;) {
    try {
      await apply(client, next[client]!);
      next[client]!++;
      say(String(client));
    } catch (error) {
      if (!isPassing(error)) say(`wrong: ${String(error)}`);
      await pause(3);
    }
  }
}

async function compactNowAndThen(): Promise<never> {
  for (;;) {
    await pause(below(random, 1500));
    await store.compact().catch((error: unknown) => isPassing(error) || say(`wrong: ${String(error)}`));
  }
}

const all: Promise<never>[] = Array.from({ length: CLIENTS }, (_, client) => write(client));
if (troubles.includes('compact')) all.push(compactNowAndThen());
await Promise.all(all);
