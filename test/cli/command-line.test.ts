import { describe, expect, it } from 'vitest';
import { OPTIONS, type OptionName, placeholderOf } from '../../src/cli/command-options.ts';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { runWith as run } from '../support/process/cli-run.ts';

/** What a command needs beside the option that is tried. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  ...{ ingest: ['x'], similar: ['x'], compare: ['x', 'y'], composition: ['x'], moved: ['x'], family: ['x'] },
  ...{ cluster: ['x', '--out', 'y'], dedupe: ['x', '--kept', 'k', '--removed', 'r'] },
};
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'composition minimum-words': ['--quotations'],
  'versions limit': ['https://a.example/'],
  'delete from': ['--yes'],
};

/** By what help calls a value: texts that are none. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  '<share>': ['abc', '9', '80%', ',8', '0', '1.5', '0x1', '1e-1'],
  '<shares>': ['abc', '.5;.8', '.5,9', '.5,', '80%'],
  '<number>': ['abc', '0', '1.5', '10,000', '1e3', '99999999999'],
  '<size>': ['abc', '2GB', '0M', '2', 'M', '-2G', '2T'],
  '<time>': ['yesterday', '2026', '2026-13-01', '2026-02-30', '01.02.2026', '1969-01-01'],
  ...{ '<when>': ['sometimes'], '<likeness>': ['size'], '<which>': ['best', 'oldes'], '<least>': ['quite'] },
  '<character>': ['ab', 'é', 'x', '7', 'tabs', '""'],
  ...{ '<state>': ['dead'], '<key=value>': ['key', '=value'] },
};

const takers = COMMANDS.flatMap((command) =>
  (Object.keys(command.options) as OptionName[]).map((option) => ({ command, option })),
);
const isText = (option: OptionName) => OPTIONS[option].type === 'string';

describe('every option of every command', () => {
  const typed = takers.flatMap(({ command, option }) =>
    (BAD[placeholderOf(option, command.values)] ?? []).map((bad) => [command.name, option, bad] as const),
  );

  it('has bad values to be tried, wherever not all texts are values', () => {
    expect(new Set(typed.map(([, option]) => option)).size).toBeGreaterThan(15);
  });

  it.each(typed)('%s --%s refuses %j: by its name, what was given, and what is possible', async (name, option, bad) => {
    const others = [...(NEEDED[name] ?? []), ...(ALSO[`${name} ${option}`] ?? [])];
    const { code, out, err, calls } = await run([name, ...others, `--${option}=${bad}`]);
    expect({ code, out, calls }).toEqual({ code: EXIT_CODES.usage, out: '', calls: [] });
    const wrong = bad.includes(',') && option === 'at' ? '' : bad;
    expect(err).toMatch(new RegExp(`^shingled: --${option} takes .{10,}: not ".*"\\.`));
    expect(err).toContain(wrong);
    expect(err).toContain(`\nTry: shingled ${name} --help\n`);
  });

  it.each(takers.filter(({ option }) => isText(option)).map(({ command, option }) => [command.name, option] as const))(
    '%s --%s without a value says what it needs',
    async (name, option) => {
      for (const args of [[`--${option}`], [`--${option}=`], [`--${option}`, '--json']]) {
        const { code, err, calls } = await run([name, ...args]);
        expect({ code, calls }).toEqual({ code: EXIT_CODES.usage, calls: [] });
        expect(err).toContain(`shingled: --${option} needs a value`);
      }
    },
  );

  it.each(takers.filter(({ option }) => !isText(option)).map(({ command, option }) => [command.name, option] as const))(
    '%s --%s with a value says that it takes none',
    async (name, option) => {
      const { code, err } = await run([name, `--${option}=yes`]);
      expect({ code, err }).toEqual({
        code: EXIT_CODES.usage,
        err: `shingled: --${option} takes no value: write it without "=yes".\nTry: shingled ${name} --help\n`,
      });
    },
  );

  it.each(
    takers.filter(({ option }) => option.length > 5).map(({ command, option }) => [command.name, option] as const),
  )('%s --%s is found again with a letter missing', async (name, option) => {
    const { code, err } = await run([name, `--${option.slice(0, 2)}${option.slice(3)}`, 'x']);
    expect(code).toBe(EXIT_CODES.usage);
    expect(err).toContain(`Did you mean --${option}?\nTry: shingled ${name} --help\n`);
  });
});

describe('every command', () => {
  it.each(COMMANDS.map(({ name }) => name))('%s is found again with a letter missing', async (name) => {
    const { code, err } = await run([`${name.slice(0, -2)}${name.slice(-1)}`]);
    expect(code).toBe(EXIT_CODES.usage);
    expect(err).toContain(`Did you mean shingled `);
    expect(err).toContain('\nTry: shingled --help\n');
  });

  it.each(COMMANDS.filter(({ operands }) => operands.startsWith('<')).map(({ name }) => name))(
    '%s without arguments says what it needs',
    async (name) => {
      const { code, err, calls } = await run([name]);
      expect({ code, calls }).toEqual({ code: EXIT_CODES.usage, calls: [] });
      expect(err).toMatch(new RegExp(`^shingled: ${name} needs .*\\.\nTry: shingled ${name} --help\n$`));
    },
  );
});

describe('a command line', () => {
  it.each([
    [['ingest', 'x', '--ulr-field', 'y'], 'there is no option --ulr-field. Did you mean --url-field?'],
    [['ingest', 'x', '-x'], 'there is no option -x.\n'],
    [['ingest', 'x', '--no-json'], 'there is no option --no-json.'],
    [['ingset', 'x'], 'there is no command "ingset". Did you mean shingled ingest?'],
    [['--port', '80'], 'there is no option --port.\n'],
    [['similar', 'x', '--limit', '3', '--limit', '5'], '--limit is given twice, as "3" and as "5": once is enough'],
    [['similar', 'x', '--limit', '--json'], '--limit needs a value, and "--json" looks like an option'],
    [['similar', 'x', '--resemblance', '80%'], 'not "80%". Did you mean 0.8?'],
    [['similar', 'x', '--resemblance', ',8'], 'not ",8". Did you mean 0.8?'],
    [['similar', 'x', '--resemblance', '9'], 'not "9". Did you mean 0.9?'],
    [['similar', 'x', '--resemblance', '85'], 'not "85". Did you mean 0.85?'],
    [['cluster', 'x', '--out', 'y', '--memory', '2GB'], 'not "2GB". Did you mean 2G?'],
    [['cluster', 'x', '--out', 'y', '--by', 'resemblence'], 'Did you mean resemblance?'],
  ])('%j is answered with what was probably meant', async (args, said) => {
    const { code, err } = await run(args);
    expect(code).toBe(EXIT_CODES.usage);
    expect(err).toContain(said);
  });

  it('takes a value that begins with a dash, if it is joined to its option, and an option twice that may be', async () => {
    expect(await run(['check', '--data-dir=-x', '--json', '--json', '--data-dir=-x'])).toMatchObject({
      ...{ code: EXIT_CODES.done, calls: [['check', '-x']] },
    });
    expect(await run(['check', '--', '--odd'])).toMatchObject({ calls: [['checkBackup', '--odd']] });
  });
});
