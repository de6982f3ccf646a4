import { describe, expect, it } from 'vitest';
import { EXIT_CODES, runCli } from '../../src/cli/cli.ts';
import { COMMANDS } from '../../src/cli/command-line.ts';
import type { CliCommands, RepairResult } from '../../src/cli/commands.ts';
import { ERRORS, type ErrorCode, ShingledError } from '../../src/errors.ts';
import type { StatsAnswer } from '../../src/service/api.ts';

const STATS: StatsAnswer = {
  version: '1.2.3',
  fingerprintId: '1.9f3c',
  kernel: 'wasm',
  shingleSize: 7,
  indexModulusMax: 8,
  recordModulusMax: 4,
  createdAt: '2026-11-20T00:00:00Z',
  sources: 12345,
  contents: 9,
  postings: 800,
  diskBytes: 3 * 2 ** 20,
  freeBytes: null,
  writable: true,
  uptimeS: 0,
  index: {
    ...{ segments: 2, segmentPostings: 790, tailContents: 1, tailPostings: 10, forgotten: 0, merging: false },
    longestLists: [{ contents: 3, share: 0.333333 }],
    bytesByKind: { sources: 1, records: 2048, digests: 0, postings: 0, shingleCounts: 0 },
    memoryBytes: { contentTable: 2 ** 20, knownKeys: 0, tail: 2 ** 20, filters: 0, families: 0, level: 2 ** 20 },
  },
  upkeep: null,
};

const COUNTS = { sources: 1200, contents: 9, postings: 800, versions: 0 };

const REPAIRED: RepairResult = {
  ...{
    keptIn: '/x.damaged',
    manifest: true,
    highWater: true,
    missing: [],
    unreadable: [],
    blocks: 0,
    damagedFiles: [],
  },
  ...{ logPlaces: 0, batchesLost: 0, totals: COUNTS, before: COUNTS, lostUrlCount: 0, lostUrls: [] },
  rows: { records: 0, sources: 0, versions: 0, pastContents: 0, unheld: 0, description: false },
};

/** Runs a command line against commands that note how they were called. */
async function run(args: string[], replaced: Partial<CliCommands> = {}) {
  const calls: unknown[] = [];
  const commands: CliCommands = {
    serve: async (dataDir) => void calls.push(['serve', dataDir]),
    check: async (dataDir, progress) => {
      calls.push(['check', dataDir]);
      progress('read 9 records');
      return { problems: [], counts: { sources: 1200, contents: 9, postings: 800, versions: 0 } };
    },
    stats: async (dataDir) => {
      calls.push(['stats', dataDir]);
      return STATS;
    },
    backup: async (dataDir, target) => {
      calls.push(['backup', dataDir, target]);
      return {
        path: '/b',
        createdAt: '2026-11-20T00:00:00Z',
        files: 12,
        bytes: 3 * 2 ** 20,
        linkedFiles: 9,
        elapsedMs: 1,
      };
    },
    restore: async (dataDir, backup, progress) => {
      calls.push(['restore', dataDir, backup]);
      progress('Copying');
      return { path: '/d', createdAt: '2026-11-20T00:00:00Z', counts: COUNTS };
    },
    repair: async (dataDir, progress) => {
      calls.push(['repair', dataDir]);
      progress('Reading');
      return REPAIRED;
    },
    compact: async (dataDir) => {
      calls.push(['compact', dataDir]);
      return { diskBytesBefore: 2048, diskBytesAfter: 1024, elapsedMs: 1 };
    },
    ...replaced,
  };
  const out: string[] = [];
  const err: string[] = [];
  const streams = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
  const code = await runCli(args, commands, '1.2.3', streams);
  return { code, out: out.join(''), err: err.join(''), calls };
}

const failing = (error: unknown) => ({ serve: () => Promise.reject(error) });

describe('the command line', () => {
  it.each([
    [[], ['serve', null]],
    [['serve'], ['serve', null]],
    [
      ['--data-dir', 'x'],
      ['serve', 'x'],
    ],
    [
      ['check', '--data-dir=x'],
      ['check', 'x'],
    ],
    [['stats'], ['stats', null]],
    [
      ['backup', 'y', '--data-dir=x'],
      ['backup', 'x', 'y'],
    ],
    [
      ['restore', 'y'],
      ['restore', null, 'y'],
    ],
    [['repair'], ['repair', null]],
    [['compact'], ['compact', null]],
  ])('takes %j', async (args, call) => {
    expect(await run(args)).toMatchObject({ code: EXIT_CODES.done, err: '', calls: [call] });
  });

  it.each([
    [['serf'], 'there is no command "serf"'],
    [['serve', 'x'], '"x" is one argument too many'],
    [['--prot', '80'], "Unknown option '--prot'"],
    [['check', '--data-dir'], '--data-dir'],
    [['check', '--data-dir='], '--data-dir needs a folder'],
    [['serve', '--json'], '--json goes with every command but serve'],
    [['backup'], 'backup needs the folder of the backup'],
    [['restore', '--json'], 'restore needs the folder of the backup'],
    [['restore', 'x', 'y'], '"y" is one argument too many'],
    [['repair', 'y'], '"y" is one argument too many'],
  ])('refuses %j, and says why and where to look', async (args, why) => {
    const { code, out, err, calls } = await run(args);
    expect({ code, out, calls }).toEqual({ code: EXIT_CODES.usage, out: '', calls: [] });
    expect(err).toContain(why);
    expect(err).toContain('shingled --help');
  });

  it('prints its version and its help without touching an index', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '', calls: [] });
    const help = await run(['stats', '-h']);
    expect(help).toMatchObject({ code: 0, err: '', calls: [] });
    for (const word of [...COMMANDS, '--data-dir', '--json', 'DATA_DIR']) expect(help.out).toContain(word);
    for (const code of Object.values(EXIT_CODES)) expect(help.out).toMatch(new RegExp(`\\b${code}  \\w`));
    expect(Math.max(...help.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(90);
  });

  it('shows what an index holds as a table, and as JSON for programs', async () => {
    const { out } = await run(['stats']);
    expect(out).toContain('sources             12,345\n');
    expect(out).toContain('on disk             3.0 MiB\n');
    expect(out).toContain('free                not known\n');
    expect(out).toContain('bytes of records    2.0 KiB\n');
    expect(out).toContain('longest list        3 (33.33 %)\n');
    expect(out).toContain('memory              3.0 MiB\n');
    const bare = { stats: async () => ({ ...STATS, index: null }) };
    expect((await run(['stats'], bare)).out).not.toContain('segments');
    expect(JSON.parse((await run(['stats', '--json'])).out)).toEqual(STATS);
  });

  it('says what a backup, a restore and a compaction came to', async () => {
    expect((await run(['backup', 'y'])).out).toBe(
      'The backup is in /b: 12 files, 3.0 MiB, 9 of them links to files of the index.\n',
    );
    expect((await run(['restore', 'y'])).out).toBe(
      'Copying\nThe index in /d is the one of 2026-11-20T00:00:00Z: sources 1,200, contents 9, postings 800, versions 0.\n',
    );
    expect(JSON.parse((await run(['restore', 'y', '--json'])).out)).toMatchObject({ path: '/d', counts: COUNTS });
    expect((await run(['compact'])).out).toBe('Nothing is left of what was deleted: 2.0 KiB on disk became 1.0 KiB.\n');
  });

  it('says what a repair found, what is lost, and where the old files are', async () => {
    expect((await run(['repair'])).out.split('\n')).toEqual([
      'Reading',
      'Nothing was damaged, and nothing is lost.',
      'The new index is sound: sources 1,200, contents 9.',
      'The old files are in /x.damaged; delete them when you need them no more.',
      '',
    ]);
    const losses: Partial<RepairResult> = {
      ...{ manifest: false, highWater: false, missing: ['000005.ldb'], unreadable: ['000007.ldb'], blocks: 2 },
      ...{ damagedFiles: ['000009.ldb'], logPlaces: 1, batchesLost: 7, before: { ...COUNTS, sources: 1203 } },
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
      out: 'read 9 records\nThe index is sound: sources 1,200, contents 9, postings 800, versions 0.\n',
    });
    const damaged = {
      check: async () => ({ problems: ['a posting has no record', 'a count is off by 1'], counts: null }),
    };
    expect(await run(['check'], damaged)).toMatchObject({
      code: EXIT_CODES.damaged,
      out: 'a posting has no record\na count is off by 1\n',
    });
    const asJson = await run(['check', '--json'], damaged);
    expect(asJson.code).toBe(EXIT_CODES.damaged);
    expect(JSON.parse(asJson.out)).toEqual({ sound: false, ...(await damaged.check()) });
  });

  it.each([
    ['invalid-config', EXIT_CODES.config],
    ['index-missing', EXIT_CODES.index],
    ['index-locked', EXIT_CODES.index],
    ['index-mismatch', EXIT_CODES.index],
    ['index-damaged', EXIT_CODES.damaged],
    ['index-exists', EXIT_CODES.index],
    ['backup-damaged', EXIT_CODES.damaged],
    ['storage-full', EXIT_CODES.failed],
  ] satisfies [ErrorCode, number][])('explains %s on standard error and exits %i', async (code, exitCode) => {
    const result = await run([], failing(new ShingledError(code, 'first line\nsecond line')));
    expect(result).toMatchObject({ code: exitCode, out: '' });
    expect(result.err).toBe(`shingled: ${ERRORS[code].title} (${code})\n  first line\n  second line\n`);
  });

  it('shows where an error that nobody foresaw comes from', async () => {
    const result = await run([], failing(new TypeError('boom')));
    expect(result.code).toBe(EXIT_CODES.failed);
    expect(result.err).toContain('TypeError: boom\n    at ');
  });
});
