import { cpus, totalmem } from 'node:os';

/** One measured row: what `--json` prints, and a line of the table. */
export interface Row {
  readonly row: string;
  readonly value: number;
  readonly unit: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** What the row has to reach, such as `<= 4` or `>= 0.997`. */
  readonly target?: string;
  readonly note?: string;
}

/** Whether a value reaches a target of the form `>= x` or `<= x`. */
export function reaches(value: number, target: string): boolean {
  const [operator, bound] = target.split(' ');
  return operator === '>=' ? value >= Number(bound) : value <= Number(bound);
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
    row.minimum === undefined || row.maximum === undefined ? '' : `${show(row.minimum)} – ${show(row.maximum)}`,
    row.target ?? '',
    row.target === undefined ? '' : reaches(row.value, row.target) ? 'met' : 'MISSED',
    row.note ?? '',
  ]);
  const header = ['', 'value', 'spread', 'target', '', 'note'];
  const widths = header.map((name, column) => Math.max(name.length, ...lines.map((line) => line[column]!.length)));
  console.log(`${title}\n${machine()}\n`);
  for (const line of [header, ...lines]) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** The machine and the versions, in one line. */
export function machine(): string {
  const all = cpus();
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  return `${all.length} × ${all[0]?.model ?? 'unknown CPU'}, ${memoryGiB} GiB, Node ${process.version}, ${process.platform}`;
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
