import { describe, expect, it } from 'vitest';
import { type CliCommands, EXIT_CODES, runCli } from '../../src/cli/cli.ts';
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
  ])('takes %j', async (args, call) => {
    expect(await run(args)).toMatchObject({ code: EXIT_CODES.done, err: '', calls: [call] });
  });

  it.each([
    [['serf'], 'there is no command "serf"'],
    [['serve', 'x'], '"x" is one argument too many'],
    [['--prot', '80'], "Unknown option '--prot'"],
    [['check', '--data-dir'], '--data-dir'],
    [['check', '--data-dir='], '--data-dir needs a folder'],
    [['serve', '--json'], '--json goes with stats or check'],
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
    for (const word of ['serve', 'check', 'stats', '--data-dir', '--json', 'DATA_DIR'])
      expect(help.out).toContain(word);
    for (const code of Object.values(EXIT_CODES)) expect(help.out).toMatch(new RegExp(`\\b${code}  \\w`));
    expect(Math.max(...help.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(90);
  });

  it('shows what an index holds as a table, and as JSON for programs', async () => {
    const { out } = await run(['stats']);
    expect(out).toContain('sources             12,345\n');
    expect(out).toContain('on disk             3.0 MiB\n');
    expect(out).toContain('free                not known\n');
    expect(JSON.parse((await run(['stats', '--json'])).out)).toEqual(STATS);
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
