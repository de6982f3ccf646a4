import { describe, expect, it } from 'vitest';
import { readConfig, settings } from '../../src/config.ts';
import { defaultText } from '../support/docs/configuration-page.ts';
import { differencesOf, docSteps, runDoc } from '../support/docs/doc-runner.ts';
import { knownKeyFile } from '../support/docs/known-key.ts';
import { serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { readText } from '../support/tree/tree.ts';

const readme = readText('README.md');
const scripts = (JSON.parse(readText('package.json')) as { scripts: Record<string, string> }).scripts;

const freshService = async () =>
  (await serveHere({ DATA_DIR: `${temporaryFolder()}/data`, INDEX_KEY_FILE: knownKeyFile() })).url;

/** Those parts of a value that a shortened one shows. */
function shortened(shown: unknown, whole: unknown): unknown {
  if (Array.isArray(shown) && Array.isArray(whole)) return shown.map((item, at) => shortened(item, whole[at]));
  if (typeof shown !== 'object' || shown === null) return whole;
  const from = whole as Record<string, unknown>;
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, shortened(value, from[key])]));
}

describe('README.md', () => {
  it('walks through the service as printed: every command, every answer', async () => {
    const steps = docSteps(readme);
    expect(steps.length).toBeGreaterThan(6);
    expect(steps.filter(({ expected }) => expected === null)).toEqual([]);
    expect(await runDoc(readme, await freshService())).toEqual([]);
  });

  it('would be seen to lie: a figure, a field and a command that are not right are each named', async () => {
    const lies = readme
      .replace('"tokens": 18,\n          "exact"', '"tokens": 19,\n          "exact"')
      .replace('"newContent": false,', '"newContent": false,\n  "sure": true,')
      .concat('\n```sh\ncurl -s --fail localhost:8080/nowhere\n```\n');
    expect(await runDoc(lies, await freshService())).toEqual([
      expect.stringContaining('/sure is shown but not there'),
      expect.stringContaining('/tokens is 18, shown is 19'),
      expect.stringContaining('the command failed'),
    ]);
  });

  it('begins with an answer that it gives', () => {
    const first = JSON.parse(/```json\n([\s\S]*?)```/.exec(readme)![1]!) as object;
    const answers = docSteps(readme).map(({ expected }) => expected!.text);
    const match = answers
      .filter((text) => text.includes('"matches"'))
      .map((text) => (JSON.parse(text) as { matches: object[] }).matches[0]!);
    expect(match.map((whole) => differencesOf(first, shortened(first, whole), ''))).toEqual([[]]);
  });

  it('lists settings that exist, with the defaults and words of the schema', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+) \|$/gm)].map((row) => row.slice(1, 4));
    expect(rows.length).toBeGreaterThanOrEqual(18);
    for (const [name, shown, description] of rows as [string, string, string][]) {
      const schema = settings.find(([known]) => known === name)?.[1];
      expect(schema, name).toBeDefined();
      const text = defaultText(schema!);
      expect(shown, name).toBe(text === '' ? 'none' : `\`${text}\``);
      expect(description, name).toBe(schema!.description);
    }
  });

  it('tells the limits as they are', () => {
    const { config } = readConfig({ API_KEYS: 'me:read:0123456789abcdef' });
    const mib = (bytes: number) => `${bytes / 2 ** 20} MiB`;
    const count = (value: number) => value.toLocaleString('en');
    const rows = [
      ['one document', mib(Math.min(config.BODY_BYTES_MAX, config.EXTRACT_DOCUMENT_BYTES_MAX))],
      ['one bulk request', `${mib(config.BULK_BYTES_MAX)}, ${count(config.BULK_LINES_MAX)} lines`],
      ['a fetched page', `${mib(config.FETCH_BYTES_MAX)}, ${config.FETCH_TIMEOUT_MS / 1000} s`],
      [
        'requests at a time',
        `${config.REQUESTS_IN_FLIGHT_MAX}, and ${config.REQUESTS_WAITING_MAX} waiting of each caller`,
      ],
      ['documents read for one query', count(config.CANDIDATES_MAX)],
      ['requests a minute and key', count(config.RATE_LIMIT_PER_MINUTE)],
    ];
    for (const [what, limit] of rows) expect(readme).toContain(`| ${what} | ${limit} |`);
  });

  it('names only settings and npm scripts that exist', () => {
    const known = new Set(settings.map(([name]) => name));
    const words = new Set([...readme.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map((match) => match[1]!));
    expect([...words].filter((name) => !known.has(name))).toEqual([]);
    const called = [...readme.matchAll(/npm (?:run )?(start|test|[a-z:]+(?= shows| &&))/g)].map((match) => match[1]!);
    expect(called.filter((name) => name !== 'ci' && !(name in scripts))).toEqual([]);
    expect(called).toContain('start');
  });
});
