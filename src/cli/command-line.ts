import { parseArgs } from 'node:util';
import { didYouMean } from '../plain-words/near-name.ts';
import { type Command, type Given, UsageError } from './command.ts';
import { OPTIONS, type OptionName, placeholderOf } from './command-options.ts';
import { COMMANDS, commandNamed, commandsTaking } from './command-table.ts';

/** A command line as it was read: what to do, or what to print instead. */
export type CommandLine =
  | { readonly asks: 'version' }
  /** @property command whose help; null = the list of all commands */
  | { readonly asks: 'help'; readonly command: Command | null }
  | { readonly asks: 'run'; readonly command: Command; readonly given: Given };

const DEFAULT_COMMAND = 'serve';

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];
type OptionToken = Extract<Token, { readonly kind: 'option' }>;
type Values = Partial<Record<OptionName, string | true | string[]>>;

/** A command line that is wrong, and the command that it names. */
export class CommandLineError extends UsageError {
  /** null: none, or one that is not known. */
  readonly command: string | null;

  constructor(message: string, command: Command | undefined) {
    super(message);
    this.command = command?.name ?? null;
  }
}

/** @throws CommandLineError saying what is wrong */
export function readCommandLine(args: readonly string[]): CommandLine {
  // not strict: what is wrong is said in our words, with what was probably meant
  const { tokens } = parseArgs({
    ...{ args: [...args], options: OPTIONS, allowPositionals: true, strict: false, tokens: true },
  });
  const options = tokens.filter((token): token is OptionToken => token.kind === 'option');
  const [named, ...operands] = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const command = commandNamed(named ?? DEFAULT_COMMAND);
  try {
    if (command === undefined) throw new UsageError(unknownCommand(named!, options));
    const values = valuesOf(options, command);
    if (values.help === true) return { asks: 'help', command: named === undefined ? null : command };
    if (values.version === true) return { asks: 'version' };
    const misplaced = (Object.keys(values) as OptionName[]).find((name) => command.options[name] === undefined);
    if (misplaced !== undefined) throw new UsageError(unfit(misplaced, command));
    const excess = operands[command.operandsMax];
    if (excess !== undefined) throw new UsageError(tooMany(command, excess));
    return { asks: 'run', command, given: givenBy(values, operands) };
  } catch (error) {
    throw error instanceof UsageError
      ? new CommandLineError(error.message, named === undefined ? undefined : command)
      : error;
  }
}

function valuesOf(tokens: readonly OptionToken[], command: Command): Values {
  const values: Values = {};
  for (const { name, rawName, value, inlineValue } of tokens) {
    if (!isOption(name)) throw new UsageError(unknownOption(rawName, command));
    const spec: { readonly type: string; readonly multiple?: boolean } = OPTIONS[name];
    if (spec.type === 'boolean') {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value: write it without "=${value}"`);
      values[name] = true;
      continue;
    }
    const placeholder = placeholderOf(name, command.values);
    if (value === undefined || value === '')
      throw new UsageError(`${rawName} needs a value: ${rawName} ${placeholder}`);
    if (inlineValue !== true && /^-./.test(value)) {
      throw new UsageError(
        `${rawName} needs a value, and "${value}" looks like an option; if it is the value, write ${rawName}=${value}`,
      );
    }
    const before = values[name];
    if (spec.multiple === true) values[name] = [...((before as string[] | undefined) ?? []), value];
    else if (before === undefined || before === value) values[name] = value;
    else throw new UsageError(`${rawName} is given twice, as "${before as string}" and as "${value}": once is enough`);
  }
  return values;
}

const isOption = (name: string): name is OptionName => Object.hasOwn(OPTIONS, name);

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

function unknownCommand(named: string, options: readonly OptionToken[]): string {
  const names = COMMANDS.map(({ name }) => name);
  const near = didYouMean(named, names, (name) => `shingled ${name}`);
  // the value of an option that is not known is taken for the command
  const unknown = options.find(({ name }) => !isOption(name));
  if (near === '' && unknown !== undefined) return unknownOption(unknown.rawName, null);
  return `there is no command "${named}".${near}`;
}

/** @param command null: it is not known */
function unknownOption(rawName: string, command: Command | null): string {
  const names = [...Object.keys(command?.options ?? {}), 'help', 'version'];
  return `there is no option ${rawName}.${didYouMean(rawName.replace(/^-+/, ''), names, (name) => `--${name}`)}`;
}

function unfit(name: OptionName, command: Command): string {
  const takers = commandsTaking(name);
  return `--${name} does not go with ${command.name}: it goes with ${takers.join(', ')} only`;
}

function tooMany({ name, operands, operandsMax }: Command, excess: string): string {
  if (operandsMax === 0) return `${name} takes no arguments: "${excess}" is one too many`;
  return `${name} takes ${operands} and no more: "${excess}" is one too many`;
}
