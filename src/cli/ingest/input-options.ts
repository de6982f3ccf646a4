import type { InputFields } from '../../ingest/sources.ts';
import type { Given } from '../command.ts';

const FORMATS = 'ndjson, json, csv, tsv, parquet, warc, urls, sitemap, feed, document';

/** How inputs are read, with what help says of it. */
export const INPUT_OPTIONS = {
  format: `what the inputs are, where their names and bytes do not say: ${FORMATS}`,
  charset: 'in which charset they are, where no byte order mark says: windows-1251, gbk …',
  'url-field': 'of records: the field with the URL',
  'text-field': 'the one with plain text',
  'html-field': 'the one with HTML',
  'features-field': 'the one with features, a list of strings',
  'date-field': 'the one with the time at which it was seen',
  'url-prefix': 'of files: their URL is this and their path',
  include: 'of folders: only files like this; again for more',
  exclude: 'of folders: no files like this; again for more',
  gitignore: 'of folders: leave out what .gitignore does',
} as const;

export function fieldsOf(given: Given): InputFields {
  const [features, charset] = [given.text('features-field'), given.text('charset')];
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
  };
}
