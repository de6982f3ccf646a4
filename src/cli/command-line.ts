import { parseArgs } from 'node:util';

export const COMMANDS = [
  ...(['serve', 'check', 'stats', 'backup', 'backups', 'prune', 'restore', 'repair', 'compact'] as const),
  ...(['migrate', 'urls'] as const),
] as const;
export type Command = (typeof COMMANDS)[number];

export interface CommandLine {
  readonly command: Command;
  readonly dataDir: string | null;
  /**
   * What backup, restore and migrate are told, and check and urls may be: the folder of a backup. Backups and prune: the
   * one of all.
   */
  readonly folder: string | null;
  /** How many backups prune leaves. */
  readonly keep: number;
  readonly dryRun: boolean;
  /** Whether migrate is told of none. */
  readonly withoutBackup: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const FOLDER_NEEDED: ReadonlySet<Command> = new Set(['backup', 'restore']);
const FOLDER_TAKEN: ReadonlySet<Command> = new Set([
  ...FOLDER_NEEDED,
  ...(['check', 'urls', 'migrate', 'backups', 'prune'] as const),
]);
/** They look at backups, and at no index. */
const NO_INDEX: ReadonlySet<Command> = new Set(['backups', 'prune']);

/** @throws Error saying what is wrong */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string' },
      keep: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      'without-backup': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  const [named = 'serve', ...rest] = positionals;
  const command = COMMANDS.find((name) => name === named);
  if (command === undefined) throw new Error(`there is no command "${named}"`);
  const [folder = null, ...more] = FOLDER_TAKEN.has(command) ? rest : [null, ...rest];
  if (more.length > 0) throw new Error(`"${more[0]}" is one argument too many`);
  const { json, help, version, 'data-dir': dataDir = null } = values;
  const { 'dry-run': dryRun, 'without-backup': withoutBackup } = values;
  const keep = Number(values.keep);
  const line = { command, folder, dataDir, keep, dryRun, withoutBackup, json, help, version };
  if (!help && !version) refuseUnfit(line, values.keep);
  return line;
}

function refuseUnfit(line: CommandLine, keep: string | undefined): void {
  const { command, folder, dataDir, dryRun, withoutBackup, json } = line;
  const lacksFolder = FOLDER_NEEDED.has(command) && folder === null;
  if (lacksFolder || folder === '') throw new Error(`${command} needs the folder of the backup`);
  if (dataDir === '') throw new Error('--data-dir needs a folder');
  if (dataDir !== null && NO_INDEX.has(command)) throw new Error(`--data-dir does not go with ${command}`);
  if (dataDir !== null && folder !== null && (command === 'check' || command === 'urls')) {
    throw new Error(`${command} looks at an index (--data-dir), or at a backup (its folder), not at both`);
  }
  if (json && (command === 'serve' || command === 'urls')) {
    throw new Error('--json goes with every command but serve, and urls, which lists lines of JSON anyway');
  }
  if (command === 'migrate' && (folder === null) !== withoutBackup) {
    throw new Error('migrate needs the folder of a backup that was just taken, or else --without-backup');
  }
  if (command !== 'migrate' && withoutBackup) throw new Error('--without-backup goes with migrate only');
  if (command === 'prune' && !/^[1-9]\d{0,5}$/.test(keep ?? '')) {
    throw new Error('prune needs --keep and how many backups are to stay: 1 or more');
  }
  if (command !== 'prune' && (keep !== undefined || dryRun)) throw new Error('--keep and --dry-run go with prune only');
}
