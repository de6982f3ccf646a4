import type {
  AdvisedReport,
  CompactResult,
  Progress,
  PruneRequest,
  PruneResult,
  RepairResult,
  RestoreResult,
} from '../commands/index-commands.ts';
import type { MigrateResult, UrlsResult, WriteTexts } from '../commands/upgrade-commands.ts';
import { type ErrorCode, ShingledError } from '../errors.ts';
import type { BackupsAnswer, StatsAnswer } from '../service/api.ts';
import type { BackupOutcome } from '../store/port.ts';
import { type CommandLine, readCommandLine } from './command-line.ts';
import { backupsTable, bytes, count, prunedText, repairText, statsTable } from './texts.ts';

/** What can be set going. The process hands it in, so that no adapter is chosen here. */
export interface CliCommands {
  /** Resolves once the service listens; the process then runs until a signal ends it. */
  serve(dataDir: string | null): Promise<void>;
  /** The others want an index that no process owns. */
  check(dataDir: string | null, progress: Progress): Promise<AdvisedReport>;
  /** Needs no  */
  checkBackup(backup: string, progress: Progress): Promise<AdvisedReport>;
  stats(dataDir: string | null): Promise<StatsAnswer>;
  backup(dataDir: string | null, target: string): Promise<BackupOutcome>;
  restore(dataDir: string | null, backup: string, progress: Progress): Promise<RestoreResult>;
  repair(dataDir: string | null, progress: Progress): Promise<RepairResult>;
  compact(dataDir: string | null): Promise<CompactResult>;
  /** @param backup a proven one is needed; null = without one */
  migrate(dataDir: string | null, backup: string | null, progress: Progress): Promise<MigrateResult>;
  /** @param write is given many lines at once, and waits where nobody takes them */
  urls(dataDir: string | null, backup: string | null, write: WriteTexts): Promise<UrlsResult>;
  /** Of a folder, or of BACKUP_DIR; also while a service runs. */
  backups(folder: string | null): Promise<BackupsAnswer>;
  prune(folder: string | null, how: PruneRequest, progress: Progress): Promise<PruneResult>;
}

export interface CliStreams {
  out(text: string): void;
  err(text: string): void;
  /** Text after text, each once the one before has left. */
  flow(texts: Iterable<string>): Promise<void>;
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
  serve             start the service (what happens without a command)
  stats             what an index holds, and what takes room and memory

and on an index that no process uses
  check             prove it: postings, records, counts, checksums
  backup <folder>   copy it there; of a running service: POST /admin/backup
  restore <folder>  prove a backup and make it the index of an empty DATA_DIR
  repair            rebuild it from what can be read; the old files are kept
  compact           leave nothing on disk of what was deleted
  migrate <folder>  bring it to this version's format; the folder is a backup of it
  urls              list its URLs, a line of JSON each; of any version's index

and on backups, also while a service runs
  check <folder>    prove a backup, and change nothing in it
  urls <folder>     list the URLs of a backup
  backups [folder]  list those of a folder, or of BACKUP_DIR
  prune [folder]    delete old ones, never the newest sound one

Options
  --data-dir <folder>  the index, instead of DATA_DIR (./data)
  --keep <number>      so many backups stay (prune)
  --dry-run            only say what would be deleted (prune)
  --without-backup     there is none (migrate)
  --json               results as JSON
  --version            print the version
  -h, --help           print this

Settings are read from the environment: HOST, PORT, DATA_DIR, API_KEYS and more,
all in docs/configuration.md.

Exit codes
  0  done                          3  the configuration is not valid
  1  something went wrong inside   4  the index is missing, locked, other, or in the way
  2  the command line is wrong,    5  the index or the backup is damaged
     or Node is too old
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
  const { dataDir, json } = line;
  const folder = line.folder ?? '';
  const progress = (text: string) => (json ? undefined : streams.out(`${text}\n`));
  const show = <T>(result: T, text: (result: T) => string) =>
    print(streams, json ? `${JSON.stringify(result)}\n` : text(result));
  switch (line.command) {
    case 'serve':
      await commands.serve(dataDir);
      return EXIT_CODES.done;
    case 'stats':
      return show(await commands.stats(dataDir), statsTable);
    case 'check':
      return line.folder === null
        ? showCheck('index', await commands.check(dataDir, progress), json, streams)
        : showCheck('backup', await commands.checkBackup(folder, progress), json, streams);
    case 'backup':
      return show(
        await commands.backup(dataDir, folder),
        (taken) =>
          `The backup is in ${taken.path}: ${count(taken.files)} files, ${bytes(taken.bytes)}, ${count(taken.linkedFiles)} of them links to files of the index.\n`,
      );
    case 'backups':
      return show(await commands.backups(line.folder), backupsTable);
    case 'prune': {
      const how = { keep: line.keep, isTrial: line.dryRun };
      return show(await commands.prune(line.folder, how, progress), (pruned) => prunedText(pruned, how));
    }
    case 'restore':
      return show(
        await commands.restore(dataDir, folder, progress),
        (restored) =>
          `The index in ${restored.path} is the one of ${restored.createdAt}${countsText(restored.counts)}.\n`,
      );
    case 'repair':
      return show(await commands.repair(dataDir, progress), repairText);
    case 'migrate':
      return show(await commands.migrate(dataDir, line.folder, progress), migratedText);
    case 'urls':
      return listed(await commands.urls(dataDir, line.folder, (texts) => streams.flow(texts)), streams);
    case 'compact':
      return show(
        await commands.compact(dataDir),
        ({ diskBytesBefore, diskBytesAfter }) =>
          `Nothing is left of what was deleted: ${bytes(diskBytesBefore)} on disk became ${bytes(diskBytesAfter)}.\n`,
      );
  }
}

function showCheck(what: string, report: AdvisedReport, json: boolean, streams: CliStreams): number {
  const { problems, counts, advice } = report;
  const isSound = problems.length === 0;
  if (json) streams.out(`${JSON.stringify({ sound: isSound, problems, counts, advice })}\n`);
  else if (isSound) streams.out(`The ${what} is sound${countsText(counts)}.\n`);
  else streams.out(`${[...problems, ...(advice === null ? [] : [advice])].join('\n')}\n`);
  return isSound ? EXIT_CODES.done : EXIT_CODES.damaged;
}

function migratedText({ path, from, to }: MigrateResult): string {
  if (from === to) return `The index in ${path} has format ${to}: there is nothing to do.\n`;
  return `The index in ${path} has format ${to} now; it had format ${from}.\n`;
}

/** What is said of the list, beside it. */
function listed({ path, urls, isWhole }: UrlsResult, streams: CliStreams): number {
  streams.err(`${count(urls)} URLs are in ${path}.\n`);
  if (isWhole) return EXIT_CODES.done;
  streams.err('Some of it cannot be read: URLs may be missing.\n');
  return EXIT_CODES.damaged;
}

function countsText(counts: AdvisedReport['counts']): string {
  if (counts === null) return '';
  return `: ${Object.entries(counts)
    .map(([what, number]) => `${what} ${count(number)}`)
    .join(', ')}`;
}

const EXIT_CODE_OF: Partial<Record<ErrorCode, number>> = {
  'invalid-config': EXIT_CODES.config,
  'index-missing': EXIT_CODES.index,
  'index-locked': EXIT_CODES.index,
  'index-mismatch': EXIT_CODES.index,
  'index-exists': EXIT_CODES.index,
  'storage-full': EXIT_CODES.index,
  'backup-exists': EXIT_CODES.index,
  'backup-missing': EXIT_CODES.index,
  'folder-is-backup': EXIT_CODES.index,
  'backup-damaged': EXIT_CODES.damaged,
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
