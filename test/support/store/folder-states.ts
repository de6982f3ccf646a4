import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { prepareFolder } from '../../../src/store/level/folder/folder.ts';
import { openFolder } from './level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from './level-plans.ts';

/* What a process may find a folder to be: new, an index, or an index that another process has open. */

export const WRITER = fileURLToPath(new URL('../crash/level-writer.ts', import.meta.url));

/** The first step of opening an index. */
export const prepare = (dataDir: string, more = {}) =>
  prepareFolder({ dataDir, mustExist: false, pid: process.pid, ...more });

/** An index with one document. */
export async function made(dataDir: string): Promise<void> {
  const store = await openFolder(dataDir);
  await store.apply(putPlan('https://a.example/', contentOf(1, fingerprintsOf(0, 30)), 1000));
  await store.close();
}

/** Another process that has the index open and some documents in it, until it is killed or the test has ended. */
export async function owner(dataDir: string) {
  const child = spawn(process.execPath, [...process.execArgv, WRITER, dataDir, '1', Array(12).fill(0).join()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  onTestFinished(async () => void (await kill()));
  let acknowledged = 0;
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      acknowledged += chunk.toString().split('\n').length - 1;
      if (acknowledged > 50) resolve();
    });
  });
  return { pid: child.pid!, kill };
}
