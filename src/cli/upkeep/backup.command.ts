import type { Command } from '../command.ts';
import { DATA_DIR, JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { bytes, count } from '../texts.ts';
import { neededBackup } from './backup-operand.ts';

export const BACKUP: Command = {
  name: 'backup',
  group: 'upkeep',
  operands: '<folder>',
  summary: 'copy the index there (for a running service: POST /admin/backup)',
  about:
    'Takes a consistent copy of the index with its key. Files that never change are linked if both folders are on one file system.',
  options: { ...DATA_DIR, ...JSON_OPTION },
  operandsMax: 1,
  examples: ['shingled backup backups/monday', 'shingled backup backups/tuesday --data-dir crawl --json'],
  run: async (given, { commands, show }) => {
    const folder = neededBackup('backup', given);
    show(
      await commands.backup(given.dataDir, folder),
      (taken) =>
        `The backup is in ${taken.path}: ${count(taken.files)} files, ${bytes(taken.bytes)}, ${count(taken.linkedFiles)} of them links to files of the index.\n`,
    );
    return EXIT_CODES.done;
  },
};
