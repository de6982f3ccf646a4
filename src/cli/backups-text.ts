import type { BackupsAnswer } from '../service/api.ts';
import type { PruneRequest, PruneResult } from './commands.ts';
import { bytes, count } from './figures.ts';

type Backup = BackupsAnswer['backups'][number];

/** Backups as a person reads them, one a line, and under the damaged ones what is wrong. */
export function backupsTable({ backups, more }: BackupsAnswer): string {
  if (backups.length === 0) return 'There are no backups.\n';
  const rows = [['name', 'taken', 'size', 'documents', ''], ...backups.map(rowOf)];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
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
