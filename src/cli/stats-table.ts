import type { StatsAnswer } from '../service/api.ts';

/** What an index holds, as a person reads it: one row a figure. */
export function statsTable(stats: StatsAnswer): string {
  const count = (value: number) => value.toLocaleString('en');
  const rows: [string, string][] = [
    ['sources', count(stats.sources)],
    ['contents', count(stats.contents)],
    ['postings', count(stats.postings)],
    ['on disk', bytes(stats.diskBytes)],
    ['free', bytes(stats.freeBytes)],
    ['created', stats.createdAt],
    ['words in a shingle', String(stats.shingleSize)],
    ['index modulus', String(stats.indexModulusMax)],
    ['record modulus', String(stats.recordModulusMax)],
    ['fingerprint id', stats.fingerprintId],
    ['kernel', stats.kernel],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('');
}

function bytes(value: number | null): string {
  if (value === null) return 'not known';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let shown = value;
  let unit = 0;
  while (shown >= 1024 && unit < units.length - 1) {
    shown /= 1024;
    unit++;
  }
  return `${unit === 0 ? shown : shown.toFixed(1)} ${units[unit]}`;
}
