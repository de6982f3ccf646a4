import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { openFolder } from '../../../src/commands/folder-access.ts';
import { backupIndex } from '../../../src/commands/index-commands.ts';
import type { Process } from '../../../src/commands/open-parts.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { createLogger } from '../../../src/logger.ts';
import { openIndex } from '../../../src/open-index.ts';
import type { StatsAnswer } from '../../../src/service/api.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from './level-plans.ts';

export const DOCUMENTS = 30;
export const log = await createLogger('silent', false);

export const configOf = (DATA_DIR: string, more: Record<string, string> = {}): Config =>
  readConfig({ DATA_DIR, STORE_MEMORY_MB: '48', WORKERS_THREADS: '1', ...more }).config;

/** Files by their paths: made by the first who asks, and written anew for all. */
let made: Promise<ReadonlyMap<string, Buffer>> | undefined;

/** An index as a service leaves it, some of it in table files. */
export async function madeIndex(dataDir: string): Promise<Config> {
  made ??= filled();
  writeFiles(dataDir, await made);
  return configOf(dataDir);
}

/** Files of a folder by their paths in it. */
export function filesIn(folder: string): ReadonlyMap<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

export function writeFiles(folder: string, files: ReadonlyMap<string, Buffer>): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

async function filled(): Promise<ReadonlyMap<string, Buffer>> {
  const folder = temporaryFolder();
  const config = configOf(folder);
  for (const part of [0, 1]) {
    const { store } = await openIndex(config, process.pid, log);
    for (let i = 0; i < DOCUMENTS / 2; i++) {
      const number = part * 1000 + i;
      await store.apply(putPlan(`https://${number}.example/`, contentOf(number, fingerprintsOf(number * 9, 40)), 1000));
    }
    await store.close();
  }
  return filesIn(folder);
}

/** Such an index, and a backup of it in another folder. */
export async function madeBackup(folder: string): Promise<{ config: Config; backup: string }> {
  const config = await madeIndex(join(folder, 'index'));
  const backup = join(folder, 'backups', 'one');
  await backupIndex(config, process.pid, backup);
  return { config, backup };
}

/** What an index holds that must be there, as the command line asks it. */
export async function indexStats(config: Config, running: Process): Promise<StatsAnswer> {
  const index = await openFolder({ ...config, INDEX_MUST_EXIST: true }, running, log);
  try {
    return await index.stats();
  } finally {
    await index.close();
  }
}
