import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { damagedTrial } from '../../support/ingest/damaged/damaged-archives.ts';
import { DamagedInputs, FORMAT_NAMES } from '../../support/ingest/damaged/damaged-inputs.ts';
import { WORST, worstTrial } from '../../support/ingest/damaged/worst-inputs.ts';
import { root } from '../../support/tree/tree.ts';

/*
 * node test/campaigns/inputs/damaged.ts [--cases 10000] [--seed 1] [--only warc,csv] [--cli 500]
 * node test/campaigns/inputs/damaged.ts --worst [--megabytes 8] [--only ndjson]
 *
 * Inputs of all formats, damaged at random, one format after the other, in this process; of `--cli` cases one also by ingest,
 * cluster and dedupe as processes of their own. Exits with 1 where something is thrown, a sound record is lost, something is
 * refused without saying why, or an input takes longer than its bytes allow.
 *
 * With --worst, inputs that are made to cost each reader what they can: MB/s of each, and records a second. Exits with 1 where one
 * comes to less than 5 MB/s and to fewer than 100,000 records a second, of CPU time: a record of three bytes is a record, too.
 */

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    cli: { type: 'string', default: '500' },
    worst: { type: 'boolean', default: false },
    megabytes: { type: 'string', default: '8' },
  },
});

/** Of the worst inputs, the least of either. */
const [MB_PER_S, ITEMS_PER_S] = [5, 100_000];

/** Those of archives whose digests say what is sound, with a check of their own. */
const ARCHIVES = 'archives';
/** How a process may end: with all done, a command line or input that it names, or something refused. */
const SOUND_ENDS: readonly (number | null)[] = [0, 2, 3, 4, 6];
const wanted = values.only.split(',').filter((name) => name !== '');
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
const folder = mkdtempSync(join(tmpdir(), 'shingled-damaged-'));
/** What every case under way is called. */
let now = '';
let wrong = 0;

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => tell(`${event}: ${error instanceof Error ? error.stack : String(error)}`));
}

function tell(fault: string): void {
  wrong++;
  console.log(`${now}: ${fault}`);
}

try {
  if (values.worst) await worst();
  else await damagedInputs();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;

async function damagedInputs(): Promise<void> {
  const formats = [...FORMAT_NAMES, ARCHIVES].filter(isWanted);
  const [cases, seed, cli] = [Number(values.cases), Number(values.seed), Number(values.cli)];
  const inputs = new DamagedInputs(join(folder, 'input'));
  const rows = new Map(formats.map((format) => [format, { inputs: 0, items: 0, refused: 0, 'slowest, ms': 0 }]));
  let processes = 0;
  for (let i = 0; i < cases; i++) {
    const format = formats[i % formats.length]!;
    const row = rows.get(format)!;
    row.inputs++;
    now = `seed ${seed + i} of ${format}`;
    if (format === ARCHIVES) {
      const { form, damage, records, faults } = await damagedTrial(seed + i);
      row.items += records;
      for (const fault of faults) tell(`${form}, ${damage.kind} at byte ${damage.at}: ${fault}`);
      continue;
    }
    const { how, path, items, refused, cpuMs, faults } = await inputs.trial(format, seed + i);
    row.items += items;
    row.refused += refused;
    row['slowest, ms'] = Math.max(row['slowest, ms'], Math.round(cpuMs));
    for (const fault of faults) tell(`${how}: ${fault}`);
    if (cli > 0 && i % cli === cli - 1) {
      for (const fault of faultsOfProcesses(path)) tell(`${how}: ${fault}`);
      processes += 3;
    }
    if ((i + 1) % 2000 === 0)
      console.log(`${i + 1} inputs, ${processes} processes, ${wrong} faults, ${megabytes()} MB`);
  }
  await inputs.close();
  console.table(Object.fromEntries(rows));
  console.log(`${cases} damaged inputs, ${processes} processes, ${wrong} faults; ${megabytes()} MB at the most`);
}

function megabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

function faultsOfProcesses(path: string): string[] {
  const out = join(folder, 'out');
  const prefix = ['--url-prefix', 'https://b.example/'];
  const commands = [
    ['ingest', path, '--dry-run', '--errors', `${out}.errors`, ...prefix],
    ['cluster', path, '--at', '.5', '--out', `${out}.result`, '--tsv', ...prefix],
    ['dedupe', path, '--kept', `${out}.kept/`, '--removed', `${out}.removed`, ...prefix],
  ];
  return commands.flatMap(([command, ...args]) => {
    for (const name of ['errors', 'result', 'kept', 'removed'])
      rmSync(`${out}.${name}`, { recursive: true, force: true });
    const main = join(root, 'src', 'main.ts');
    const ended = spawnSync(process.execPath, [main, command!, ...args], { encoding: 'utf8', timeout: 120_000 });
    const { status, signal, stderr } = ended;
    const isSound = SOUND_ENDS.includes(status) && !/\n\s+at /.test(stderr) && !stderr.includes('(internal)');
    return isSound ? [] : [`${command} ended with ${status ?? signal}: ${stderr.trim().slice(0, 300)}`];
  });
}

async function worst(): Promise<void> {
  const rows: Record<string, object> = {};
  for (const [name, make] of Object.entries(WORST)) {
    if (!isWanted(name.split(':')[0]!)) continue;
    now = name;
    const { bytes, unpacked, items, seconds } = await worstTrial(join(folder, 'worst'), make, Number(values.megabytes));
    const rate = unpacked / 1e6 / seconds;
    rows[name] = {
      ...{ MB: +(bytes / 1e6).toFixed(2), 'MB unpacked': +(unpacked / 1e6).toFixed(1), items },
      ...{ s: +seconds.toFixed(2), 'MB/s': +rate.toFixed(1), 'records/s': Math.round(items / seconds) },
    };
    if (rate < MB_PER_S && items / seconds < ITEMS_PER_S) tell(`${rate.toFixed(1)} MB/s`);
  }
  console.table(rows);
  console.log(`${wrong} too slow; ${megabytes()} MB at the most`);
}
