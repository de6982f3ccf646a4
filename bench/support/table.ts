import { cpus, totalmem } from 'node:os';

/** One measured row: what `--json` prints, and a line of the table. */
export interface Row extends Partial<Spread> {
  readonly row: string;
  readonly value: number;
  readonly unit: string;
  /** The same by the clock on the wall, where the value is by CPU time. */
  readonly wall?: Spread & { readonly value: number };
  /** What the row has to reach, such as `<= 4`, `>= 0.997` or `0.95 to 1.04`. */
  readonly target?: string;
  readonly note?: string;
}

export interface Spread {
  readonly minimum: number;
  readonly maximum: number;
}

/** The median of values, and between what they lie. */
export function spreadOf(values: readonly number[]): Spread & { readonly value: number } {
  return { value: quantile(values, 0.5), minimum: Math.min(...values), maximum: Math.max(...values) };
}

/** Whether a value reaches a target of the form `>= x`, `<= x` or `x to y`. */
export function reaches(value: number, target: string): boolean {
  const [first, second, third] = target.split(' ');
  if (second === 'to') return value >= Number(first) && value <= Number(third);
  return first === '>=' ? value >= Number(second) : value <= Number(second);
}

/** Prints rows as a table, or as JSON where the command line has `--json`. */
export function printRows(title: string, rows: readonly Row[]): void {
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ title, machine: machine(), rows }, null, 2));
    return;
  }
  const lines = rows.map((row) => [
    row.row,
    `${show(row.value)} ${row.unit}`,
    spread(row),
    row.wall === undefined ? '' : `${show(row.wall.value)} (${spread(row.wall)})`,
    row.target ?? '',
    row.target === undefined ? '' : reaches(row.value, row.target) ? 'met' : 'MISSED',
    row.note ?? '',
  ]);
  const header = ['', 'value', 'spread', 'wall time', 'target', '', 'note'];
  const columns = header.flatMap((name, column) => {
    const widest = Math.max(...lines.map((line) => line[column]!.length));
    return widest === 0 ? [] : [{ column, width: Math.max(name.length, widest) }];
  });
  console.log(`${title}\n${machine()}\n`);
  for (const line of [header, ...lines]) {
    console.log(
      columns
        .map(({ column, width }) => line[column]!.padEnd(width))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** The machine and the versions, in one line. */
function machine(): string {
  const all = cpus();
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  return `${all.length} × ${all[0]?.model ?? 'unknown CPU'}, ${memoryGiB} GiB, Node ${process.version}, ${process.platform}`;
}

function spread({ minimum, maximum }: Partial<Spread>): string {
  return minimum === undefined || maximum === undefined ? '' : `${show(minimum)} – ${show(maximum)}`;
}

function show(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  return Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 1 ? value.toFixed(2) : value.toFixed(4);
}

/** The q-quantile (0..1) of values, by nearest rank. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}
