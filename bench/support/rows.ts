import type { Job, Measured } from './measure.ts';
import { quantile, type Row, spreadOf } from './table.ts';

/* From what processes found to rows of the table. */

/** Jobs that are measured in turns, and the rows that come of them. */
export interface Group {
  readonly jobs: readonly Job<unknown>[];
  readonly rows: (found: Found) => readonly Row[];
  /** Where chance has no part, one round is enough. */
  readonly once?: boolean;
}

/** What a job found, round by round. */
export type Found = <T>(job: Job<T>) => readonly T[];

/** What a job does in a second: of CPU time and, beside it, by the clock on the wall. */
export function rate(row: string, of: 'bytes' | 'documents', found: readonly Measured[], more?: Partial<Row>): Row {
  const scale = of === 'bytes' ? 1 : 1e6;
  return {
    row,
    ...spreadOf(found.map((one) => (one[of] / one.cpuUs) * scale)),
    unit: of === 'bytes' ? 'MB/s' : 'documents/s',
    wall: spreadOf(found.map((one) => (one[of] / one.wallMs / 1000) * scale)),
    ...more,
  };
}

/** How many times as much one job does in a second as another one of the same round. */
export function ratio(row: string, found: readonly Measured[], base: readonly Measured[], more?: Partial<Row>): Row {
  const times = (time: 'cpuUs' | 'wallMs') =>
    spreadOf(found.map((one, round) => (one.bytes / one[time]) * (base[round]![time] / base[round]!.bytes)));
  return { row: `  … / ${row}`, ...times('cpuUs'), unit: 'times', wall: times('wallMs'), ...more };
}

/** A time that one document takes. */
export function duration(row: string, found: readonly Measured[], more?: Partial<Row>): Row {
  return {
    row,
    ...spreadOf(found.map((one) => one.cpuUs / one.documents / 1000)),
    unit: 'ms',
    wall: spreadOf(found.map((one) => one.wallMs / one.documents)),
    ...more,
  };
}

export function microseconds(found: readonly Measured[]): string {
  return `${quantile(
    found.map((one) => one.cpuUs / one.documents),
    0.5,
  ).toFixed(1)} µs`;
}
