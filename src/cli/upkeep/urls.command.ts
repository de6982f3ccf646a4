import type { Command } from '../command.ts';
import { DATA_DIR } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { count, readable } from '../texts.ts';
import { backupOperand } from './backup-operand.ts';
import { refuseBoth } from './check.command.ts';

export const URLS: Command = {
  name: 'urls',
  group: 'upkeep',
  operands: '[backup]',
  summary: 'list the URLs of an index of any version, or of a backup, as lines of JSON',
  about:
    'Lists URLs as lines of a bulk write without their documents. The index may be of any version, damaged, or without its key.',
  options: DATA_DIR,
  operandsMax: 1,
  examples: ['shingled urls > urls.ndjson', 'shingled urls backups/monday | head'],
  run: async (given, { commands, streams }) => {
    const folder = backupOperand('urls', given);
    refuseBoth('urls', given);
    const { path, urls, isWhole } = await commands.urls(given.dataDir, folder, (texts) => streams.flow(texts));
    streams.err(readable(`${count(urls)} URLs are in ${path}.\n`));
    if (isWhole) return EXIT_CODES.done;
    streams.err('Some of it cannot be read: URLs may be missing.\n');
    return EXIT_CODES.damaged;
  },
};
