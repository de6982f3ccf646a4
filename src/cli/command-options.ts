/**
 * Every option by its name: whether it takes a value, and what help calls that. A command says which are its own, and what they
 * do for it.
 */
export const OPTIONS = {
  // where the index is
  'data-dir': { type: 'string', value: '<folder>' },
  server: { type: 'string', value: '<url>' },
  'key-file': { type: 'string', value: '<file>' },
  // how a command prints
  json: { type: 'boolean' },
  // backups, and other upkeep
  keep: { type: 'string', value: '<number>' },
  'dry-run': { type: 'boolean' },
  'without-backup': { type: 'boolean' },
  // what becomes of a record that is read
  'url-field': { type: 'string', value: '<name>' },
  'text-field': { type: 'string', value: '<name>' },
  'html-field': { type: 'string', value: '<name>' },
  'features-field': { type: 'string', value: '<name>' },
  'date-field': { type: 'string', value: '<name>' },
  'no-date': { type: 'boolean' },
  'meta-field': { type: 'string', value: '<name>', multiple: true },
  'url-prefix': { type: 'string', value: '<url>' },
  format: { type: 'string', value: '<name>' },
  charset: { type: 'string', value: '<name>' },
  content: { type: 'string', value: '<figures>' },
  delimiter: { type: 'string', value: '<character>' },
  quote: { type: 'string', value: '<character>' },
  escape: { type: 'string', value: '<character>' },
  'no-header': { type: 'boolean' },
  include: { type: 'string', value: '<glob>', multiple: true },
  exclude: { type: 'string', value: '<glob>', multiple: true },
  gitignore: { type: 'boolean' },
  'unless-similar': { type: 'string', value: '<share>' },
  state: { type: 'string', value: '<file>' },
  mirror: { type: 'boolean' },
  errors: { type: 'string', value: '<file>' },
  'report-similar': { type: 'string', value: '<file>' },
  // questions
  list: { type: 'string', value: '<file>' },
  resemblance: { type: 'string', value: '<share>' },
  'query-in-match': { type: 'string', value: '<share>' },
  'match-in-query': { type: 'string', value: '<share>' },
  quotations: { type: 'boolean' },
  'minimum-share': { type: 'string', value: '<share>' },
  'minimum-words': { type: 'string', value: '<number>' },
  limit: { type: 'string', value: '<number>' },
  fetch: { type: 'string', value: '<when>' },
  type: { type: 'string', value: '<media type>' },
  passages: { type: 'boolean' },
  thorough: { type: 'boolean' },
  differences: { type: 'boolean' },
  explain: { type: 'boolean' },
  // moved documents
  links: { type: 'string', value: '<file>' },
  sure: { type: 'string', value: '<least>' },
  always: { type: 'boolean' },
  // clusters
  out: { type: 'string', value: '<folder>' },
  at: { type: 'string', value: '<shares>' },
  by: { type: 'string', value: '<likeness>' },
  floor: { type: 'string', value: '<share>' },
  memory: { type: 'string', value: '<size>' },
  tsv: { type: 'boolean' },
  pairs: { type: 'string', value: '<file>' },
  plot: { type: 'string', value: '<file>' },
  removals: { type: 'string', value: '<file>' },
  prefer: { type: 'string', value: '<which>' },
  sketches: { type: 'boolean' },
  // removing copies
  threshold: { type: 'string', value: '<share>' },
  kept: { type: 'string', value: '<file>' },
  removed: { type: 'string', value: '<file>' },
  against: { type: 'string', value: '<corpus>' },
  'against-only': { type: 'boolean' },
  work: { type: 'string', value: '<folder>' },
  // selections
  host: { type: 'string', value: '<host>' },
  subdomains: { type: 'boolean' },
  prefix: { type: 'string', value: '<url>' },
  from: { type: 'string', value: '<time>' },
  to: { type: 'string', value: '<time>' },
  meta: { type: 'string', value: '<key=value>', multiple: true },
  'known-as': { type: 'string', value: '<state>' },
  'by-host': { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const satisfies Record<string, OptionSpec>;

interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly value?: string;
  readonly multiple?: boolean;
  readonly short?: string;
}

export type OptionName = keyof typeof OPTIONS;

/** What help calls the value of an option. @param values of one command, where they are called something else */
export function placeholderOf(name: OptionName, values: Partial<Record<OptionName, string>> = {}): string {
  const spec: OptionSpec = OPTIONS[name];
  return values[name] ?? spec.value ?? '';
}

/** Options that every command of an index takes, with what help says of them. */
export const DATA_DIR = { 'data-dir': 'the folder of the index, instead of DATA_DIR (./data)' } as const;
export const WHERE = {
  ...DATA_DIR,
  server: 'use a running service instead of a folder',
  'key-file': 'the file with the API key for that service',
} as const;
export const JSON_OPTION = { json: 'print the result as one line of JSON' } as const;
