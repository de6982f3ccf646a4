import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { keptCompiled } from '../process/kept-compiled.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { root } from '../tree/tree.ts';
import { takeCommands } from './commands-here.ts';
import { knownKeyFile } from './known-key.ts';

/*
 * Runs the commands that a page of documentation shows, and holds the answers it shows against the real ones.
 *
 *   ```sh       is run, in order, by sh, from the root of the repository, the service's address put for localhost:8080,
 *               and `npx shingled` is run by this process, which needs no build
 *   ```json     after it: the answer, compared value by value
 *   ```ndjson   after it: one answer a line
 *   ```text     after it: what is printed, to the letter
 *
 * Blocks of any other kind (```shell) are only shown.
 */

export interface DocStep {
  readonly line: number;
  readonly command: string;
  readonly expected: { readonly kind: string; readonly text: string } | null;
}

/** Values that differ from run to run: of these only the type is compared. Nothing else is let off. */
const VOLATILE = new Set([
  ...['elapsedMs', 'uptimeS', 'diskBytes', 'freeBytes', 'diskBytesBefore', 'diskBytesAfter', 'bytes', 'writesWaitedMs'],
  // LevelDB brings its log into a table when it likes
  ...['files', 'linkedFiles'],
  ...['level', 'startedAt'],
  // versions of a URL that come in one batch leave less behind than those that come in two
  ...['tailContents', 'tailPostings', 'forgotten'],
  ...['asOf', 'createdAt', 'firstSeen', 'lastSeen', 'observedAt'],
  ...['id', 'indexId', 'contentId', 'requestId', 'fingerprintId', 'cursor', 'version'],
  ...['recordsPerS', 'megabytesPerS', 'reading', 'sorting', 'writing', 'fetching', 'syncing', 'slowestPhase'],
]);

/** What lies in these is so too. */
const VOLATILE_GROUPS = ['/bytesByKind'];

/** The commands of a page in order, each with the answer shown after it. */
export function docSteps(markdown: string): DocStep[] {
  const steps: DocStep[] = [];
  for (const match of markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const [kind, text] = [match[1]!, match[2]!];
    const line = markdown.slice(0, match.index).split('\n').length;
    const last = steps.at(-1);
    if (kind === 'sh') steps.push({ line, command: text, expected: null });
    else if (['json', 'ndjson', 'text'].includes(kind) && last !== undefined && last.expected === null) {
      steps[steps.length - 1] = { ...last, expected: { kind, text } };
    }
  }
  return steps;
}

/**
 * Runs a page against a service.
 *
 * @param baseUrl such as `http://127.0.0.1:49152`
 * @param where to run it
 * @returns what is not as shown, one sentence each
 */
export async function runDoc(markdown: string, baseUrl: string, { cwd = root } = {}): Promise<string[]> {
  const { host } = new URL(baseUrl);
  const problems: string[] = [];
  const shingled = await takeCommands(temporaryFolder());
  for (const { line, command, expected } of docSteps(markdown)) {
    const script = command
      .replaceAll(/(localhost|127\.0\.0\.1):8080/g, host)
      .replaceAll('npx shingled', `'${shingled.path}'`);
    const { stdout, failure } = await runShell(script, cwd);
    if (failure !== null) problems.push(`line ${line}: the command failed: ${failure}`);
    else if (expected !== null) problems.push(...differences(expected, stdout).map((text) => `line ${line}: ${text}`));
  }
  shingled.close();
  return problems;
}

async function runShell(script: string, cwd: string): Promise<{ stdout: string; failure: string | null }> {
  try {
    const env = { ...process.env, ...keptCompiled(), INDEX_KEY_FILE: knownKeyFile() };
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], { cwd, env, timeout: 60_000 });
    return { stdout, failure: null };
  } catch (error) {
    return { stdout: '', failure: String(error) };
  }
}

function differences({ kind, text }: { kind: string; text: string }, printed: string): string[] {
  if (kind === 'text') return text.trim() === printed.trim() ? [] : [`it printed ${JSON.stringify(printed)}`];
  const [shown, got] = kind === 'json' ? [[text], [printed]] : [linesOf(text), linesOf(printed)];
  if (shown.length !== got.length) return [`${got.length} lines came, ${shown.length} are shown`];
  return shown.flatMap((json, at) => {
    try {
      return differencesOf(JSON.parse(json), JSON.parse(got[at]!), '');
    } catch {
      return [`the answer or what is shown is not JSON: ${got[at]!.slice(0, 200)}`];
    }
  });
}

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

/** Where two JSON values differ, but for the values that differ from run to run. */
export function differencesOf(shown: unknown, got: unknown, path: string): string[] {
  if (isTree(shown) && isTree(got) && Array.isArray(shown) === Array.isArray(got)) {
    const keys = new Set([...Object.keys(shown), ...Object.keys(got)]);
    return [...keys].flatMap((key) => {
      const at = `${path}/${key}`;
      if (!(key in got)) return [`${at} is shown but not there`];
      if (!(key in shown)) return [`${at} is there but not shown`];
      const isVolatile = VOLATILE.has(key) || VOLATILE_GROUPS.some((group) => path.endsWith(group));
      if (isVolatile && typeof shown[key] === typeof got[key] && !isTree(got[key])) return [];
      return differencesOf(shown[key], got[key], at);
    });
  }
  return Object.is(shown, got) ? [] : [`${path} is ${JSON.stringify(got)}, shown is ${JSON.stringify(shown)}`];
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
