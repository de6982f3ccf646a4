import type { RepairResult } from './commands.ts';
import { count } from './figures.ts';

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
