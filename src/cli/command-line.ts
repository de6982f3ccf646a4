import { parseArgs } from 'node:util';
import { type Command, type Given, UsageError } from './command.ts';
import { OPTIONS, type OptionName } from './command-options.ts';
import { commandNamed, commandsTaking } from './command-table.ts';

/** A command line as it was read: what to do, or what to print instead. */
export type CommandLine =
  | { readonly asks: 'version' }
  /** @property command whose help; null = the list of all commands */
  | { readonly asks: 'help'; readonly command: Command | null }
  | { readonly asks: 'run'; readonly command: Command; readonly given: Given };

const DEFAULT_COMMAND = 'serve';

/** @throws Error saying what is wrong */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  const [named, ...operands] = positionals;
  const command = commandNamed(named ?? DEFAULT_COMMAND);
  if (command === undefined) throw new UsageError(`there is no command "${named}"`);
  if (values.help === true) return { asks: 'help', command: named === undefined ? null : command };
  if (values.version === true) return { asks: 'version' };
  for (const name of Object.keys(values) as OptionName[]) {
    if (command.options[name] === undefined) throw new UsageError(unfit(name, command));
    if (values[name] === '') throw new UsageError(emptyValue(name));
  }
  const excess = operands[command.operandsMax];
  if (excess !== undefined) throw new UsageError(`"${excess}" is one argument too many`);
  return { asks: 'run', command, given: givenBy(values, operands) };
}

type Values = Readonly<Partial<Record<OptionName, string | boolean | (string | boolean)[]>>>;

function givenBy(values: Values, operands: readonly string[]): Given {
  const text = (name: OptionName) => (values[name] ?? null) as string | null;
  return {
    operands,
    text,
    texts: (name) => (values[name] ?? []) as string[],
    has: (name) => values[name] === true,
    dataDir: text('data-dir'),
    json: values.json === true,
  };
}

function unfit(name: OptionName, command: Command): string {
  const takers = commandsTaking(name);
  return `--${name} does not go with ${command.name}: it goes with ${takers.join(', ')} only`;
}

function emptyValue(name: OptionName): string {
  return name === 'data-dir' ? '--data-dir needs a folder' : `--${name} needs a value`;
}
