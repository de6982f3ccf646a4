import type { TableOptions } from '../../ingest/records/tables/dialect.ts';
import type { IngestSources, InputFields } from '../../ingest/sources.ts';
import { type Given, UsageError } from '../command.ts';
import { characterOf } from '../option-values.ts';
import type { CliStreams } from '../streams.ts';
import { readable } from '../texts.ts';

const FORMATS = 'ndjson, json, csv, tsv, parquet, warc, urls, sitemap, feed, document, tar, zip';

/** How inputs are read, with what help says of it. */
export const INPUT_OPTIONS = {
  format: `what the inputs are, if their names and bytes do not say it: ${FORMATS}`,
  charset: 'the charset of what declares none itself, such as windows-1251 or gbk',
  'url-field': 'the field of a record that holds its URL',
  'text-field': 'the field that holds plain text',
  'html-field': 'the field that holds HTML',
  'features-field': 'the field that holds features, a list of strings',
  'date-field': 'the field that holds the time at which it was seen',
  'no-date': 'take no date from records',
  delimiter: 'the character between the fields of a table, or tab, if its first row does not show it',
  quote: 'the character around fields of a table that need it, or none',
  escape: 'the character before a quote or delimiter that is part of a field, such as \\',
  'no-header': 'tables have no row of names: their fields are 1, 2, 3 and so on',
  'url-prefix': 'what URLs begin with, before the path of a file or the id of a record',
  include: 'read only files of a folder that match; may be given again',
  exclude: 'leave out files of a folder that match; may be given again',
  gitignore: 'leave out what the .gitignore files of a folder name',
} as const;

export function fieldsOf(given: Given): InputFields {
  const [features, charset] = [given.text('features-field'), given.text('charset')];
  if (given.has('no-date') && given.text('date-field') !== null) {
    throw new UsageError('--date-field names a date, and --no-date takes none: give one of them.');
  }
  const table = tableOf(given);
  return {
    url: given.text('url-field'),
    text: given.text('text-field'),
    html: given.text('html-field'),
    date: given.text('date-field'),
    meta: given.texts('meta-field'),
    urlPrefix: given.text('url-prefix'),
    format: given.text('format'),
    include: given.texts('include'),
    exclude: given.texts('exclude'),
    gitignore: given.has('gitignore'),
    ...(features === null ? {} : { features }),
    ...(charset === null ? {} : { charset }),
    ...(given.has('no-date') ? { noDate: true } : {}),
    ...(Object.keys(table).length === 0 ? {} : { table }),
  };
}

/** Says which of --include and --exclude met nothing, once all was read. */
export function tellPatterns(sources: IngestSources, streams: CliStreams): void {
  for (const words of sources.patternWords()) streams.err(readable(`${words}\n`));
}

/** @throws UsageError */
function tableOf(given: Given): TableOptions {
  const delimiter = characterOf(given, 'delimiter');
  const quote = characterOf(given, 'quote', true);
  const escapedBy = characterOf(given, 'escape', true);
  if (delimiter !== undefined && (delimiter === quote || delimiter === escapedBy)) {
    const other = delimiter === quote ? '--quote' : '--escape';
    throw new UsageError(`--delimiter and ${other} are the same character: they have to differ.`);
  }
  return {
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(quote === undefined ? {} : { quote }),
    ...(escapedBy === undefined ? {} : { escapedBy }),
    ...(given.has('no-header') ? { noHeader: true } : {}),
  };
}
