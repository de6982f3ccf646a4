import type { CliCommands } from './cli-commands.ts';
import type { CliContext } from './command.ts';
import { UsageError } from './command.ts';
import { type CommandLine, CommandLineError, readCommandLine } from './command-line.ts';
import { EXIT_CODES, exitCodeOf, explain } from './exit-codes.ts';
import { helpOf, overview } from './help.ts';
import type { CliStreams } from './streams.ts';
import { readable } from './texts.ts';

/**
 * Runs one command line.
 *
 * @param args the arguments after the program's name
 * @returns the exit code; every failure is explained on `err`, with its error code
 */
export async function runCli(
  args: readonly string[],
  commands: CliCommands,
  version: string,
  streams: CliStreams,
): Promise<number> {
  let line: CommandLine;
  try {
    line = readCommandLine(args);
  } catch (error) {
    return refuse(error, error instanceof CommandLineError ? error.command : null, streams);
  }
  if (line.asks === 'version') return print(streams, `${version}\n`);
  if (line.asks === 'help') return print(streams, line.command === null ? overview() : helpOf(line.command));
  const { command, given } = line;
  const context: CliContext = {
    commands,
    streams,
    progress: (text) => (given.json ? undefined : streams.err(readable(`${text}\n`))),
    show: (result, text) => streams.out(given.json ? `${JSON.stringify(result)}\n` : readable(text(result))),
  };
  try {
    return await command.run(given, context);
  } catch (error) {
    if (error instanceof UsageError) return refuse(error, command.name, streams);
    streams.err(readable(explain(error)));
    return exitCodeOf(error);
  }
}

function refuse(error: unknown, command: string | null, streams: CliStreams): number {
  const help = command === null ? 'shingled --help' : `shingled ${command} --help`;
  const text = error instanceof Error ? error.message : String(error);
  streams.err(readable(`shingled: ${/[.?]$/.test(text) ? text : `${text}.`}\nTry: ${help}\n`));
  return EXIT_CODES.usage;
}

function print(streams: CliStreams, text: string): number {
  streams.out(text);
  return EXIT_CODES.done;
}
