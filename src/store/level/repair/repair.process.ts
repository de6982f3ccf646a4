import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { RETENTION_DEFAULT } from '../../settings.ts';
import { answerParent } from '../child/child.ts';
import { Database } from '../database/database.ts';
import { type OpenLevel, openLevel } from '../database/level-handle.ts';
import { MergedRows } from '../files/merged-rows.ts';
import { broughtUp, compare } from '../folder/description.ts';
import { prepareFolder } from '../folder/folder.ts';
import { DB_FOLDER, HIGH_WATER_FILE, KEY_FILE } from '../folder/folder-parts.ts';
import { createHighWater, readHighWater } from '../folder/high-water.ts';
import { memoryShares } from '../memory.ts';
import { openLevelStore } from '../open.ts';
import { Rebuild } from './rebuild.ts';
import { LOST_URLS_FILE, type RepairInput, type RepairLosses } from './repair.ts';

/* The child process of a repair: reads the old files without touching them, and writes the new ones. */

const URLS_TOLD = 100;

await answerParent<RepairInput, RepairLosses>(async (input, progress) => {
  const { from, to, pid, now, storeMemoryMb } = input;
  const old = new MergedRows(join(from, DB_FOLDER));
  await mkdir(join(to, DB_FOLDER), { recursive: true, mode: 0o700 });
  const memory = memoryShares(storeMemoryMb);
  const open: OpenLevel = (location, isNew) => openLevel(location, isNew, memory);
  const database = await Database.open(join(to, DB_FOLDER), true, open);
  const highWater = await readHighWater(join(from, HIGH_WATER_FILE)).catch(() => null);
  const rebuild = new Rebuild(old, database, input.rankKey, progress);
  const description = rebuild.describe(input, now);
  compare(description, input);
  // every row is written anew
  const { lost, lostUrls, ...rebuilt } = await rebuild.run(broughtUp(description, input), highWater ?? 0);
  await database.close();
  await createHighWater(join(to, HIGH_WATER_FILE), rebuilt.seq);
  progress('Rebuilding postings ...');
  const folder = await prepareFolder({ dataDir: to, indexKeyFile: KEY_FILE, mustExist: true, pid });
  await (await openLevelStore({ ...input, folder, retention: RETENTION_DEFAULT })).close();
  await writeFile(join(to, LOST_URLS_FILE), lostUrls.map((url) => `${url}\n`).join(''), { mode: 0o600, flush: true });
  const { manifest, missing, unreadable, blocks, logPlaces } = old.losses;
  const files = [...blocks].map((block) => basename(block.split('\n')[0]!));
  return {
    ...{ manifest, highWater: highWater !== null, missing, unreadable, logPlaces, blocks: blocks.size },
    damagedFiles: [...new Set(files)].sort(),
    ...rebuilt,
    rows: lost,
    lostUrlCount: lostUrls.length,
    lostUrls: lostUrls.slice(0, URLS_TOLD),
  };
});
