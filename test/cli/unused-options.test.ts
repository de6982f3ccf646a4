import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CliCommands } from '../../src/cli/cli-commands.ts';
import { OPTIONS, type OptionName } from '../../src/cli/command-options.ts';
import { COMMANDS } from '../../src/cli/command-table.ts';
import type { IndexAccess } from '../../src/client/port.ts';
import { openClusters } from '../../src/commands/cluster-commands.ts';
import { runWith } from '../support/process/cli-run.ts';
import { runHere } from '../support/process/run-here.ts';

/*
 * Every option of every command, in each way in which the command is used: with it something else is asked for, written or
 * printed than without it, or it is refused by its name. The others are named here, with the reason.
 */

const folder = mkdtempSync(join(tmpdir(), 'shingled-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [lines, result] = [join(folder, 'lines.ndjson'), join(folder, 'result')];

beforeAll(async () => {
  const words = 'one two three four five six seven eight nine ten eleven twelve';
  const put = (url: string, more: string) => JSON.stringify({ op: 'put', url, text: `${words} ${more}` });
  writeFileSync(lines, `${put('https://a.example/', 'a')}\n${put('https://b.x/', 'b')}\n`);
  const { code, err } = await runHere(['cluster', lines, '--out', result], {});
  expect(code, err).toBe(0);
});

/** Each command as it is used; some in several ways. */
const WAYS: readonly (readonly [command: string, ...args: string[]])[] = [
  ...(['serve', 'stats', 'list', 'export', 'check', 'compact', 'repair', 'urls', 'backups'] as const).map(
    (name): [string] => [name],
  ),
  ['ingest', lines],
  ['ingest', lines, '--dry-run'],
  ['similar', lines],
  ['similar', 'https://a.example/', '--thorough'],
  ['compare', lines, lines],
  ['composition', lines],
  ['composition', lines, '--quotations'],
  ['moved', 'https://a.example/'],
  ['moved', '--links', lines],
  ['moved', '--links', lines, '--json'],
  ['family', 'https://a.example/'],
  ['cluster', lines, '--out', join(folder, 'new')],
  ['cluster', result],
  ['cluster', result, '--at', '.5'],
  ['cluster', result, '--at', '.5', '--removals', join(folder, 'removals')],
  ['dedupe', lines, '--kept', 'x', '--removed', 'y'],
  ['dedupe', lines, '--kept', 'x', '--removed', 'y', '--against', result],
  ['versions'],
  ['versions', 'https://a.example/'],
  ['list', '--by-host'],
  ['delete', '--host', 'b.example'],
  ['delete', '--host', 'b.example', '--yes'],
  ['backup', 'x'],
  ['restore', 'x'],
  ['migrate', 'x'],
  ['check', 'x'],
  ['prune', '--keep', '2'],
];

/** What has no effect, by what the page on the command line says of it. */
const NO_EFFECT: Readonly<Partial<Record<OptionName, string>>> = {
  type: 'is of files, and the way is by URLs',
  json: 'how each command prints its answers is tested with it; here there are none',
  state: 'is written while a load goes on, and gone at its end',
  'data-dir': 'of --dry-run, which asks no index: a command line with it should work with --dry-run, too',
  'dry-run': 'is what happens without --yes',
  by: 'of a result: what it was made by',
  floor: 'of a result: what it was made with',
};

const VALUES: Readonly<Partial<Record<OptionName, string>>> = {
  ...{ server: 'http://s.example', 'key-file': 'key', limit: '1', 'minimum-words': '9', keep: '3', fetch: 'never' },
  ...{ type: 'text/html', format: 'csv', sure: 'possible', by: 'resemblance', floor: '0.25', memory: '3G', at: '.9' },
  ...{ prefer: 'first', meta: 'a=b', 'known-as': 'gone', host: 'a.example', prefix: 'https://c.example/' },
  ...{ from: '2026-01-02', to: '2026-01-02', list: lines, links: lines, threshold: '.7' },
  ...{
    resemblance: '.7',
    'query-in-match': '.7',
    'match-in-query': '.7',
    'minimum-share': '.3',
    'unless-similar': '.7',
  },
};
const VALUES_OF: Readonly<Record<string, Partial<Record<OptionName, string>>>> = {
  dedupe: { keep: 'newest', by: 'containment', floor: '.3' },
  family: { by: 'containment' },
  moved: { format: 'nginx' },
};

/** An option as it is written, by its command. */
function written(command: string, name: OptionName): string[] {
  if (OPTIONS[name].type === 'boolean') return [`--${name}`];
  return [`--${name}`, VALUES_OF[command]?.[name] ?? VALUES[name] ?? join(folder, `some-${name}`)];
}

const HOSTS = { hosts: ['a', 'b'].map((host) => ({ host, documents: 1 })), unreadableCount: 0, cursor: null };
const FOUND = { url: 'https://new.example/', how: 'same-text', sure: 'possible' };
const MOVED = { url: 'https://old.example/', state: 'gone', candidates: [FOUND] };

/** What a command line comes to: what it asks, prints and writes. */
async function outcomeOf(args: readonly string[]) {
  const asked: unknown[] = [];
  const note = (name: string, ...what: unknown[]) => void asked.push([name, ...what]);
  const ends = async (name: string, ...what: unknown[]): Promise<never> => {
    note(name, ...what);
    throw new Error('this is enough');
  };
  const index = new Proxy({} as IndexAccess, {
    get: (_, name: string) => {
      // an index that is there has no first load
      if (name === 'then' || name === 'firstLoad' || name === 'keepFirstLoad') return;
      if (name === 'close' || name === 'durable') return async () => undefined;
      if (name === 'countByHost') {
        return async (...what: unknown[]) => {
          note(name, ...what);
          return HOSTS;
        };
      }
      if (!/Lines$|^bulk$/.test(name)) return (...what: unknown[]) => ends(name, ...what);
      return async function* (all: unknown) {
        const of = typeof all === 'object' && all !== null && Symbol.asyncIterator in all ? all : null;
        const lines = of === null ? [all] : await Array.fromAsync(of as AsyncIterable<unknown>);
        note(name, lines);
        if (name === 'movedLines') yield* lines.map((_, line) => ({ line, answer: MOVED }));
      };
    },
  });
  const sources = async (dataDir: string | null) => ({
    find: async (names: readonly string[]) => names.map((name) => ({ name, kind: 'file', size: 1, mtimeMs: 0 })),
    openInputs: (_: unknown, fields: unknown) => {
      note('openInputs', fields);
      return (async function* () {})();
    },
    close: async () => undefined,
    dataDir,
  });
  const commands = {
    ...{ sources: sources as unknown as CliCommands['sources'], clusters: async (path: string) => openClusters(path) },
    open: async (where: unknown) => {
      note('open', where);
      return index;
    },
    fill: async (where: unknown) => {
      note('fill', where);
      return index;
    },
    cluster: (request: unknown) => ends('cluster', request),
    dedupe: (request: unknown) => ends('dedupe', request),
  };
  const { code, out, err, calls } = await runWith([...args], commands);
  const made = readdirSync(folder).filter((name) => !lines.endsWith(name) && !result.endsWith(name));
  const files = made.map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  for (const name of made) rmSync(join(folder, name));
  // how long it took is another each time
  const printed = `${out}${err}`.replaceAll(/[\d.,]+( (s|MB)\b|\/s)/g, '');
  return { code, err, all: inspect({ code, printed, calls, asked, files }, { depth: null }) };
}

describe('every option', () => {
  it('is tried with every command', () => {
    expect([...new Set(WAYS.map(([name]) => name))].toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
  });

  it.each(WAYS.map((way) => [way.join(' ').replaceAll(folder, ''), way] as const))(
    'does something, or is refused by its name: shingled %s',
    async (_, [name, ...rest]) => {
      const { options } = COMMANDS.find((command) => command.name === name)!;
      const idle: string[] = [];
      for (const option of Object.keys(options) as OptionName[]) {
        const isOfFiles = option === 'type' && rest.includes(lines);
        if (rest.includes(`--${option}`) || (option in NO_EFFECT && !isOfFiles)) continue;
        const before = await outcomeOf([name, ...rest]);
        const with_ = await outcomeOf([name, ...rest, ...written(name, option)]);
        // those that select documents are refused as one
        if (with_.code === 2) expect(with_.err).toMatch(new RegExp(`--${option}|URLs,? or (a selection|options)`));
        else if (with_.all === before.all) idle.push(option);
      }
      expect(idle).toEqual([]);
    },
  );
});
