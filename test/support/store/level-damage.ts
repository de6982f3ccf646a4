import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type CheckReport, runCheck } from '../../../src/store/level/check/check-process.ts';
import { prepareFolder } from '../../../src/store/level/folder/folder.ts';
import { LOCK_FILE } from '../../../src/store/level/folder/lock.ts';
import type { NewContent, Store } from '../../../src/store/port.ts';
import { openFolder, TEST_IDENTITY, TEST_RANK_KEY, type TestOptions } from './level-folder.ts';
import { contentOf, deletePlan, digest, fingerprintsOf, gonePlan, markedContent, putPlan } from './level-plans.ts';

export const URLS = Array.from({ length: 20 }, (_, i) => `https://${i}.example/`);
/** Every fourth of them has a main part. */
export function text(i: number): NewContent {
  const fingerprints = fingerprintsOf(i * 15, 40);
  return i % 4 === 3 ? markedContent(i, contentOf(500 + i, fingerprints, digest(i, 2)), 3) : contentOf(i, fingerprints);
}

/** An index of a page a source, five of them changed, one gone; all postings in a segment. */
export async function filled(dataDir: string, options: TestOptions = {}): Promise<void> {
  const store = await openFolder(dataDir, options);
  for (const [i, url] of URLS.entries()) await store.apply(putPlan(url, text(i), 1000));
  for (const [i, url] of URLS.slice(0, 5).entries()) await store.apply(putPlan(url, text(i + 50), 2000));
  await store.apply(gonePlan(URLS[7]!, 2000));
  await store.close();
}

/** An index in which every table has rows: beside {@link filled}, a shared content, a forgotten one, and long lists. */
export async function filledWhole(dataDir: string): Promise<void> {
  const options = { listPostingsMax: 2 };
  await filled(dataDir, options);
  const store = await openFolder(dataDir, options);
  await store.apply(putPlan('https://twin.example/', text(3), 3000));
  await store.apply(deletePlan(URLS[19]!, 3000));
  await store.close();
}

/** Ends a store as a process that is killed does: what was written since the opening lies in the log of LevelDB. */
export async function leaveAsKilled(dataDir: string, store: Store): Promise<void> {
  const left = `${dataDir}.killed`;
  cpSync(dataDir, left, { recursive: true, filter: (path) => basename(path) !== LOCK_FILE });
  await store.close();
  rmSync(dataDir, { recursive: true });
  renameSync(left, dataDir);
}

/** Writes some more, each in a batch of its own, and is killed. */
export async function writeAndBeKilled(dataDir: string, options: TestOptions = {}): Promise<void> {
  const store = await openFolder(dataDir, options);
  for (let i = 80; i < 90; i++) await store.apply(putPlan(`https://${i}.example/`, text(i), 4000));
  await leaveAsKilled(dataDir, store);
}

export async function check(dataDir: string, identity = TEST_IDENTITY): Promise<CheckReport> {
  const folder = await prepareFolder({ dataDir, mustExist: true, pid: process.pid });
  return runCheck({ folder, ...identity, rankKey: TEST_RANK_KEY });
}

export const filesOf = (dataDir: string, ending: string) =>
  readdirSync(join(dataDir, 'db'))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(dataDir, 'db', name));
