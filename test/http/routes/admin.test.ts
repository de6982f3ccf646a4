import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHttpFixture, JSON_TYPE, TEXT } from '../../support/http/http-fixture.ts';
import { createHttpOnDisk } from '../../support/http/http-on-disk.ts';
import { breach, operations } from '../../support/http/openapi.ts';
import type { FixtureOptions } from '../../support/service/service-fixture.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

async function onDisk(options: FixtureOptions = {}) {
  const folder = temporaryFolder();
  const fixture = await createHttpOnDisk(folder, options);
  onTestFinished(() => fixture.close());
  const { app } = fixture;
  const backup = (body: object) =>
    app.inject({ method: 'POST', url: '/admin/backup', payload: JSON.stringify(body), headers: JSON_TYPE });
  const compact = () => app.inject({ method: 'POST', url: '/admin/compact' });
  const stats = async () => (await app.inject('/stats')).json();
  const put = (n: number) =>
    app.inject({ method: 'PUT', url: `/documents?url=https://a.example/${n}`, payload: `${TALE} ${n}`, headers: TEXT });
  return { ...fixture, folder, backup, compact, stats, put };
}

const TALE = 'it was the best of times it was the worst of times';

describe('POST /admin/backup', () => {
  it('takes a backup below the configured folder, and tells of it', async () => {
    const { folder, backup, stats, put } = await onDisk();
    for (let n = 0; n < 5; n++) await put(n);
    const answer = await backup({ name: 'monday' });
    expect(answer.statusCode).toBe(200);
    const { elapsedMs: _, backup: figures, ...rest } = answer.json();
    expect(rest).toEqual({
      ...{ kind: 'backup', state: 'done', startedAt: '2026-03-01T12:00:00.000Z', compaction: null, problem: null },
    });
    expect(figures).toMatchObject({ name: 'monday', files: expect.any(Number), writesWaitedMs: expect.any(Number) });
    expect(readdirSync(join(folder, 'backups'))).toEqual(['monday']);
    expect((await stats()).upkeep).toEqual(answer.json());
    expect((await backup({ name: 'monday' })).json()).toMatchObject({
      status: 409,
      code: 'backup-exists',
      field: 'name',
    });
    // a refusal is no failure, and the last backup is still the last
    expect((await stats()).upkeep).toEqual(answer.json());
  });

  it.each([
    [{ name: '../x' }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 7 }, 'name'],
    [{}, 'name'],
    [{ name: 'x', path: '/etc' }, 'path'],
  ])('refuses %j and writes nothing', async (body, field) => {
    const { folder, backup } = await onDisk();
    expect((await backup(body)).json()).toMatchObject({ status: 400, code: 'invalid-request', field });
    expect(readdirSync(folder)).toEqual(['data']);
  });

  it('has nowhere to copy to where no folder is configured', async () => {
    const fixture = await createHttpFixture();
    onTestFinished(() => fixture.close());
    const answer = await fixture.app.inject({ method: 'POST', url: '/admin/backup', payload: { name: 'x' } });
    expect(answer.json()).toMatchObject({ status: 409, code: 'backup-not-configured' });
    expect((await fixture.app.inject('/stats')).json().upkeep).toBe(null);
  });

  it('runs alone, is answered 202 where it takes long, and is told in the statistics when it has ended', async () => {
    const { backup, compact, stats, put } = await onDisk({ limits: { upkeepWaitMs: 0 } });
    for (let n = 0; n < 5; n++) await put(n);
    const [first, second] = await Promise.all([compact(), backup({ name: 'x' })]);
    expect(first.statusCode).toBe(202);
    expect(first.json()).toMatchObject({ kind: 'compact', state: 'running', compaction: null });
    const promised = operations.find(({ operationId }) => operationId === 'compact')!.responses['202']!;
    expect(breach(promised.content!['application/json']!.schema, first.json())).toBe(null);
    expect(second.json()).toMatchObject({ status: 409, code: 'upkeep-running' });
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
    for (;;) {
      const { upkeep } = await stats();
      if (upkeep.state === 'running') continue;
      expect(upkeep).toMatchObject({
        kind: 'compact',
        state: 'done',
        compaction: { diskBytesBefore: expect.any(Number) },
      });
      break;
    }
  });
});

describe('GET /admin/backups', () => {
  it('lists the backups of the configured folder, the newest first, and says of each what it is', async () => {
    const { app, folder, backup, put } = await onDisk();
    const list = () => app.inject('/admin/backups');
    expect((await list()).json()).toEqual({ backups: [], more: 0 });
    for (const name of ['monday', 'tuesday']) {
      await put(name.length);
      await backup({ name });
    }
    rmSync(join(folder, 'backups', 'monday', 'high-water'));
    const { backups, more } = (await list()).json();
    expect(more).toBe(0);
    expect(backups).toMatchObject([
      { name: 'tuesday', documents: 2, state: 'unverified', verifiedAt: null, problem: null },
      { name: 'monday', documents: 1, state: 'damaged', problem: 'high-water is missing.' },
    ]);
    // nothing of where they lie
    expect((await list()).body).not.toContain(folder);
    const refused = await app.inject({ method: 'DELETE', url: '/admin/backups' });
    expect(refused.statusCode).toBe(405);
  });

  it('has none to list where no folder is configured, or where it cannot be read', async () => {
    const fixture = await createHttpFixture();
    onTestFinished(() => fixture.close());
    const answer = await fixture.app.inject('/admin/backups');
    expect(answer.json()).toMatchObject({ status: 409, code: 'backup-not-configured' });
    const { app, folder } = await onDisk();
    writeFileSync(join(folder, 'backups'), 'x');
    expect((await app.inject('/admin/backups')).json()).toMatchObject({ status: 409, code: 'backup-not-configured' });
  });
});

describe('a damaged file', () => {
  it('is named in the statistics, with what to do', async () => {
    const { folder, backup, put, compact, stats } = await onDisk();
    await put(1);
    await compact();
    const [table] = readdirSync(join(folder, 'data', 'db')).filter((name) => name.endsWith('.ldb'));
    appendFileSync(join(folder, 'data', 'db', table!), 'x');
    expect((await stats()).damage).toBe(null);
    expect((await backup({ name: 'monday' })).json()).toMatchObject({ code: 'index-unreadable' });
    await vi.waitUntil(async () => (await stats()).damage.parts.length > 1, { timeout: 60_000 });
    const { parts, advice } = (await stats()).damage;
    expect(parts).toContainEqual({ file: table, problem: expect.stringContaining('LevelDB wrote') });
    expect(advice).toContain('shingled repair');
    expect(JSON.stringify(parts)).not.toContain(folder);
  });
});

describe('POST /admin/compact', () => {
  it('merges all segments into one and leaves nothing to be forgotten', async () => {
    const { app, compact, stats, put } = await onDisk();
    for (let n = 0; n < 6; n++) await put(n);
    for (let n = 0; n < 3; n++) await app.inject({ method: 'DELETE', url: `/documents?url=https://a.example/${n}` });
    expect((await stats()).index).toMatchObject({ segments: 0, tailContents: 6, forgotten: 3 });
    expect((await compact()).json()).toMatchObject({ kind: 'compact', state: 'done' });
    const { index, sources } = await stats();
    expect({ sources, ...index }).toMatchObject({ sources: 3, segments: 1, tailContents: 0, forgotten: 0 });
    const bytes = Object.values<number>(index.bytesByKind);
    expect(bytes.reduce((sum, part) => sum + part)).toBeGreaterThan(0);
    expect(index.longestLists[0]).toEqual({ contents: 3, share: 1 });
  });

  it('takes no body', async () => {
    const { app } = await onDisk();
    const answer = await app.inject({ method: 'POST', url: '/admin/compact', payload: '{}', headers: JSON_TYPE });
    expect(answer.json()).toMatchObject({
      status: 415,
      detail: 'This call takes no body; it was sent application/json.',
    });
  });
});
