import { writeFileSync } from 'node:fs';
import type { SweepRow } from '../../core/cluster/threshold-sweep.ts';
import { ShingledError } from '../../errors.ts';
import { unwritableText } from '../../plain-words/system-faults.ts';
import { count } from '../texts.ts';

/*
 * Clusters by threshold as SVG: how many there are, how many documents are in them, and how large the largest is. Each has a
 * scale of its own, since the one is a tenth of the other.
 */

const [WIDTH, HEIGHT] = [720, 180];
const MARGIN = { left: 90, right: 20, top: 34, bottom: 30 };
const PANELS = [
  ['clusters', ({ clusters }: SweepRow) => clusters],
  ['documents in clusters', ({ documents }: SweepRow) => documents],
  ['documents of the largest', ({ largest }: SweepRow) => largest],
] as const;

/** @throws ShingledError `invalid-config` where it cannot be written */
export function writePlot(path: string, rows: readonly SweepRow[]): void {
  try {
    writeFileSync(path, sweepSvg(rows));
  } catch (cause) {
    throw new ShingledError('invalid-config', `--plot: ${unwritableText(path, cause)}`, { cause });
  }
}

function sweepSvg(rows: readonly SweepRow[]): string {
  const height = PANELS.length * HEIGHT;
  const panels = PANELS.map(([name, of], i) => panel(name, rows, of, i * HEIGHT));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" role="img">`,
    '<title>Clusters by threshold</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...panels,
    '</svg>\n',
  ].join('\n');
}

function panel(name: string, rows: readonly SweepRow[], of: (row: SweepRow) => number, top: number): string {
  const most = Math.max(1, ...rows.map(of));
  const [least, greatest] = [rows[0]!.threshold, rows.at(-1)!.threshold];
  const x = (threshold: number) =>
    MARGIN.left + ((threshold - least) / Math.max(1e-9, greatest - least)) * (WIDTH - MARGIN.left - MARGIN.right);
  const [highest, lowest] = [top + MARGIN.top, top + HEIGHT - MARGIN.bottom];
  const y = (value: number) => lowest - (value / most) * (lowest - highest);
  const points = rows.map((row) => `${x(row.threshold).toFixed(1)},${y(of(row)).toFixed(1)}`);
  const text = (at: number, line: number, anchor: string, words: string) =>
    `<text x="${at.toFixed(1)}" y="${line.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
  return [
    `<text x="${MARGIN.left}" y="${top + 20}" font-weight="bold">${name}</text>`,
    `<path d="M${MARGIN.left} ${highest}V${lowest}H${WIDTH - MARGIN.right}" fill="none" stroke="#888"/>`,
    text(MARGIN.left - 8, highest + 4, 'end', count(most)),
    text(MARGIN.left - 8, lowest + 4, 'end', '0'),
    ...rows.map(({ threshold }) => text(x(threshold), lowest + 18, 'middle', String(threshold))),
    `<polyline points="${points.join(' ')}" fill="none" stroke="#1d5fa8" stroke-width="2"/>`,
    ...points.map((point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3" fill="#1d5fa8"/>`),
  ].join('\n');
}
