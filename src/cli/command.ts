import type { CliCommands } from './cli-commands.ts';
import type { OptionName } from './command-options.ts';
import type { CliStreams } from './streams.ts';

/** One command: what it takes, what help says of it, what it does. */
export interface Command {
  readonly name: string;
  /** Under which heading the list of commands has it. */
  readonly group: CommandGroup;
  /** Its arguments as the list of commands shows them; empty where it takes none. */
  readonly operands: string;
  /** One line of the list of commands; a second one for another form of it. */
  readonly summary: string;
  readonly about: string;
  readonly options: Partial<Record<OptionName, string>>;
  /** Of options that take something else here than what command-options.ts calls it. */
  readonly values?: Partial<Record<OptionName, string>>;
  readonly operandsMax: number;
  readonly examples: readonly string[];
  /** @throws UsageError for options or operands that do not go together, before it does anything */
  readonly run: (given: Given, context: CliContext) => Promise<number>;
}

export type CommandGroup = 'service' | 'way in and out' | 'whole corpora' | 'upkeep' | 'backups';

/** What a command line says to its command. */
export interface Given {
  readonly operands: readonly string[];
  /** The text of an option, null where it was not given. */
  text(name: OptionName): string | null;
  /** The texts of one that may be given many times. */
  texts(name: OptionName): readonly string[];
  has(name: OptionName): boolean;
  readonly dataDir: string | null;
  readonly json: boolean;
}

export interface CliContext {
  readonly commands: CliCommands;
  readonly streams: CliStreams;
  /** Says how far it is, on standard error; not where results are JSON. */
  readonly progress: (line: string) => void;
  /** Prints a result: as one line of JSON, or as `text` has it for a person. */
  show<T>(result: T, text: (result: T) => string): void;
}

/** A command line that is wrong. The message says how. */
export class UsageError extends Error {}
