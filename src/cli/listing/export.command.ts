import { gatheredLater } from '../../sharing/gathered-texts.ts';
import { withIndex } from '../asking/with-index.ts';
import type { Command } from '../command.ts';
import { WHERE } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { count } from '../texts.ts';
import { SELECTION_OPTIONS, selectionOf } from './selection-options.ts';

export const EXPORT: Command = {
  name: 'export',
  group: 'way in and out',
  operands: '',
  summary: 'write all that is known of documents, as lines of JSON',
  about:
    'Writes a line of JSON for each document: its URL, state, dates, title, meta, content and versions. The index keeps no texts, so there are none in the output.',
  options: { ...WHERE, ...SELECTION_OPTIONS },
  operandsMax: 0,
  examples: ['shingled export > all.ndjson', 'shingled export --host a.example --known-as gone | head'],
  run: async (given, context) => {
    const selection = selectionOf(given);
    const { streams } = context;
    let unreadable = 0;
    await withIndex(given, context, (index) => {
      async function* lines(): AsyncGenerator<string> {
        for await (const line of index.exportLines(selection)) {
          if (line.includes('"code":"index-unreadable"') && 'code' in (JSON.parse(line) as object)) unreadable++;
          yield `${line}\n`;
        }
      }
      return streams.flow(gatheredLater(lines()));
    });
    if (unreadable === 0) return EXIT_CODES.done;
    streams.err(`${count(unreadable)} documents cannot be read: see "shingled check".\n`);
    return EXIT_CODES.damaged;
  },
};
