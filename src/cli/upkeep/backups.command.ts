import type { Command } from '../command.ts';
import { JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { backupsTable } from '../texts.ts';
import { backupOperand } from './backup-operand.ts';

export const BACKUPS: Command = {
  name: 'backups',
  group: 'backups',
  operands: '[folder]',
  summary: 'list the backups in a folder, or in BACKUP_DIR',
  about:
    'Lists backups, the newest first, and whether each was proven. It looks at their files to see whether they are whole.',
  options: JSON_OPTION,
  operandsMax: 1,
  examples: ['shingled backups', 'shingled backups old-backups --json'],
  run: async (given, { commands, show }) => {
    show(await commands.backups(backupOperand('backups', given)), backupsTable);
    return EXIT_CODES.done;
  },
};
