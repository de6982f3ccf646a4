import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { restoreIndex } from '../../../src/commands/index-commands.ts';
import { PIPELINE_VERSION } from '../../../src/identity/index-key.ts';
import { FORMAT_VERSION } from '../../../src/store/level/format/values.ts';
import { WholeIndex } from '../../../src/store/level/whole-index.ts';
import { configOf, filesIn, writeFiles } from '../store/made-index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { root } from '../tree/tree.ts';

/* Indexes as older builds wrote them: test/fixtures, made by tools/make-format-fixture.ts. */

/** As many as tools/format-fixture.ts names. */
export const URLS = 33;
const FIXTURES = join(root, 'test', 'fixtures');
export const FORMATS = readdirSync(FIXTURES)
  .filter((name) => name.startsWith('format-'))
  .map((name) => Number(name.replace('format-', '')));
export const fixture = (format: number) => join(FIXTURES, `format-${format}`);

/** Copied: that a backup was proven is noted beside it. */
export function backupOf(format: number): string {
  const path = temporaryFolder();
  cpSync(join(fixture(format), 'backup'), path, { recursive: true });
  return path;
}

/** Contents that are past by now were so for less than a hundred years. */
export const RETENTION_PAST_MS = String(100 * 365 * 24 * 3_600_000);

/** Files of an index of each format. To restore one takes a process that proves it, so that is done once for all tests. */
const made = new Map<number, Promise<ReadonlyMap<string, Buffer>>>();

/** An index of an older build, as it was, of which a restore has proven all documents. */
export async function restored(folder: string, format: number) {
  const files = made.get(format) ?? filesOf(format);
  made.set(format, files);
  const config = configOf(join(folder, 'index'), { RETENTION_PAST_MS });
  writeFiles(config.DATA_DIR, await files);
  return config;
}

async function filesOf(format: number): Promise<ReadonlyMap<string, Buffer>> {
  const config = configOf(join(temporaryFolder(), 'index'), { RETENTION_PAST_MS });
  const { counts } = await restoreIndex(config, process.pid, backupOf(format), () => undefined);
  if (counts.sources !== URLS) throw new Error(`of format ${format} ${counts.sources} documents were restored`);
  return filesIn(config.DATA_DIR);
}

export const formatOf = (dataDir: string) => new WholeIndex(join(dataDir, 'db')).description!.formatVersion;

export const pipelineOf = (format: number) =>
  Number.parseInt(new WholeIndex(join(fixture(format), 'backup', 'db')).description!.fingerprintId, 10);

/** Those which the builds of now do not write. */
export const OLDER = FORMATS.filter((format) => {
  return format < FORMAT_VERSION || pipelineOf(format) < PIPELINE_VERSION;
});
