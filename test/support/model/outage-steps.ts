import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { LOCK_FILE } from '../../../src/store/level/folder/lock.ts';
import type { Store } from '../../../src/store/port.ts';
import { NO_FILTERS, openFolder, type TestOptions } from '../store/level-folder.ts';
import { ANY_OVERLAP, contentOf, fingerprintsOf, putPlan } from '../store/level-plans.ts';
import { problemsOf } from '../store/level-rows.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { until } from './patience.ts';

/* What tests of a disk that refuses do: documents that are named by numbers, and indexes as a kill would leave them. */

export const URL_OF = (i: number) => `https://${i}.example/`;
const text = (i: number) => contentOf(i, fingerprintsOf(i * 1000, 30));
export const put = (i: number) => putPlan(URL_OF(i), text(i), 1000);
export const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/** Tails of 8 contents, so that segments are written and merged all the time. */
export const SMALL: TestOptions = { segments: { flushContents: 8, idleMs: 5, retryMs: 20 }, diskRetryMs: 10 };

/** Resolves when nothing goes on any more. */
export async function settled(store: Store): Promise<void> {
  let before = '';
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 40));
    const { index } = await store.stats();
    const now = JSON.stringify([store.writable, index?.segments, index?.merging, index?.bytesByKind]);
    const isSame = now === before;
    before = now;
    return isSame && store.writable && index?.merging === false;
  });
}

export async function isFound(store: Store, i: number): Promise<boolean> {
  const { candidates } = await store.candidates({
    keys: text(i).sample.fingerprints,
    candidatesMax: 5,
    ...ANY_OVERLAP,
  });
  return candidates.some(({ record }) => record.id === text(i).id);
}

/** Applies plans for these numbers until the disk takes each. */
export async function putAll(store: Store, which: readonly number[]): Promise<void> {
  await Promise.all(
    which.map(async (i) => {
      for (;;) {
        const error = await store.apply(put(i)).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error === undefined) return;
        expect(error).toMatchObject({ code: 'storage-full', retryAfterS: 5 });
        await until(() => store.writable);
      }
    }),
  );
}

/** What a process that is killed when nothing goes on would leave: the files as they are. */
export async function killed(store: Store, folder: string): Promise<string> {
  await settled(store);
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.includes(LOCK_FILE) });
  rmSync(join(copy, 'db', 'LOCK'), { force: true });
  return copy;
}

export async function expectSound(folder: string, which: readonly number[]): Promise<void> {
  expect(await problemsOf(folder)).toEqual([]);
  const store = await openFolder(folder, { ...NO_FILTERS, mustExist: true });
  const lost = [];
  for (const i of which) if (!(await isFound(store, i))) lost.push(i);
  expect(lost).toEqual([]);
  expect(await store.stats()).toMatchObject({ contents: which.length });
  await store.close();
}
