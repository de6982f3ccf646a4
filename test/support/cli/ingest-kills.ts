import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkIndex } from '../../../src/commands/index-commands.ts';
import { readConfig } from '../../../src/config.ts';
import { createPrng } from '../prng.ts';
import { FEW_THREADS } from '../process/spawn-service.ts';
import { root } from '../tree/tree.ts';

/*
 * A load that is killed again and again, and goes on each time:
 *
 *   lines ── ingest ── kill ── ingest ── kill ── … ── ingest to its end
 *
 * What the state names as done is acknowledged: it must not be read again, and all of it must be in the index at the end.
 * Lines that cannot be used must stand in the file of errors once each, and the summary must count all of it once.
 */

export interface KillLimits {
  readonly lines: number;
  /** The next kill comes before so many records were read, however slow the machine is. */
  readonly readsMax: number;
}

export interface KilledLoad {
  readonly kills: number;
  /** How often a kill found the load further than the one before. */
  readonly advanced: number;
  readonly problems: readonly string[];
}

interface Files {
  readonly input: string;
  readonly state: string;
  readonly errors: string;
  readonly reads: string;
  readonly dataDir: string;
}

/** @param killsMax after so many the load runs to its end */
export async function killedLoad(
  folder: string,
  seed: number,
  killsMax: number,
  limits: KillLimits,
): Promise<KilledLoad> {
  const prng = createPrng(seed);
  const random = () => prng.next();
  const at = (name: string) => join(folder, `${name}-${seed}`);
  const files = {
    // by its name: its first line may be nonsense
    input: `${at('lines')}.ndjson`,
    state: at('state'),
    errors: at('errors'),
    reads: at('reads'),
    dataDir: at('index'),
  };
  const { bad } = writeLines(files.input, limits.lines, random);
  const problems: string[] = [];
  await fillFirst(files);
  let [kills, advanced, before] = [0, 0, 0];
  for (;;) {
    rmSync(files.reads, { force: true });
    const run = start(files);
    const isKilled = kills < killsMax && (await killedAfter(run.child, files.reads, random() * limits.readsMax));
    const code = await run.ended;
    const firstRead = firstOf(files.reads);
    if (firstRead !== null && firstRead !== before + 1) problems.push(`after ${before} came ${firstRead}`);
    if (!isKilled || code !== null) {
      problems.push(...(await problemsOfEnd(files, code, run.printed(), limits.lines, bad)));
      break;
    }
    kills++;
    const sure = recordsOf(files.state);
    if (sure > before) advanced++;
    before = sure;
  }
  return { kills, advanced, problems: problems.map((problem) => `seed ${seed}: ${problem}`) };
}

/** An index that holds something: else the load would be a first load, which keeps nothing before its end. */
async function fillFirst(files: Files): Promise<void> {
  const input = `${files.input}-first.ndjson`;
  writeFileSync(input, `${JSON.stringify({ op: 'put', url: 'https://first.example/', text: 'the first of all' })}\n`);
  const { ended, printed } = start({ ...files, input, state: `${files.state}-first` });
  if ((await ended) !== 0) throw new Error(printed().err);
}

function writeLines(path: string, count: number, random: () => number): { bad: number } {
  let bad = 0;
  const lines = Array.from({ length: count }, (_, n) => {
    if (random() < 0.01) {
      bad++;
      return `nonsense ${n}`;
    }
    const words = Array.from({ length: 30 }, () => Math.floor(random() * 1e6).toString(36));
    return JSON.stringify({ op: 'put', url: `https://a.example/${n}`, text: words.join(' ') });
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
  return { bad };
}

function start({ input, state, errors, reads, dataDir }: Files) {
  return startIngest([input, '--data-dir', dataDir, '--state', state, '--errors', errors], { READS: reads });
}

/** Starts `shingled ingest` in a process of its own. */
export function startIngest(given: readonly string[], environment: Readonly<Record<string, string>>) {
  const main = join(root, 'test', 'support', 'cli', 'shingled.process.ts');
  const args = ['ingest', ...given, '--json'];
  const env = { PATH: process.env['PATH'] ?? '', STORE_MEMORY_MB: '48', ...FEW_THREADS, ...environment };
  const child = spawn(process.execPath, [...process.execArgv, main, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => {
    out += String(text);
  });
  child.stderr.on('data', (text) => {
    err += String(text);
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, printed: () => ({ out, err }) };
}

/** Bytes of a line of the file of records read, about. */
const READ_BYTES = 6;

/** @returns whether it was killed before it ended by itself */
async function killedAfter(child: ChildProcess, reads: string, records: number): Promise<boolean> {
  const isOver = () => child.exitCode !== null;
  const sizeOf = () => statSync(reads, { throwIfNoEntry: false })?.size ?? 0;
  while (sizeOf() < records * READ_BYTES && !isOver()) await pause(5);
  return !isOver() && child.kill('SIGKILL');
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const firstOf = (path: string) =>
  existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n', 1)[0]) : null;

function recordsOf(state: string): number {
  if (!existsSync(state)) return 0;
  return (JSON.parse(readFileSync(state, 'utf8')) as { position: { record: number } }).position.record;
}

async function problemsOfEnd(
  { errors, state, dataDir }: Files,
  code: number | null,
  { out, err }: { out: string; err: string },
  lines: number,
  bad: number,
): Promise<string[]> {
  if (code !== (bad > 0 ? 6 : 0)) return [`it ended with ${code}: ${err}`];
  const summary = JSON.parse(out) as { read: number; results: Record<string, number>; refused: { malformed?: number } };
  const problems: string[] = [];
  const put = Object.values(summary.results).reduce((sum, each) => sum + each, 0);
  if (summary.read !== lines || put !== lines - bad) problems.push(`it counts ${summary.read} read, ${put} put`);
  const named = readFileSync(errors, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '');
  if (named.length !== bad || new Set(named).size !== bad)
    problems.push(`${named.length} errors are named, not ${bad}`);
  if (existsSync(state)) problems.push('its state is still there');
  const { config } = readConfig({ DATA_DIR: dataDir, STORE_MEMORY_MB: '48' });
  const { problems: found, counts } = await checkIndex(config, process.pid, () => undefined);
  problems.push(...found);
  const documents = 1 + lines - bad;
  if (counts?.sources !== documents) problems.push(`the index has ${counts?.sources} documents, not ${documents}`);
  return problems;
}
