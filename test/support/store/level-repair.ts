import { type RepairReport, repair as repairFolder } from '../../../src/store/level/repair/repair.ts';
import type { Source, Version } from '../../../src/store/port.ts';
import { NO_FILTERS, openFolder, TEST_IDENTITY, TEST_RANK_KEY } from './level-folder.ts';

/** Repairs a closed index, as the command does. */
export async function repair(dataDir: string, identity = TEST_IDENTITY): Promise<RepairReport> {
  return repairFolder({ dataDir, indexKeyFile: undefined, pid: process.pid }, () => ({
    ...identity,
    rankKey: TEST_RANK_KEY,
    now: 1_800_000_000_000,
    storeMemoryMb: 48,
    progress: () => undefined,
  }));
}

/** What an index answers of sources. */
export async function answersOf(
  dataDir: string,
  urls: readonly string[],
): Promise<Map<string, { source: Source; versions: readonly Version[]; holders: string[] } | undefined>> {
  const store = await openFolder(dataDir, { ...NO_FILTERS, mustExist: true });
  try {
    const answers = urls.map(async (url) => {
      const source = await store.source(url);
      if (source === undefined) return [url, undefined] as const;
      const versions = await store.versions(url, { limit: 100 });
      const holders = (await store.holders({ id: source.contentId }, { limit: 100 })).map((holder) => holder.url);
      return [url, { source, versions, holders }] as const;
    });
    return new Map(await Promise.all(answers));
  } finally {
    await store.close();
  }
}
