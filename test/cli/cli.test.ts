import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/cli/command-line.ts';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { ERRORS, type ErrorCode, ShingledError } from '../../src/errors.ts';
import { runWith as run } from '../support/process/cli-run.ts';

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
    [
      ['check', 'y'],
      ['checkBackup', 'y'],
    ],
    [['backups'], ['backups', null]],
    [
      ['backups', 'y'],
      ['backups', 'y'],
    ],
    [
      ['prune', '--keep', '7'],
      ['prune', null, { keep: 7, isTrial: false }],
    ],
    [
      ['prune', 'y', '--dry-run', '--keep=1'],
      ['prune', 'y', { keep: 1, isTrial: true }],
    ],
    [['stats'], ['open', { dataDir: null, server: null, keyFile: null, mustExist: true }]],
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
    [
      ['migrate', 'y', '--data-dir=x'],
      ['migrate', 'x', 'y'],
    ],
    [
      ['migrate', '--without-backup'],
      ['migrate', null, null],
    ],
  ])('takes %j', async (args, call) => {
    expect(await run(args)).toMatchObject({ code: EXIT_CODES.done, calls: [call] });
  });

  it.each([
    [['serf'], 'there is no command "serf"'],
    [['serve', 'x'], 'serve takes no arguments: "x" is one too many'],
    [['--prot', '80'], 'there is no option --prot.'],
    [['check', '--data-dir'], '--data-dir needs a value: --data-dir <folder>'],
    [['check', '--data-dir='], '--data-dir needs a value: --data-dir <folder>'],
    [['serve', '--json'], '--json does not go with serve: it goes with '],
    [['backup'], 'backup needs the folder of a backup'],
    [['restore', '--json'], 'restore needs the folder of a backup'],
    [['restore', 'x', 'y'], '"y" is one too many'],
    [['repair', 'y'], '"y" is one too many'],
    [['check', ''], 'check needs the folder of a backup'],
    [['check', 'x', 'y'], '"y" is one too many'],
    [['check', 'x', '--data-dir', 'y'], 'not at both'],
    [['backups', '--data-dir', 'y'], '--data-dir does not go with backups: '],
    [['prune'], 'prune needs --keep with the number of backups to keep'],
    [['prune', '--keep', '0'], '--keep takes a whole number from 1 to 999,999: not "0"'],
    [['prune', '--keep', '-1'], '"-1" looks like an option; if it is the value, write --keep=-1'],
    [['prune', '--keep', '2.5'], 'not "2.5"'],
    [['prune', '--keep', 'all'], 'not "all"'],
    [['backups', '--keep', '2'], '--keep does not go with backups: it goes with dedupe, prune only'],
    [['migrate'], 'migrate needs either the folder of a backup that was just taken or --without-backup'],
    [['migrate', 'y', '--without-backup'], 'or --without-backup'],
    [['migrate', ''], 'migrate needs the folder of a backup'],
    [['check', '--without-backup'], '--without-backup does not go with check: it goes with migrate only'],
    [['urls', 'y', '--data-dir', 'x'], 'not at both'],
    [['urls', '--json'], '--json does not go with urls'],
    [['stats', '--dry-run'], '--dry-run does not go with stats: it goes with '],
  ])('refuses %j, and says why and where to look', async (args, why) => {
    const { code, out, err, calls } = await run(args);
    expect({ code, out, calls }).toEqual({ code: EXIT_CODES.usage, out: '', calls: [] });
    expect(err).toContain(why);
    expect(err).toMatch(/\nTry: shingled ([a-z]+ )?--help\n$/);
  });

  it('prints its version and its help without touching an index', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '', calls: [] });
    const help = await run(['-h']);
    expect(help).toMatchObject({ code: 0, err: '', calls: [] });
    for (const { name, summary } of COMMANDS) {
      expect(help.out).toMatch(new RegExp(`^  ${name}( |$)`, 'm'));
      expect(help.out.replaceAll(/\n +/g, ' ')).toContain(summary);
    }
    for (const code of Object.values(EXIT_CODES)) expect(help.out).toMatch(new RegExp(`^  ${code}  \\w`, 'm'));
    expect(Math.max(...help.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it.each(COMMANDS.map(({ name }) => name))(
    'says of %s what it takes, with examples that it would take',
    async (name) => {
      const { code, out, err, calls } = await run([name, '--help']);
      expect({ code, err, calls }).toEqual({ code: 0, err: '', calls: [] });
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
      const command = COMMANDS.find((each) => each.name === name)!;
      for (const option of Object.keys(command.options)) expect(out).toContain(`  --${option}`);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) {
        expect(out).toContain(`\n  ${example}\n`);
        const words = example
          .replace(/^.*?shingled ?/, '')
          .split(/ [|<>] /)[0]!
          .split(' ')
          .filter((word) => word !== '');
        const line = readCommandLine(words.map((word) => word.replaceAll("'", '')));
        expect(line).toMatchObject({ asks: 'run', command: { name } });
      }
    },
  );

  it.each([
    ['invalid-config', EXIT_CODES.config],
    ['index-missing', EXIT_CODES.index],
    ['index-locked', EXIT_CODES.index],
    ['index-mismatch', EXIT_CODES.index],
    ['index-damaged', EXIT_CODES.damaged],
    ['index-exists', EXIT_CODES.index],
    ['backup-damaged', EXIT_CODES.damaged],
    ['backup-missing', EXIT_CODES.index],
    ['folder-is-backup', EXIT_CODES.index],
    ['index-unreadable', EXIT_CODES.failed],
    ['storage-full', EXIT_CODES.index],
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
