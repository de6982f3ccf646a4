import { parseArgs } from 'node:util';

export const COMMANDS = ['serve', 'check', 'stats', 'backup', 'restore', 'repair', 'compact'] as const;
export type Command = (typeof COMMANDS)[number];

export interface CommandLine {
  readonly command: Command;
  readonly dataDir: string | null;
  /** The folder that backup and restore are told. */
  readonly folder: string;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** @throws Error saying what is wrong */
export function readCommandLine(args: readonly string[]): CommandLine {
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
  const [named = 'serve', ...rest] = positionals;
  const command = COMMANDS.find((name) => name === named);
  if (command === undefined) throw new Error(`there is no command "${named}"`);
  const [folder = '', ...more] = command === 'backup' || command === 'restore' ? rest : ['', ...rest];
  if (more.length > 0) throw new Error(`"${more[0]}" is one argument too many`);
  const isAsked = values.help || values.version;
  if (folder === '' && !isAsked && (command === 'backup' || command === 'restore')) {
    throw new Error(`${command} needs the folder of the backup`);
  }
  if (values['data-dir'] === '') throw new Error('--data-dir needs a folder');
  if (values.json && command === 'serve') throw new Error('--json goes with every command but serve');
  return {
    ...{ command, folder, dataDir: values['data-dir'] ?? null },
    ...{ json: values.json, help: values.help, version: values.version },
  };
}
