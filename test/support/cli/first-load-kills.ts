import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkIndex } from '../../../src/commands/index-commands.ts';
import { readConfig } from '../../../src/config.ts';
import { createIndexKeyFile } from '../../../src/identity/index-key.ts';
import type { PowerCuts } from '../crash/power-cuts.ts';
import { statementsOf } from '../load/loaded-index.ts';
import { createPrng } from '../prng.ts';
import { firstOf, type KilledLoad, pause, startIngest } from './ingest-kills.ts';

/*
 * A first load that is ended again and again, and goes on each time, against one that nothing has ended:
 *
 *   lines ── ingest ── SIGKILL or SIGINT ── ingest ── … ── ingest to its end ─┐
 *         └─ ingest ──────────────────────────────────────────────────────────┴─ the same rows, counts and refusals
 *
 * It ends while records are read, or while they are sorted and written. What a checkpoint names must not be read again.
 */

export interface FirstLoadKills {
  readonly lines: number;
  /** Loads end so many times, and then come to their end. */
  readonly killsMax: number;
  /** The power is cut with a kill; null: only the process ends. */
  readonly power: PowerCuts | null;
}

/** Of the ends, those by a signal that lets it set a checkpoint. */
const SIGNALS = 0.2;
const CHECKPOINT_MS = '40';
const SETTINGS = { STORE_MEMORY_MB: '48' };
/** Behind all that the lines say: rows have it. */
const NOW = '1800000000000';

export async function killedFirstLoad(folder: string, seed: number, how: FirstLoadKills): Promise<KilledLoad> {
  const prng = createPrng(seed);
  const random = () => prng.next();
  const at = (name: string) => join(folder, `${name}-${seed}`);
  // by its name: its first line may be nonsense
  const input = `${at('first')}.ndjson`;
  const keyFile = at('key');
  createIndexKeyFile(keyFile);
  const { bad } = writeMixedLines(input, how.lines, random);
  const begin = (name: string, environment: Record<string, string> = {}) => {
    const args = [input, '--data-dir', at(`data-${name}`), '--errors', at(`errors-${name}`)];
    return startIngest(args, { ...SETTINGS, INDEX_KEY_FILE: keyFile, CHECKPOINT_MS, NOW, ...environment });
  };
  const reads = at('reads');
  const whole = begin('whole', { READS: reads });
  const { firstMs, endMs } = await timesOf(whole, reads);
  if ((await whole.ended) !== 6) throw new Error(whole.printed().err);
  const dataDir = at('data-killed');
  const problems: string[] = [];
  let [kills, advanced, before] = [0, 0, 0];
  // a process that starts faster than the first one ends before its kill: then it is begun again, and killed sooner
  let reach = 1;
  for (;;) {
    rmSync(reads, { force: true });
    const { power } = how;
    if (power !== null && existsSync(dataDir)) power.begin(dataDir);
    else if (power !== null) rmSync(power.ledger, { force: true });
    const preloaded = power === null ? {} : { LD_PRELOAD: power.library, SYNC_LEDGER: power.ledger };
    const isThere = existsSync(join(dataDir, 'db'));
    const run = begin('killed', { READS: reads, ...preloaded });
    // a process that has an index runs no first load
    const isToBeKilled = kills < how.killsMax && !isThere;
    // from the first record on to the very end, had nothing been kept
    if (isToBeKilled) await Promise.race([run.ended, pause(reach * (firstMs + random() * (endMs - firstMs)))]);
    const signal = random() < SIGNALS && reach === 1 ? 'SIGINT' : 'SIGKILL';
    const isKilled = isToBeKilled && run.child.exitCode === null && run.child.kill(signal);
    const code = await run.ended;
    if (code === 6 && isToBeKilled && kills === 0) {
      rmSync(dataDir, { recursive: true });
      reach /= 2;
      continue;
    }
    const firstRead = firstOf(reads);
    if (!isThere && firstRead !== null && firstRead !== before + 1) problems.push(`after ${before} came ${firstRead}`);
    if (!isKilled || (code !== null && code !== 7)) {
      const { out, err } = run.printed();
      if (code !== 6) problems.push(`it ended with ${code}: ${err}`);
      else problems.push(...differences(JSON.parse(out), JSON.parse(whole.printed().out), isThere));
      break;
    }
    kills++;
    if (power !== null && code === null && existsSync(dataDir)) power.cutPower(dataDir, random);
    const sure = recordsKept(dataDir);
    // once there is an index, checkpoints are gone
    const isLoaded = existsSync(join(dataDir, 'db'));
    if (sure < before && !isLoaded) problems.push(`${before} records were kept, then ${sure}`);
    // a signal that comes before anything was taken in has nothing to keep
    const isLost = code === 7 && sure === 0 && !isLoaded && !run.printed().err.includes('after 0 records');
    if (isLost) problems.push(`a signal kept nothing: ${run.printed().err}`);
    if (sure > before) advanced++;
    before = sure;
  }
  if (problems.length === 0) problems.push(...(await problemsOfRows(at, bad)));
  for (const name of ['data-killed', 'data-whole']) rmSync(at(name), { recursive: true, force: true });
  return { kills, advanced, problems: problems.map((problem) => `seed ${seed}: ${problem}`) };
}

/** Pages that say the same, are seen again, and change; and what is no record. */
function writeMixedLines(path: string, count: number, random: () => number): { bad: number } {
  let bad = 0;
  const lines = Array.from({ length: count }, (_, n) => {
    if (random() < 0.02) {
      bad++;
      return `nonsense ${n}`;
    }
    const page = random() < 0.1 ? Math.floor(random() * n) : n;
    const said = random() < 0.1 ? Math.floor(random() * 50) : n;
    const words = createPrng(said + 1);
    const text = Array.from({ length: 40 }, () => Math.floor(words.next() * 1e6).toString(36)).join(' ');
    const observedAt = new Date(1_700_000_000_000 + n * 1000).toISOString();
    // of this, sources do not fit into memory
    const meta = { filler: text.repeat(6) };
    return JSON.stringify({ op: 'put', url: `https://h${page % 97}.example/${page}`, text, observedAt, meta });
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
  return { bad };
}

/** When it reads the first record, and when it ends, ms from its start. */
async function timesOf(
  run: ReturnType<typeof startIngest>,
  reads: string,
): Promise<{ firstMs: number; endMs: number }> {
  const startedAt = performance.now();
  while (!existsSync(reads) && run.child.exitCode === null) await pause(5);
  const firstMs = performance.now() - startedAt;
  await run.ended;
  return { firstMs, endMs: performance.now() - startedAt };
}

function recordsKept(dataDir: string): number {
  const path = join(dataDir, 'loading', 'checkpoint');
  if (!existsSync(path)) return 0;
  const { note } = JSON.parse(readFileSync(path, 'utf8').split('\n')[1]!) as { note: string };
  return (JSON.parse(note) as { position: { record: number } }).position.record;
}

interface Summary {
  readonly read: number;
  readonly bytes: number;
  readonly results: Record<string, number>;
  readonly identical: number;
  readonly refused: Record<string, number>;
}

/** @param isThere it was killed behind its very end: all was there already */
function differences(killed: Summary, whole: Summary, isThere: boolean): string[] {
  const told = ({ read, bytes, results, identical, refused }: Summary) =>
    JSON.stringify(isThere ? { read, bytes, refused } : { read, bytes, results, identical, refused });
  return told(killed) === told(whole) ? [] : [`it counts ${told(killed)}, not ${told(whole)}`];
}

async function problemsOfRows(at: (name: string) => string, bad: number): Promise<string[]> {
  const problems: string[] = [];
  const [errors, wanted] = [readFileSync(at('errors-killed'), 'utf8'), readFileSync(at('errors-whole'), 'utf8')];
  if (errors !== wanted || errors.split('\n').length !== bad + 1) problems.push('the errors that are named differ');
  const dataDir = at('data-killed');
  const { config } = readConfig({ ...SETTINGS, DATA_DIR: dataDir, INDEX_KEY_FILE: at('key') });
  problems.push(...(await checkIndex(config, process.pid, () => undefined)).problems);
  const [rows, wantedRows] = [await statementsOf(dataDir), await statementsOf(at('data-whole'))];
  const keys = new Set([...Object.keys(rows), ...Object.keys(wantedRows)]);
  const different = [...keys].filter((key) => rows[key] !== wantedRows[key]);
  if (different.length > 0)
    problems.push(`${different.length} of ${keys.size} rows differ, ${JSON.stringify(different[0])}`);
  return problems;
}
