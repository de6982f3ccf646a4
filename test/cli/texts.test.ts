import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import type { RepairResult } from '../../src/commands/index-commands.ts';
import { BACKUPS, COUNTS, indexWith, REPAIRED, runWith as run, STATS, TOTALS } from '../support/process/cli-run.ts';

describe('what a command prints', () => {
  it('shows what an index holds as a table, and as JSON for programs', async () => {
    const { out } = await run(['stats']);
    expect(out).toContain('sources             12,345\n');
    expect(out).toContain('on disk             3.0 MiB\n');
    expect(out).toContain('free                not known\n');
    expect(out).toContain('bytes of records    2.0 KiB\n');
    expect(out).toContain('longest list        3 (33.33 %)\n');
    expect(out).toContain('memory              3.0 MiB\n');
    const bare = { open: async () => indexWith({ stats: async () => ({ ...STATS, index: null }) }) };
    expect((await run(['stats'], bare)).out).not.toContain('segments');
    expect(JSON.parse((await run(['stats', '--json'])).out)).toEqual(STATS);
  });

  it('says what a backup, a restore and a compaction came to', async () => {
    expect((await run(['backup', 'y'])).out).toBe(
      'The backup is in /b: 12 files, 3.0 MiB, 9 of them links to files of the index.\n',
    );
    expect((await run(['restore', 'y'])).out).toBe(
      'The index in /d is the one of 2026-11-20T00:00:00Z: sources 1,200, contents 9, postings 800, versions 0.\n',
    );
    expect(JSON.parse((await run(['restore', 'y', '--json'])).out)).toMatchObject({ path: '/d', counts: COUNTS });
    expect((await run(['compact'])).out).toBe('Nothing is left of what was deleted: 2.0 KiB on disk became 1.0 KiB.\n');
  });

  it('says what a migration came to, and of a list of URLs, beside it, how many there are and whether these are all', async () => {
    expect((await run(['migrate', 'y'])).out).toBe(
      'The index in /d has format 5 and pipeline 3 now; it had format 4 and pipeline 2.\n',
    );
    const present = { path: '/d', from: 5, to: 5, pipeline: { from: 3, to: 3 } };
    const done = await run(['migrate', 'y'], { migrate: async () => present });
    expect(done.out).toBe('The index in /d has format 5 and pipeline 3: there is nothing to do.\n');
    expect(await run(['urls'])).toMatchObject({
      ...{ code: EXIT_CODES.done, out: '{"op":"put"}\n{"op":"gone"}\n', err: '2 URLs are in /d.\n' },
    });
    const part = await run(['urls', 'y'], { urls: async () => ({ path: '/d', urls: 1200, isWhole: false }) });
    const err = '1,200 URLs are in /d.\nSome of it cannot be read: URLs may be missing.\n';
    expect(part).toMatchObject({ code: EXIT_CODES.damaged, err });
  });

  it('says what a repair found, what is lost, and where the old files are', async () => {
    expect((await run(['repair'])).out.split('\n')).toEqual([
      'Nothing was damaged, and nothing is lost.',
      'The new index is sound: sources 1,200, contents 9.',
      'The old files are in /x.damaged; delete them when you need them no more.',
      '',
    ]);
    const losses: Partial<RepairResult> = {
      ...{ manifest: false, highWater: false, missing: ['000005.ldb'], unreadable: ['000007.ldb'], blocks: 2 },
      ...{ damagedFiles: ['000009.ldb'], logPlaces: 1, batchesLost: 7, before: { ...TOTALS, sources: 1203 } },
      rows: { records: 1, sources: 2, versions: 3, pastContents: 4, unheld: 5, description: true },
      ...{ lostUrlCount: 1001, lostUrls: ['https://a.example/'] },
    };
    const { out } = await run(['repair'], { repair: async () => ({ ...REPAIRED, ...losses }) });
    for (const part of [
      'CURRENT',
      'high-water',
      '000005.ldb',
      '000007.ldb',
      '2, in 000009.ldb',
      'log',
      'come back',
      'end: 7',
    ]) {
      expect(out).toContain(part);
    }
    expect(out).toContain('Of 1,203 documents 3 are lost.\n');
    expect(out).toContain('(1,001; all of them in /x.damaged/lost-urls.txt):\n  https://a.example/\n');
    for (const what of ['Records', 'Documents', 'Contents', 'Past contents', 'Past versions', 'running settings']) {
      expect(out).toContain(what);
    }
  });

  it('says of a sound index that it is, and of a damaged one what is wrong', async () => {
    expect(await run(['check'])).toMatchObject({
      code: 0,
      err: 'read 9 records\n',
      out: 'The index is sound: sources 1,200, contents 9, postings 800, versions 0.\n',
    });
    const damaged = {
      check: async () => ({
        ...{ problems: ['a posting has no record', 'a count is off by 1'], counts: null },
        advice: 'Restore it.',
      }),
    };
    expect(await run(['check'], damaged)).toMatchObject({
      code: EXIT_CODES.damaged,
      out: 'a posting has no record\na count is off by 1\nRestore it.\n',
    });
    const asJson = await run(['check', '--json'], damaged);
    expect(asJson.code).toBe(EXIT_CODES.damaged);
    expect(JSON.parse(asJson.out)).toEqual({ sound: false, ...(await damaged.check()) });
  });

  it('says of a backup that it is sound, lists all there are, and tells what was deleted', async () => {
    expect((await run(['check', 'y'])).out).toBe(
      'The backup is sound: sources 1,200, contents 9, postings 800, versions 0.\n',
    );
    expect((await run(['backups'])).out.split('\n')).toEqual([
      'name     taken                 size       documents',
      'tuesday  2026-11-21T00:00:00Z  3.0 MiB    not known  unverified',
      'monday   2026-11-20T00:00:00Z  1.0 MiB    1,200      verified 2026-11-20T09:00:00Z',
      'old      not known             not known  not known  damaged',
      'old: db/000005.ldb is missing.',
      'And 2 more.',
      '',
    ]);
    expect(JSON.parse((await run(['backups', '--json'])).out)).toEqual({ backups: BACKUPS, more: 2 });
    const none = { backups: async () => ({ backups: [], more: 0 }) };
    expect((await run(['backups'], none)).out).toBe('There are no backups.\n');
    expect((await run(['prune', '--keep', '2'])).out).toBe('Deleted: none.\nKept: b, a.\n');
    const pruned = { kept: ['b'], deleted: ['a', '9'], leftAlone: [{ name: 'x', problem: 'db is missing.' }] };
    const some = { prune: async () => pruned };
    expect((await run(['prune', '--keep', '1', '--dry-run'], some)).out).toBe(
      'To be deleted: a, 9.\nKept: b.\nx is damaged, does not count, and is left to you: db is missing.\n',
    );
    expect(JSON.parse((await run(['prune', '--keep', '1', '--json'], some)).out)).toEqual(pruned);
  });

  it('names what is damaged among what an index holds', async () => {
    const parts = [
      { file: '000012.ldb', problem: 'it is missing' },
      { file: null, problem: 'A query met values that cannot be read.' },
    ];
    const damage = { parts, advice: 'Restore it.' };
    const damaged = { open: async () => indexWith({ stats: async () => ({ ...STATS, damage }) }) };
    expect((await run(['stats'], damaged)).out).toContain(
      'damaged             000012.ldb: it is missing; A query met values that cannot be read.\n',
    );
  });
});
