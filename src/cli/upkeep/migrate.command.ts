import type { MigrateResult } from '../../commands/upgrade-commands.ts';
import { type Command, UsageError } from '../command.ts';
import { DATA_DIR, JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { backupOperand } from './backup-operand.ts';

export const MIGRATE: Command = {
  name: 'migrate',
  group: 'upkeep',
  operands: '<folder>',
  summary: "bring the index to this version's format; the folder is a backup of it",
  about:
    'Brings an index that an older version made to the present format and pipeline. First it proves that the folder is a backup of the index as it is now.',
  options: { ...DATA_DIR, 'without-backup': 'migrate without a backup', ...JSON_OPTION },
  operandsMax: 1,
  examples: ['shingled migrate backups/before-upgrade', 'shingled migrate --without-backup'],
  run: async (given, { commands, progress, show }) => {
    const folder = backupOperand('migrate', given);
    if ((folder === null) !== given.has('without-backup')) {
      throw new UsageError('migrate needs either the folder of a backup that was just taken or --without-backup');
    }
    show(await commands.migrate(given.dataDir, folder, progress), migratedText);
    return EXIT_CODES.done;
  },
};

function migratedText({ path, from, to, pipeline }: MigrateResult): string {
  const present = `The index in ${path} has format ${to} and pipeline ${pipeline.to}`;
  if (from === to && pipeline.from === pipeline.to) return `${present}: there is nothing to do.\n`;
  return `${present} now; it had format ${from} and pipeline ${pipeline.from}.\n`;
}
