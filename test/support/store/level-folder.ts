import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIndexKeyFile } from '../../../src/identity/index-key.ts';
import { prepareFolder } from '../../../src/store/level/folder/folder.ts';
import type { LevelStore } from '../../../src/store/level/level-store.ts';
import { STORE_MEMORY_MB_MIN } from '../../../src/store/level/memory.ts';
import { type OpenOptions, openLevelStore } from '../../../src/store/level/open.ts';
import { RETENTION_DEFAULT } from '../../../src/store/settings.ts';

/** What the indexes of the tests are made with. */
export const TEST_IDENTITY = {
  keyId: '0a1b2c3d',
  fingerprintId: '1.9f3c',
  olderFingerprintIds: [],
  shingleSize: 7,
  indexModulusMax: 8,
  recordModulusMax: 4,
} as const;

export const TEST_RANK_KEY = [0x1234_5678, 0x9abc_def0] as const;

export const TEST_DESCRIPTION = { formatVersion: 1, indexId: 'test', createdAt: 0, ...TEST_IDENTITY };

export type TestOptions = Partial<Omit<OpenOptions, 'folder'>> & { readonly mustExist?: boolean };

/** For who opens an index only to ask it a little: no thread is started to make filters of its segments. */
export const NO_FILTERS: TestOptions = { segments: { filterBytesMax: 0 } };

/** For who opens an index that goes with its folder: no thread is started to flush what is thrown away. */
export const THROWN_AWAY: TestOptions = { segments: { closeContents: Number.POSITIVE_INFINITY } };

/** Opens the index of a folder, or creates it there, in the three steps that a process takes. */
export async function openFolder(dataDir: string, options: TestOptions = {}): Promise<LevelStore> {
  const { mustExist = false, segments, ...rest } = options;
  const folder = await prepareFolder({ dataDir, mustExist, pid: process.pid });
  if (folder.isNew) createIndexKeyFile(folder.keyFile);
  return openLevelStore({
    ...TEST_IDENTITY,
    rankKey: TEST_RANK_KEY,
    retention: RETENTION_DEFAULT,
    now: 1_700_000_000_000,
    folder,
    // small, so that LevelDB turns to another log often
    storeMemoryMb: STORE_MEMORY_MB_MIN,
    // its memory takes longer to get than what tests do with it, but where they are about memory
    segments: options.storeMemoryMb === undefined ? { flushPostings: 20_000, ...segments } : { ...segments },
    ...rest,
  });
}

/** Runs a test in a folder of its own that is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-store-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
