import { allowedValues, type SettingSchema } from '../../../src/config/setting.ts';
import { settings } from '../../../src/config.ts';

const GROUPS: readonly (readonly [title: string, first: string])[] = [
  ['The service', 'HOST'],
  ['The index', 'SHINGLE_SIZE'],
  ['Fetching', 'FETCH_ALLOWED_PRIVATE'],
  ['What is kept of the past', 'RETENTION_PAST_CONTENTS_MAX'],
  ['The disk', 'FREE_BYTES_MIN'],
  ['Limits of connections and bodies', 'BODY_BYTES_MAX'],
  ['Limits of calls', 'REQUESTS_IN_FLIGHT_MAX'],
  ['Limits of documents', 'EXTRACT_DOCUMENT_BYTES_MAX'],
  ['Workers', 'WORKERS_THREADS'],
  ['Limits of fetching', 'FETCH_TIMEOUT_MS'],
  ['Limits of what the command line reads', 'INGEST_RECORD_BYTES_MAX'],
];

const HEAD = `# Configuration

Settings are read from the environment, once, at start. An empty value counts as not set. A value that is not allowed
ends the start with exit code 3, and every fault is named on standard error, a line each, with what is allowed. A name
that looks like a misspelt setting, or was a setting once, is warned about. Units stand at the end of a name: \`_MS\`
milliseconds, \`_BYTES\` bytes.

This page is written by its test: change a limit in the \`limits.ts\` of its part and any other setting in \`src/config/\`, then run
\`npx vitest run test/config.test.ts -u\`.
`;

/** How a default is written in the environment; nothing where there is none. */
export function defaultText(schema: SettingSchema): string {
  const value = schema.ofNew === undefined ? schema.default : (schema.ofNew.default ?? '');
  if (value === null || (Array.isArray(value) && value.length === 0)) return '';
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** docs/configuration.md, from the schema. */
export function configurationPage(): string {
  const lines = [HEAD];
  for (const [name, schema] of settings) {
    const group = GROUPS.find(([, first]) => first === name);
    if (group !== undefined)
      lines.push(`\n## ${group[0]}\n\n| Setting | Default | Allowed | What it is | Why |\n|---|---|---|---|---|\n`);
    const shown = defaultText(schema);
    const cells = [
      `\`${name}\``,
      shown === '' ? 'none' : `\`${shown}\``,
      allowedValues(schema),
      schema.description,
      schema.reason,
    ];
    lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`);
  }
  return lines.join('');
}
