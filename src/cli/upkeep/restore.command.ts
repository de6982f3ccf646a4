import type { Command } from '../command.ts';
import { DATA_DIR, JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { countsText } from '../texts.ts';
import { neededBackup } from './backup-operand.ts';

export const RESTORE: Command = {
  name: 'restore',
  group: 'upkeep',
  operands: '<folder>',
  summary: 'prove a backup and make it the index of an empty DATA_DIR',
  about: 'Copies a backup, proves the copy, and makes it the index of a folder that is absent or empty.',
  options: { ...DATA_DIR, ...JSON_OPTION },
  operandsMax: 1,
  examples: ['shingled restore backups/monday --data-dir again'],
  run: async (given, { commands, progress, show }) => {
    const folder = neededBackup('restore', given);
    show(
      await commands.restore(given.dataDir, folder, progress),
      (restored) =>
        `The index in ${restored.path} is the one of ${restored.createdAt}${countsText(restored.counts)}.\n`,
    );
    return EXIT_CODES.done;
  },
};
