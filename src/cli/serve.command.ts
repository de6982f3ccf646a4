import type { Command } from './command.ts';
import { DATA_DIR } from './command-options.ts';
import { EXIT_CODES } from './exit-codes.ts';

export const SERVE: Command = {
  name: 'serve',
  group: 'service',
  operands: '',
  summary: 'start the service (the default command)',
  about:
    'Opens the index, or creates it if the folder is absent or empty, and answers HTTP requests until SIGTERM or SIGINT.',
  options: DATA_DIR,
  operandsMax: 0,
  examples: ['shingled', 'PORT=9090 shingled serve --data-dir crawl'],
  run: async ({ dataDir }, { commands }) => {
    await commands.serve(dataDir);
    return EXIT_CODES.done;
  },
};
