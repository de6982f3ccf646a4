import type { DamageAnswer, IndexAnswer, StatsAnswer } from '../service/api.ts';
import { bytes, count } from './figures.ts';

/** What an index holds, as a person reads it: one row a figure. */
export function statsTable(stats: StatsAnswer): string {
  const rows: [string, string][] = [
    ['sources', count(stats.sources)],
    ['contents', count(stats.contents)],
    ['postings', count(stats.postings)],
    ['on disk', bytes(stats.diskBytes)],
    ['free', bytes(stats.freeBytes)],
    ...(stats.index === null ? [] : indexRows(stats.index)),
    ...(stats.damage === null ? [] : [['damaged', stats.damage.parts.map(partText).join('; ')] as [string, string]]),
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

function indexRows(index: IndexAnswer): [string, string][] {
  const { bytesByKind, memoryBytes, longestLists } = index;
  const longest = longestLists[0];
  return [
    ['bytes of sources', bytes(bytesByKind.sources)],
    ['bytes of records', bytes(bytesByKind.records)],
    ['bytes of digests', bytes(bytesByKind.digests)],
    ['bytes of postings', bytes(bytesByKind.postings)],
    ['bytes of counts', bytes(bytesByKind.shingleCounts)],
    ['segments', count(index.segments)],
    ['contents in memory', count(index.tailContents)],
    [
      'longest list',
      longest === undefined ? 'none' : `${count(longest.contents)} (${(100 * longest.share).toFixed(2)} %)`,
    ],
    ['memory', bytes(Object.values(memoryBytes).reduce((sum, part) => sum + part, 0))],
  ];
}

const partText = ({ file, problem }: DamageAnswer['parts'][number]) =>
  file === null ? problem : `${file}: ${problem}`;
