import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { backupIndex, checkIndex, repairIndex } from '../../src/commands/index-commands.ts';
import { migrateIndex } from '../../src/commands/upgrade-commands.ts';
import { PIPELINE_VERSION } from '../../src/identity/index-key.ts';
import { openIndex } from '../../src/open-index.ts';
import { HIGH_WATER_FILE } from '../../src/store/level/folder/folder-parts.ts';
import { createHighWater, readHighWater } from '../../src/store/level/folder/high-water.ts';
import { FORMAT_READ_LEAST, FORMAT_VERSION } from '../../src/store/level/format/values.ts';
import { TALE } from '../../tools/format-fixture.ts';
import {
  backupOf,
  FORMATS,
  fixture,
  formatOf,
  OLDER,
  pipelineOf,
  RETENTION_PAST_MS,
  restored,
  URLS,
} from '../support/process/format-fixtures.ts';
import { runHere, serveHere } from '../support/process/run-here.ts';
import { put } from '../support/process/started-service.ts';
import { filesOf } from '../support/store/level-damage.ts';
import { inFolder } from '../support/store/level-folder.ts';
import { configOf, log } from '../support/store/made-index.ts';
import { root } from '../support/tree/tree.ts';

const { pid } = process;
const quiet = () => undefined;

interface Recorded {
  readonly path: string;
  readonly body?: object;
  readonly answer: object;
}

/**
 * What differs: the pipeline, and the recall that is stated. Before format 9 more was posted and looked up.
 */
function stated(key: string, value: unknown): unknown {
  return key === 'fingerprintId' || key === 'recall' ? undefined : value;
}

/** Answers as they were; later builds may say more. */
async function expectAnswers(dataDir: string, format: number): Promise<void> {
  const { url } = await serveHere({ DATA_DIR: dataDir, STORE_MEMORY_MB: '48', RETENTION_PAST_MS, LOG_LEVEL: 'warn' });
  const recorded = JSON.parse(readFileSync(join(fixture(format), 'answers.json'), 'utf8'), stated) as Recorded[];
  expect(recorded.length).toBeGreaterThan(40);
  for (const { path, body, answer } of recorded) {
    const headers = { 'content-type': 'application/json' };
    const asked = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const found = JSON.parse(await (await fetch(`${url}${path}`, asked)).text(), stated) as object;
    expect(found, `${path} ${JSON.stringify(body)}`).toMatchObject(answer);
  }
}

describe('an index of an older build', () => {
  it('is there of each format that is read', () => {
    const all = Array.from({ length: FORMAT_VERSION - FORMAT_READ_LEAST + 1 }, (_, i) => FORMAT_READ_LEAST + i);
    expect(FORMATS.toSorted()).toEqual(all);
  });

  it.each(FORMATS)('of format %i is restored, proven, asked, repaired', (format) =>
    inFolder(async (folder) => {
      // which has proven it
      const config = await restored(folder, format);
      expect(formatOf(config.DATA_DIR)).toBe(format);
      const repaired = configOf(join(folder, 'repaired'), { RETENTION_PAST_MS });
      cpSync(config.DATA_DIR, repaired.DATA_DIR, { recursive: true });
      expect(await repairIndex(repaired, pid, quiet)).toMatchObject({ lostUrlCount: 0, batchesLost: 0 });
      expect(formatOf(repaired.DATA_DIR)).toBe(FORMAT_VERSION);
      await expectAnswers(repaired.DATA_DIR, format);
      if (!OLDER.includes(format)) await expectAnswers(config.DATA_DIR, format);
    }),
  );

  it.each(OLDER)('of format %i is not written before it was migrated, and nothing of it changes', (format) =>
    inFolder(async (folder) => {
      const config = await restored(folder, format);
      const message = expect.stringMatching(/has (format|pipeline) \d.+writes \1 \d.+\n.+shingled migrate/);
      await expect(openIndex(config, pid, log)).rejects.toMatchObject({ code: 'index-mismatch', message });
      expect(formatOf(config.DATA_DIR)).toBe(format);
      // whoever made it may go on with it
      expect(await checkIndex(config, pid, quiet)).toMatchObject({ problems: [] });
    }),
  );

  it.each(OLDER)('of format %i answers as before once it was migrated, and is written from then on', (format) =>
    inFolder(async (folder) => {
      const config = await restored(folder, format);
      const backup = join(folder, 'before');
      await backupIndex(config, pid, backup);
      const pipeline = { from: pipelineOf(format), to: PIPELINE_VERSION };
      const migrated = { path: config.DATA_DIR, from: format, to: FORMAT_VERSION, pipeline };
      expect(await migrateIndex(config, pid, backup, quiet)).toEqual(migrated);
      // nothing to do, and so nothing to prove
      const none = join(folder, 'none');
      expect(await migrateIndex(config, pid, none, quiet)).toEqual({
        ...migrated,
        from: FORMAT_VERSION,
        pipeline: { from: PIPELINE_VERSION, to: PIPELINE_VERSION },
      });
      expect(await checkIndex(config, pid, quiet)).toMatchObject({ problems: [], counts: { sources: URLS } });
      await expectAnswers(config.DATA_DIR, format);
    }),
  );
});

describe('an index of pipeline 2', () => {
  const [format] = OLDER.filter((older) => pipelineOf(older) === 2).slice(-1) as [number];
  const WIDE = TALE.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0));

  it('is asked and written by pipeline 3 once it was migrated', () =>
    inFolder(async (folder) => {
      const { DATA_DIR } = await restored(folder, format);
      await migrateIndex(configOf(DATA_DIR), pid, null, quiet);
      const service = await serveHere({ DATA_DIR, STORE_MEMORY_MB: '48', RETENTION_PAST_MS, LOG_LEVEL: 'warn' });
      await put(service, 'https://n.example/wide', WIDE);
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ document: { text: WIDE } });
      const answer = await (await fetch(`${service.url}/similar`, { method: 'POST', headers, body })).json();
      const [{ resemblance, sources }] = (answer as { matches: [{ resemblance: object; sources: { url: string }[] }] })
        .matches;
      expect(resemblance).toMatchObject({ estimate: 1 });
      const urls = sources.map(({ url }) => url);
      expect(urls).toEqual(expect.arrayContaining(['https://a.example/tale', 'https://n.example/wide']));
      const stats = (await (await fetch(`${service.url}/stats`)).json()) as { fingerprintId: string };
      expect(stats.fingerprintId).toMatch(/^3\./);
      await service.stop();
      expect(await checkIndex(configOf(DATA_DIR), pid, quiet)).toMatchObject({ problems: [] });
    }));

  it('is held against documents of now as it is', () =>
    inFolder(async (folder) => {
      const { DATA_DIR } = await restored(folder, format);
      const documents = join(folder, 'new.ndjson');
      const lines = [WIDE, 'a text of which nobody has ever read a word before'];
      writeFileSync(
        documents,
        lines.map((text, i) => `${JSON.stringify({ url: `https://n.example/${i}`, text })}\n`).join(''),
      );
      const kept = join(folder, 'kept.ndjson');
      const { code, err } = await runHere(
        ['dedupe', documents, '--against', DATA_DIR, '--kept', kept, '--removed', join(folder, 'gone')],
        {},
      );
      expect({ code, err }).toMatchObject({ code: 0 });
      expect(readFileSync(kept, 'utf8')).toBe(`${JSON.stringify({ url: 'https://n.example/1', text: lines[1] })}\n`);
      expect(formatOf(DATA_DIR)).toBe(format);
    }));
});

/** Once the files of a folder were seen to change so often, or it is over. */
async function changed(folder: string, times: number, isOver: () => boolean): Promise<void> {
  const look = () =>
    readdirSync(folder)
      .map((name) => `${name} ${statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs}`)
      .join();
  let [last, count] = [look(), 0];
  await vi.waitUntil(
    () => {
      const now = look();
      if (now !== last) count++;
      last = now;
      return count >= times || isOver();
    },
    { timeout: 60_000, interval: 1 },
  );
}

describe('shingled migrate', () => {
  it('wants a proven backup of this index, taken after its last write', () =>
    inFolder(async (folder) => {
      const format = OLDER[0]!;
      const config = await restored(folder, format);
      const attempt = (backup: string) => migrateIndex(config, pid, backup, quiet);
      await expect(attempt(join(folder, 'none'))).rejects.toMatchObject({ code: 'backup-missing' });
      const other = expect.stringContaining('another index');
      await expect(attempt(backupOf(FORMAT_VERSION))).rejects.toMatchObject({ code: 'backup-missing', message: other });
      const damaged = join(folder, 'damaged');
      cpSync(backupOf(format), damaged, { recursive: true });
      const [table] = filesOf(damaged, '.ldb');
      writeFileSync(table!, readFileSync(table!).fill(0xaa, 5000, 5010));
      await expect(attempt(damaged)).rejects.toMatchObject({ code: 'backup-damaged' });
      rmSync(join(damaged, 'db'), { recursive: true });
      await expect(attempt(damaged)).rejects.toMatchObject({ code: 'backup-damaged' });
      expect(formatOf(config.DATA_DIR)).toBe(format);
      await expect(attempt(backupOf(format))).resolves.toMatchObject({ from: format, to: FORMAT_VERSION });
    }));

  it('says so where the index was written since', () =>
    inFolder(async (folder) => {
      const format = OLDER[0]!;
      const config = await restored(folder, format);
      const path = join(config.DATA_DIR, HIGH_WATER_FILE);
      // whoever made it has gone on with it
      await createHighWater(path, 1 + (await readHighWater(path)));
      const message = expect.stringContaining('written after the backup');
      const attempt = migrateIndex(config, pid, backupOf(format), quiet);
      await expect(attempt).rejects.toMatchObject({ code: 'backup-missing', message });
    }));

  it('leaves an index of the one format or of the other, whenever it is killed', () =>
    inFolder(async (folder) => {
      const [format, seen] = [OLDER[0]!, new Set<number>()];
      const whole = await restored(join(folder, 'whole'), format);
      for (let changes = 1; !(seen.has(format) && seen.has(FORMAT_VERSION)) && changes < 30; changes += 2) {
        const at = join(folder, String(changes));
        const { DATA_DIR } = configOf(join(at, 'index'));
        cpSync(whole.DATA_DIR, DATA_DIR, { recursive: true });
        const args = ['migrate', '--without-backup', '--data-dir', DATA_DIR];
        const child = spawn(process.execPath, [...process.execArgv, `${root}/src/main.ts`, ...args], {
          stdio: 'ignore',
        });
        const ended = once(child, 'exit');
        await changed(join(DATA_DIR, 'db'), changes, () => child.exitCode !== null);
        child.kill('SIGKILL');
        await ended;
        const left = formatOf(DATA_DIR);
        seen.add(left);
        // each step is an index of its own
        expect(left).toBeGreaterThanOrEqual(format);
        expect(left).toBeLessThanOrEqual(FORMAT_VERSION);
        expect(await migrateIndex(configOf(DATA_DIR), pid, null, quiet)).toMatchObject({ from: left });
        expect(await checkIndex(configOf(DATA_DIR), pid, quiet)).toMatchObject({ problems: [] });
      }
      expect([...seen].sort()).toEqual(expect.arrayContaining([format, FORMAT_VERSION]));
    }));
});
