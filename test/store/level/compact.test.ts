import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBatch, readLog } from '../../../src/store/level/files/log-file.ts';
import { logNumber, tableNumber } from '../../../src/store/level/files/manifest-file.ts';
import { TableFile } from '../../../src/store/level/files/table-file.ts';
import { inFolder, openFolder } from '../../support/store/level-folder.ts';
import { contentOf, deletePlan, fingerprintsOf, gonePlan, putPlan } from '../../support/store/level-plans.ts';

const URL_OF = (i: number) => `https://planted-${i}.example/page`;
const content = (i: number) => contentOf(i, fingerprintsOf(i * 15, 40));

/** Every byte of every file of a folder; rows of tables and logs as they were before they were packed. */
function bytesOf(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const file = name.split('/').at(-1)!;
    if (file === 'db' || file === 'LOCK') continue;
    const parts: Uint8Array[] = [readFileSync(path)];
    if (tableNumber(file) !== undefined) {
      for (const { key, value } of TableFile.open(path).rows('', '\u00ff', () => expect.unreachable())) {
        parts.push(Buffer.from(key, 'latin1'), value ?? Buffer.alloc(0));
      }
    }
    if (logNumber(file) !== undefined) {
      for (const { key, value } of readLog(readFileSync(path)).records.flatMap(readBatch)) {
        parts.push(Buffer.from(key, 'latin1'), value ?? Buffer.alloc(0));
      }
    }
    files.set(name, Buffer.concat(parts));
  }
  return files;
}

/** The same again where LevelDB took a file away meanwhile. */
function bytesAtOnce(folder: string): Map<string, Buffer> {
  for (;;) {
    try {
      return bytesOf(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** What would give away that a document was here. */
function tracesOf(i: number, folder: string): string[] {
  const digests = [content(i).id, content(i).shingleDigest];
  const planted = [
    ...[Buffer.from(`planted-${i}.`), Buffer.from(`Title of ${i}.`), Buffer.from(`note ${i}.`)],
    ...digests.flatMap((digest) => [Buffer.from(digest, 'hex'), Buffer.from(digest)]),
  ];
  const found: string[] = [];
  for (const [name, bytes] of bytesAtOnce(folder)) {
    for (const trace of planted) if (bytes.includes(trace)) found.push(`${name}: ${trace.toString('latin1')}`);
  }
  return found;
}

describe('compact', () => {
  it.each([
    ['in one run', false],
    ['in runs of their own, so that all is in table files before', true],
  ])('leaves nothing readable of what was deleted, written and deleted %s', (_how, isReopened) =>
    inFolder(async (folder) => {
      const dataDir = join(folder, 'index');
      mkdirSync(dataDir);
      const options = { segments: { flushContents: 16, idleMs: 1e9 } };
      let store = await openFolder(dataDir, options);
      const step = async (urls: readonly number[], work: (i: number) => Promise<unknown>) => {
        await Promise.all(urls.map(work));
        if (!isReopened) return;
        await store.close();
        store = await openFolder(dataDir, options);
      };
      const all = Array.from({ length: 60 }, (_, i) => i);
      await step(all, (i) =>
        store.apply(putPlan(URL_OF(i), content(i), 1000, { title: `Title of ${i}.`, meta: { note: `note ${i}.` } })),
      );
      await step(all.slice(0, 20), (i) => store.apply(putPlan(URL_OF(i), content(i + 100), 2000)));
      await step(all.slice(10, 15), (i) => store.apply(gonePlan(URL_OF(i), 3000)));
      expect(tracesOf(0, dataDir)).not.toEqual([]);
      const dead = all.filter((i) => i % 3 !== 1);
      await step(dead, (i) => store.apply(deletePlan(URL_OF(i), 4000)));
      await store.compact();
      for (const i of dead) expect(tracesOf(i, dataDir), `document ${i}`).toEqual([]);
      for (const i of dead.filter((old) => old < 20)) expect(tracesOf(i + 100, dataDir)).toEqual([]);
      expect(tracesOf(1, dataDir)).not.toEqual([]);
      expect((await store.source(URL_OF(1)))?.title).toBeNull();
      expect((await store.source(URL_OF(22)))?.title).toBe('Title of 22.');
      await store.apply(putPlan(URL_OF(0), content(0), 5000));
      await store.close();
    }),
  );

  it('lets writes and queries go on', () =>
    inFolder(async (folder) => {
      const store = await openFolder(folder, { segments: { flushContents: 16 } });
      const put = (i: number) => store.apply(putPlan(URL_OF(i), content(i), 1000), { roomWaitMs: 60_000 });
      await Promise.all(Array.from({ length: 100 }, (_, i) => put(i)));
      let isDone = false;
      const compaction = store.compact().finally(() => {
        isDone = true;
      });
      let written = 100;
      while (!isDone) {
        await put(written);
        expect((await store.source(URL_OF(written)))?.url).toBe(URL_OF(written));
        written++;
      }
      await compaction;
      expect(written).toBeGreaterThan(100);
      expect((await store.stats()).sources).toBe(written);
      await store.close();
    }));
});
