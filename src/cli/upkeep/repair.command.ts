import type { Command } from '../command.ts';
import { DATA_DIR, JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { repairText } from '../texts.ts';

export const REPAIR: Command = {
  name: 'repair',
  group: 'upkeep',
  operands: '',
  summary: 'rebuild the index from what can be read; the old files are kept',
  about:
    'Makes a new index from what can be read of a damaged one, and reports what is lost. The old files stay beside it.',
  options: { ...DATA_DIR, ...JSON_OPTION },
  operandsMax: 0,
  examples: ['shingled repair --data-dir crawl'],
  run: async ({ dataDir }, { commands, progress, show }) => {
    show(await commands.repair(dataDir, progress), repairText);
    return EXIT_CODES.done;
  },
};
