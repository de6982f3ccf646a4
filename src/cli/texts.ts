import type { AdvisedReport, PruneRequest, PruneResult, RepairResult } from '../commands/index-commands.ts';
import type { BackupsAnswer, DamageAnswer, IndexAnswer, StatsAnswer } from '../service/api.ts';

/* What commands print for a person. */

/** What a terminal obeys, and what turns the direction of a line around: all but line ends and tabs. */
const OBEYED = /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * With such characters by their numbers: names of files and URLs may have them. JSON says the same afterwards, since it can
 * have them in strings only.
 */
export function readable(text: string): string {
  return text.replace(OBEYED, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export const count = (value: number): string => value.toLocaleString('en');

export function bytes(value: number | null): string {
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

/** Counts behind a sentence, by their names. */
export function countsText(counts: AdvisedReport['counts']): string {
  if (counts === null) return '';
  return `: ${Object.entries(counts)
    .map(([what, number]) => `${what} ${count(number)}`)
    .join(', ')}`;
}

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
  return table(rows)
    .map((line) => `${line}\n`)
    .join('');
}

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const padded = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)));
  return padded.map((cells) => cells.join('  ').trimEnd());
}

/** A text in lines that are no longer than columns, unless a word is. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
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
    ...(index.imageBytesLeft > 0 ? [['still to be made', bytes(index.imageBytesLeft)] as [string, string]] : []),
  ];
}

const partText = ({ file, problem }: DamageAnswer['parts'][number]) =>
  file === null ? problem : `${file}: ${problem}`;

type Backup = BackupsAnswer['backups'][number];

/** Backups as a person reads them, one a line, and under the damaged ones what is wrong. */
export function backupsTable({ backups, more }: BackupsAnswer): string {
  if (backups.length === 0) return 'There are no backups.\n';
  const lines = table([['name', 'taken', 'size', 'documents', ''], ...backups.map(rowOf)]);
  const problems = backups.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`]));
  const rest = more === 0 ? [] : [`And ${count(more)} more.`];
  return [...lines, ...problems, ...rest].map((line) => `${line}\n`).join('');
}

function rowOf({ name, createdAt, bytes: size, documents, state, verifiedAt }: Backup): string[] {
  const shown = documents === null ? 'not known' : count(documents);
  return [name, createdAt ?? 'not known', bytes(size), shown, verifiedAt === null ? state : `${state} ${verifiedAt}`];
}

/** What was deleted, or would be, and what stays. */
export function prunedText({ kept, deleted, leftAlone }: PruneResult, { isTrial }: PruneRequest): string {
  const lines = [
    `${isTrial ? 'To be deleted' : 'Deleted'}: ${deleted.length === 0 ? 'none' : deleted.join(', ')}.`,
    `Kept: ${kept.length === 0 ? 'none' : kept.join(', ')}.`,
    ...leftAlone.map(({ name, problem }) => `${name} is damaged, does not count, and is left to you: ${problem}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** What a repair came to, as a person reads it: what was damaged, what is lost, what there is, where the rest is. */
export function repairText(result: RepairResult): string {
  const lines = [...damage(result), ...losses(result)];
  if (lines.length === 0) lines.push('Nothing was damaged, and nothing is lost.');
  const { totals, keptIn, lostUrlCount, lostUrls } = result;
  if (lostUrlCount > 0) {
    lines.push(`Documents that are lost (${count(lostUrlCount)}; all of them in ${keptIn}/lost-urls.txt):`);
    lines.push(...lostUrls.map((url) => `  ${url}`));
  }
  lines.push(`The new index is sound: sources ${count(totals.sources)}, contents ${count(totals.contents)}.`);
  lines.push(`The old files are in ${keptIn}; delete them when you need them no more.`);
  return lines.map((line) => `${line}\n`).join('');
}

function damage({ manifest, highWater, missing, unreadable, blocks, damagedFiles, logPlaces }: RepairResult): string[] {
  const lines: string[] = [];
  if (!manifest) lines.push('CURRENT or its MANIFEST is missing or damaged: all table files were read.');
  if (!highWater) lines.push('The high-water mark is missing or damaged: writes lost at the end would not be seen.');
  if (missing.length > 0) lines.push(`Files that are missing: ${missing.join(', ')}.`);
  if (unreadable.length > 0) lines.push(`Files of which nothing could be read: ${unreadable.join(', ')}.`);
  if (blocks > 0) lines.push(`Blocks that could not be read: ${count(blocks)}, in ${damagedFiles.join(', ')}.`);
  if (logPlaces > 0) lines.push(`Places in the log that could not be read: ${count(logPlaces)}.`);
  if (lines.length > 0) lines.push('What was deleted, or older states of documents, may have come back.');
  return lines;
}

function losses({ rows, totals, before, batchesLost }: RepairResult): string[] {
  const lines: string[] = [];
  if (rows.description) lines.push('What the index was made with was lost; the running settings were believed.');
  if (batchesLost > 0)
    lines.push(`Batches of writes that are missing at the end: ${count(batchesLost)}. Send what came last again.`);
  const named: [number, string][] = [
    [rows.records, 'Records whose checksum does not fit'],
    [rows.sources, 'Documents whose checksum does not fit'],
    [rows.unheld, 'Contents that no document is left for'],
    [rows.pastContents, 'Past contents of documents'],
    [rows.versions, 'Past versions of documents'],
  ];
  for (const [number, what] of named) if (number > 0) lines.push(`${what}: ${count(number)}.`);
  if (before !== null && before.sources > totals.sources) {
    lines.push(`Of ${count(before.sources)} documents ${count(before.sources - totals.sources)} are lost.`);
  }
  return lines;
}
