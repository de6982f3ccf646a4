import { parseArgs } from 'node:util';
import { type ErrorCode, ShingledError } from '../errors.ts';
import type { StatsAnswer } from '../service/api.ts';
import { statsTable } from './stats-table.ts';

/** What the cli can set going; the process hands it in, so that no adapter is chosen here. */
export interface CliCommands {
  /** Resolves once the service listens; the process then runs until a signal ends it. */
  serve(dataDir: string | null): Promise<void>;
  /** Proves an index that no process owns. */
  check(dataDir: string | null, progress: (line: string) => void): Promise<CheckReport>;
  stats(dataDir: string | null): Promise<StatsAnswer>;
}

/** What is wrong with an index, one sentence each, and what was counted on the way where that was possible. */
export interface CheckReport {
  readonly problems: readonly string[];
  readonly counts: Readonly<Record<'sources' | 'contents' | 'postings' | 'versions', number>> | null;
}

export interface CliStreams {
  out(text: string): void;
  err(text: string): void;
}

/** What the exit code says; printed by --help. */
export const EXIT_CODES = {
  done: 0,
  failed: 1,
  usage: 2,
  config: 3,
  index: 4,
  damaged: 5,
} as const;

const HELP = `Usage: shingled [command] [options]

Which known URLs say the same as this document, contain it, or are contained in it?

Commands
  serve    start the service (what happens without a command)
  check    prove an index that no process uses: postings, records, counts, checksums
  stats    what an index holds

Options
  --data-dir <folder>  the index, instead of DATA_DIR (./data)
  --json               stats and check as JSON
  --version            print the version
  -h, --help           print this

Settings are read from the environment: HOST, PORT, DATA_DIR, API_KEYS and more,
all in docs/configuration.md.

Exit codes
  0  done                          3  the configuration is not valid
  1  something went wrong inside   4  the index is missing, locked or of other settings
  2  the command line is wrong     5  the index is damaged
`;

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
    streams.err(`shingled: ${error instanceof Error ? error.message : String(error)}\nTry: shingled --help\n`);
    return EXIT_CODES.usage;
  }
  if (line.help) return print(streams, HELP);
  if (line.version) return print(streams, `${version}\n`);
  try {
    return await runCommand(line, commands, streams);
  } catch (error) {
    streams.err(explain(error));
    return exitCodeOf(error);
  }
}

async function runCommand(line: CommandLine, commands: CliCommands, streams: CliStreams): Promise<number> {
  if (line.command === 'serve') {
    await commands.serve(line.dataDir);
    return EXIT_CODES.done;
  }
  if (line.command === 'stats') {
    const stats = await commands.stats(line.dataDir);
    return print(streams, line.json ? `${JSON.stringify(stats)}\n` : statsTable(stats));
  }
  const progress = (text: string) => (line.json ? undefined : streams.out(`${text}\n`));
  const { problems, counts } = await commands.check(line.dataDir, progress);
  const isSound = problems.length === 0;
  if (line.json) streams.out(`${JSON.stringify({ sound: isSound, problems, counts })}\n`);
  else streams.out(isSound ? `The index is sound${countsText(counts)}.\n` : `${problems.join('\n')}\n`);
  return isSound ? EXIT_CODES.done : EXIT_CODES.damaged;
}

function countsText(counts: CheckReport['counts']): string {
  if (counts === null) return '';
  const parts = Object.entries(counts).map(([what, count]) => `${what} ${count.toLocaleString('en')}`);
  return `: ${parts.join(', ')}`;
}

interface CommandLine {
  readonly command: 'serve' | 'check' | 'stats';
  readonly dataDir: string | null;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  const [command = 'serve', ...rest] = positionals;
  if (command !== 'serve' && command !== 'check' && command !== 'stats') {
    throw new Error(`there is no command "${command}"`);
  }
  if (rest.length > 0) throw new Error(`"${rest[0]}" is one argument too many`);
  if (values['data-dir'] === '') throw new Error('--data-dir needs a folder');
  if (values.json && command === 'serve') throw new Error('--json goes with stats or check');
  return {
    command,
    dataDir: values['data-dir'] ?? null,
    json: values.json,
    help: values.help,
    version: values.version,
  };
}

const EXIT_CODE_OF: Partial<Record<ErrorCode, number>> = {
  'invalid-config': EXIT_CODES.config,
  'index-missing': EXIT_CODES.index,
  'index-locked': EXIT_CODES.index,
  'index-mismatch': EXIT_CODES.index,
  'index-damaged': EXIT_CODES.damaged,
};

function exitCodeOf(error: unknown): number {
  return (error instanceof ShingledError ? EXIT_CODE_OF[error.code] : undefined) ?? EXIT_CODES.failed;
}

function explain(error: unknown): string {
  if (error instanceof ShingledError) {
    const lines = error.message.split('\n').map((line) => `  ${line}\n`);
    return `shingled: ${error.title} (${error.code})\n${lines.join('')}`;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `shingled: something went wrong inside (internal)\n${text}\n`;
}

function print(streams: CliStreams, text: string): number {
  streams.out(text);
  return EXIT_CODES.done;
}
