import type { DedupeProgress, DedupeReport } from '../../commands/dedupe/port.ts';
import { bytes, count, table } from '../texts.ts';
import type { ClusterProgressText } from './cluster-progress.ts';
import { contentsRows } from './cluster-texts.ts';

/** @param text of what comes before */
export function dedupeProgressText(told: DedupeProgress, text: ClusterProgressText): string {
  if (told.phase === 'removals') return told.done === 0 ? 'what goes' : `what goes: ${count(told.done)}`;
  if (told.phase !== 'copying') return text.of(told);
  if (told.of === 0) return 'copying';
  return `copying: ${Math.min(100, Math.floor((100 * told.done) / told.of))} % of ${bytes(told.of)}`;
}

/** Rounded down: 100 % would promise too much. */
function foundRow({ by, threshold, recallAtLeast, leftOut }: DedupeReport): [string, string] {
  const share = `${(Math.floor(1e4 * recallAtLeast) / 100).toFixed(2)} %`;
  return leftOut === null
    ? [`pairs of ${by} ${threshold} found`, `${share} or more`]
    : [`pairs of ${by} ${threshold} or more found`, `about ${share}`];
}

/** What removing copies came to, a row a figure. */
export function reportText(report: DedupeReport): string {
  const { records, documents, against, kept, removed, notJudged, lost, companions } = report;
  const gone = Object.values(removed).reduce((sum, number) => sum + number, 0);
  const some = (what: string, number: number): [string, string][] => (number === 0 ? [] : [[what, count(number)]]);
  const rows: [string, string][] = [
    ['records', count(records)],
    ['documents', count(documents)],
    ...(against === null ? [] : [['documents held against', count(against)] as [string, string]]),
    ...contentsRows(report.contents),
    ['kept', count(kept)],
    ['removed', count(gone)],
    ...Object.entries(removed).flatMap(([reason, number]) => some(`… ${reason}`, number)),
    ...some('removed with their documents', companions),
    ...Object.entries(notJudged).flatMap(([why, number]) => some(`without a document: ${why}`, number)),
    ...some('lost: damaged', lost),
    ['written', bytes(report.bytes)],
    ...some('sets of shingles of which not all pairs were compared', report.leftOut ?? 0),
    foundRow(report),
  ];
  return table(rows)
    .map((line) => `${line}\n`)
    .join('');
}
