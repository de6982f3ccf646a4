import type { Command } from '../command.ts';
import { DATA_DIR, JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { statsTable } from '../texts.ts';

export const STATS: Command = {
  name: 'stats',
  group: 'way in and out',
  operands: '',
  summary: 'what an index holds, and what takes room and memory',
  about: 'Says how many documents an index holds, what it was made with, and what takes room on disk and in memory.',
  options: { ...DATA_DIR, ...JSON_OPTION },
  operandsMax: 0,
  examples: ['shingled stats', 'shingled stats --data-dir crawl --json'],
  run: async ({ dataDir }, { commands, show }) => {
    show(await commands.stats(dataDir), statsTable);
    return EXIT_CODES.done;
  },
};
