import { existsSync, readdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { runHere, serveHere } from '../support/process/run-here.ts';
import { spawnService } from '../support/process/spawn-service.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const TEXT = 'it was the best of times it was the worst of times it was the age of wisdom';

/** Starts a service, lets it work, and stops it. */
async function serving(DATA_DIR: string, work: (url: string) => Promise<void>) {
  const service = await serveHere({ DATA_DIR });
  await work(service.url);
  await service.stop();
}

const put = (url: string, name: string) =>
  fetch(`${url}/documents?url=https://a.example/${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: `${TEXT} ${name}`,
  });
const statusOf = async (url: string, name: string) =>
  (await fetch(`${url}/documents?url=https://a.example/${name}`)).status;

describe('the life of an index', () => {
  it('goes on through backups, a restore, a lost file, a repair and a compaction', async () => {
    const folder = temporaryFolder();
    const DATA_DIR = `${folder}/data`;
    const BACKUP_DIR = `${folder}/backups`;
    // in a process of its own: what it has open is refused to others
    const { url, stop } = await spawnService({ DATA_DIR, BACKUP_DIR });
    await put(url, 'one');
    const refused = await runHere(['backup', `${folder}/cold`], { DATA_DIR });
    expect(refused).toMatchObject({ code: EXIT_CODES.index, out: '' });
    expect(refused.err).toContain('POST /admin/backup');
    const body = JSON.stringify({ name: 'hot' });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/admin/backup`, { method: 'POST', headers, body })).status).toBe(200);
    await put(url, 'two');
    expect(await stop()).toEqual({ code: 0, signal: null });

    expect(await runHere(['backup', `${folder}/cold`], { DATA_DIR })).toMatchObject({ code: 0, err: '' });
    expect((await runHere(['backup', `${folder}/cold`], { DATA_DIR })).code).toBe(EXIT_CODES.index);

    for (const [backup, two] of [
      [`${BACKUP_DIR}/hot`, 404],
      [`${folder}/cold`, 200],
    ] as const) {
      const restored = `${folder}/restored-${two}`;
      const done = await runHere(['restore', backup], { DATA_DIR: restored });
      expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/is the one of .*: sources \d/) });
      await serving(restored, async (url) => {
        expect([await statusOf(url, 'one'), await statusOf(url, 'two')]).toEqual([200, two]);
      });
      expect((await runHere(['restore', backup], { DATA_DIR: restored })).code).toBe(EXIT_CODES.index);
    }
    rmSync(`${folder}/cold/db/CURRENT`);
    const spoilt = await runHere(['restore', `${folder}/cold`], { DATA_DIR: `${folder}/never` });
    expect(spoilt).toMatchObject({ code: EXIT_CODES.damaged, out: '' });
    expect(existsSync(`${folder}/never`)).toBe(false);

    rmSync(`${DATA_DIR}/db/CURRENT`);
    expect((await runHere(['stats'], { DATA_DIR })).code).toBe(EXIT_CODES.damaged);
    const repaired = await runHere(['repair'], { DATA_DIR });
    expect(repaired.code).toBe(0);
    expect(repaired.out).toContain('CURRENT or its MANIFEST is missing');
    expect(repaired.out).toContain('The new index is sound: sources 2, contents 2.');
    expect(readdirSync(folder).filter((name) => name.startsWith('data.damaged-'))).toHaveLength(1);

    await serving(DATA_DIR, async (url) => {
      expect([await statusOf(url, 'one'), await statusOf(url, 'two')]).toEqual([200, 200]);
    });
    expect(await runHere(['compact', '--json'], { DATA_DIR })).toMatchObject({ code: 0, err: '' });
    const stats = await runHere(['stats', '--json'], { DATA_DIR });
    expect(JSON.parse(stats.out)).toMatchObject({ sources: 2, contents: 2, index: { segments: 1, tailContents: 0 } });
    expect((await runHere(['check'], { DATA_DIR })).code).toBe(0);
  });

  it('is not begun with less memory than it needs', async () => {
    const DATA_DIR = `${temporaryFolder()}/data`;
    const { code, err } = await runHere(['serve'], { DATA_DIR, STORE_MEMORY_MB: '20' });
    expect(code).toBe(EXIT_CODES.config);
    expect(err).toMatch(/STORE_MEMORY_MB: .*allowed: .*48/);
  });
});
