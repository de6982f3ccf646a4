import type { Command } from '../command.ts';
import { DATA_DIR, JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { bytes } from '../texts.ts';

export const COMPACT: Command = {
  name: 'compact',
  group: 'upkeep',
  operands: '',
  summary: 'remove what was deleted from the disk',
  about: 'Rewrites the files of an index without what was deleted. For a running service: POST /admin/compact.',
  options: { ...DATA_DIR, ...JSON_OPTION },
  operandsMax: 0,
  examples: ['shingled compact', 'shingled compact --data-dir crawl --json'],
  run: async ({ dataDir }, { commands, show }) => {
    show(
      await commands.compact(dataDir),
      ({ diskBytesBefore, diskBytesAfter }) =>
        `Nothing is left of what was deleted: ${bytes(diskBytesBefore)} on disk became ${bytes(diskBytesAfter)}.\n`,
    );
    return EXIT_CODES.done;
  },
};
