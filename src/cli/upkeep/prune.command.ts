import { type Command, UsageError } from '../command.ts';
import { JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { numberOf } from '../option-values.ts';
import { prunedText } from '../texts.ts';
import { backupOperand } from './backup-operand.ts';

/** More backups than any folder has. */
const KEPT_MAX = 999_999;

export const PRUNE: Command = {
  name: 'prune',
  group: 'backups',
  operands: '[folder]',
  summary: 'delete old backups, but never the newest sound one',
  about:
    'Deletes all backups in a folder, or in BACKUP_DIR, except the newest ones. Damaged backups do not count, and stay.',
  options: { keep: 'keep this many', 'dry-run': 'only report what would be deleted', ...JSON_OPTION },
  operandsMax: 1,
  examples: ['shingled prune --keep 7 --dry-run', 'shingled prune backups --keep 7'],
  run: async (given, { commands, progress, show }) => {
    if (given.text('keep') === null) throw new UsageError('prune needs --keep with the number of backups to keep');
    const keep = numberOf(given, 'keep', { otherwise: 1, max: KEPT_MAX });
    const how = { keep, isTrial: given.has('dry-run') };
    show(await commands.prune(backupOperand('prune', given), how, progress), (pruned) => prunedText(pruned, how));
    return EXIT_CODES.done;
  },
};
