import type { AdvisedReport } from '../../commands/index-commands.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { DATA_DIR, JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { countsText } from '../texts.ts';
import { backupOperand } from './backup-operand.ts';

export const CHECK: Command = {
  name: 'check',
  group: 'upkeep',
  operands: '[backup]',
  summary: 'prove the index, or a backup: postings, records, counts, checksums',
  about:
    'Reads the whole index, or a whole backup, and reports each row that is not what it should be. Nothing is changed.',
  options: { ...DATA_DIR, ...JSON_OPTION },
  operandsMax: 1,
  examples: ['shingled check', 'shingled check backups/monday --json'],
  run: async (given, context) => {
    const folder = backupOperand('check', given);
    refuseBoth('check', given);
    const { commands, progress } = context;
    return folder === null
      ? showCheck('index', await commands.check(given.dataDir, progress), context)
      : showCheck('backup', await commands.checkBackup(folder, progress), context);
  },
};

/** @throws UsageError where both an index and a backup are named */
export function refuseBoth(command: string, { dataDir, operands }: Given): void {
  if (dataDir === null || operands.length === 0) return;
  throw new UsageError(`${command} looks at an index (--data-dir), or at a backup (its folder), not at both`);
}

function showCheck(what: string, report: AdvisedReport, { show }: CliContext): number {
  const { problems, counts, advice } = report;
  const isSound = problems.length === 0;
  show({ sound: isSound, problems, counts, advice }, () =>
    isSound
      ? `The ${what} is sound${countsText(counts)}.\n`
      : `${[...problems, ...(advice === null ? [] : [advice])].join('\n')}\n`,
  );
  return isSound ? EXIT_CODES.done : EXIT_CODES.damaged;
}
