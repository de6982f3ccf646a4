import type { Command, CommandGroup } from './command.ts';
import { type OptionName, placeholderOf } from './command-options.ts';
import { COMMANDS } from './command-table.ts';
import { EXIT_CODE_TEXTS } from './exit-codes.ts';
import { wrapped } from './texts.ts';

/* What --help prints: the list of commands, or one of them with its options and examples. */

/** A terminal as it opens. */
const COLUMNS_MAX = 80;

const HEADINGS: Readonly<Record<CommandGroup, string>> = {
  service: 'Commands',
  'way in and out': 'for an index in a folder or behind a running service (--server)',
  'whole corpora': 'for a whole corpus: files, a data folder or a backup',
  upkeep: 'for an index that no process uses',
  backups: 'for backups, even while a service runs',
};

const EVERYWHERE: readonly (readonly [string, string])[] = [
  ['--version', 'print the version'],
  ['-h, --help', 'print this help; after a command, the help of that command'],
];

/** The list of commands. */
export function overview(): string {
  const groups = Object.entries(HEADINGS).flatMap(([group, heading]) => {
    const members = COMMANDS.filter((command) => command.group === group);
    return [heading, ...inColumns(members.map((command) => [nameOf(command), command.summary])), ''];
  });
  return [
    'Usage: shingled [command] [options]',
    '',
    ...wrapped('Which known URLs say the same as this document, contain it, or are contained in it?', COLUMNS_MAX),
    '',
    ...groups,
    'Options',
    ...inColumns(EVERYWHERE),
    '',
    'shingled <command> --help shows the options of a command, with examples.',
    'Settings come from the environment: HOST, PORT, DATA_DIR, API_KEYS and others;',
    'docs/configuration.md lists them all.',
    '',
    ...exitCodes(),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** What one command takes. */
export function helpOf(command: Command): string {
  const { about, options, values, examples } = command;
  const rows = Object.entries(options).map(([name, text]) => [spelled(name as OptionName, values), text] as const);
  return [
    `Usage: shingled ${nameOf(command)}${rows.length === 0 ? '' : ' [options]'}`,
    '',
    ...wrapped(about, COLUMNS_MAX),
    '',
    'Options',
    ...inColumns([...rows, ['-h, --help', 'print this help']]),
    '',
    'Examples',
    ...examples.map((example) => `  ${example}`),
    '',
    'shingled --help explains the exit codes.',
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const nameOf = ({ name, operands }: Command) => (operands === '' ? name : `${name} ${operands}`);

function spelled(name: OptionName, values: Command['values']): string {
  return `--${name} ${placeholderOf(name, values)}`.trimEnd();
}

const exitCodes = () => ['Exit codes', ...inColumns(EXIT_CODE_TEXTS.map(([code, text]) => [String(code), text]))];

/** Two columns, the second as wide as there is room, and further lines of it below. */
function inColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.flatMap(([first, second]) => {
    const lines = wrapped(second, COLUMNS_MAX - width - 4);
    return lines.map((line, at) => `  ${(at === 0 ? first : '').padEnd(width)}  ${line}`);
  });
}
