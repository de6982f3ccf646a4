import type { Command } from '../command.ts';
import { JSON_OPTION, WHERE } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { statsTable } from '../texts.ts';
import { withIndex } from './with-index.ts';

export const STATS: Command = {
  name: 'stats',
  group: 'way in and out',
  operands: '',
  summary: 'show what an index holds, and what takes room and memory',
  about:
    'Shows how many documents an index holds, the settings that it was made with, and what takes room on disk and in memory.',
  options: { ...WHERE, ...JSON_OPTION },
  operandsMax: 0,
  examples: ['shingled stats', 'shingled stats --server http://localhost:8080 --json'],
  run: async (given, context) => {
    context.show(await withIndex(given, context, (index) => index.stats()), statsTable);
    return EXIT_CODES.done;
  },
};
