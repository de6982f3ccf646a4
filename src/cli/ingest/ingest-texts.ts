import { bytes as bytesText, count, table, wrapped } from '../texts.ts';
import { type Consequence, reasonText, remedyOf } from './consequences.ts';
import { type Example, type IngestSummary, sum } from './tally.ts';

/* What a load came to, as a person reads it. */

/** On a terminal that is narrower still, lines are left to break as they do. */
const COLUMNS_LEAST = 40;

const ALWAYS = ['created', 'updated', 'unchanged'] as const;

/** What the command line asked for, as far as it decides what helps. */
export interface Wishes {
  readonly inputs: readonly string[];
  /** Files without a byte among them. */
  readonly empty: readonly string[];
  /** Whether each record that is refused or passed over is named in a file. */
  readonly areAllNamed: boolean;
  readonly hasUrlPrefix: boolean;
  readonly hasPatterns: boolean;
  /** Width of the terminal; Infinity if the output is no terminal, so that lines are not broken and can be searched. */
  readonly columns: number;
}

/** @param hasFileUrls whether documents are known by the URLs of their files */
export function summaryText(summary: IngestSummary, hasFileUrls: boolean, wishes: Wishes): string {
  const { refused, passedOver, examples } = summary;
  const { columns } = wishes;
  const blocks = [
    [...noteLines(summary, wishes), ...table(summaryRows(summary))],
    reasonLines('refused', refused, examples.refused, { read: summary.read, columns }),
    reasonLines('passed over', passedOver, examples.passedOver, { read: null, columns }),
    wishes.areAllNamed || sum(refused) + sum(passedOver) === 0 ? [] : ['--errors <file> writes down each of them.'],
    hasFileUrls && !wishes.hasUrlPrefix
      ? ['Documents without a URL of their own have the file: URL of their file; --url-prefix gives them others.']
      : [],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');
}

/** What is to be known before any figure. */
function noteLines(summary: IngestSummary, { inputs, empty, hasPatterns }: Wishes): string[] {
  const { read, refused, passedOver, isDryRun, end } = summary;
  const lines = isDryRun ? ['Nothing was written, because of --dry-run.'] : [];
  if (end === 'interrupted') return lines;
  if (read === 0) {
    const only = inputs[0] === '-' ? 'standard input' : inputs[0];
    const what = inputs.length === 1 ? `in ${only}` : `in any of the ${count(inputs.length)} inputs`;
    const which = hasPatterns ? ' that --include, --exclude and --gitignore let through' : '';
    const why = empty.length === inputs.length ? emptyText(empty) : `there is no record or document ${what}${which}`;
    lines.push(`Nothing was read: ${why}.`);
  } else if (sum(passedOver) === read) {
    lines.push('Nothing was taken: all that was read was passed over.');
  } else if (sum(refused) + sum(passedOver) === read) {
    lines.push(`Nothing was taken: all that was read was refused${sum(passedOver) === 0 ? '' : ' or passed over'}.`);
  }
  if (empty.length > 0 && read > 0) lines.push(`${emptyText(empty)}.`);
  return lines;
}

const emptyText = (empty: readonly string[]) =>
  empty.length === 1 ? `${empty[0]} is empty` : `${count(empty.length)} files are empty, the first of them ${empty[0]}`;

function summaryRows(summary: IngestSummary): [string, string][] {
  const { results, refused, passedOver, identical, short, notModified } = summary;
  const others = Object.entries(results).filter(([result]) => !(ALWAYS as readonly string[]).includes(result));
  const nonzero = (name: string, value: number, what = ''): [string, string][] =>
    value === 0 ? [] : [[name, `${count(value)}${what}`]];
  const seconds = (summary.elapsedMs / 1000).toLocaleString('en', { maximumFractionDigits: 1 });
  return [
    ['read', `${count(summary.read)} (${bytesText(summary.bytes)})`],
    ...ALWAYS.map((result): [string, string] => [result, count(results[result] ?? 0)]),
    ...others.map(([result, number]): [string, string] => [result, count(number)]),
    ...nonzero('identical', identical, ' of those written, whose content the index had already'),
    ...nonzero('short', short, ' with fewer than 20 shingles'),
    ...nonzero('not modified', notModified, ' since they were seen, and not read again'),
    ['refused', count(sum(refused))],
    ...nonzero('passed over', sum(passedOver)),
    ['took', `${seconds} s, ${count(summary.recordsPerS)}/s, ${summary.megabytesPerS} MB/s`],
    ['slowest', summary.slowestPhase],
  ];
}

/**
 * A paragraph for each reason: how many records, what it means, the first of them.
 *
 * @param read records, which may all have one reason; null where that says nothing
 */
function reasonLines(
  consequence: Exclude<Consequence, 'end'>,
  counts: Readonly<Record<string, number>>,
  examples: Readonly<Record<string, Example>>,
  { read, columns }: { readonly read: number | null; readonly columns: number },
): string[] {
  const rows = Object.entries(counts).sort(([, one], [, other]) => other - one);
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([, number]) => count(number).length));
  const title =
    consequence === 'refused' ? 'Refused, with the first of each reason' : 'Passed over, which is no failure';
  return [
    title,
    ...rows.flatMap(([reason, number]) => {
      const example = examples[reason];
      const isAll = consequence === 'refused' && number === read;
      const remedy = isAll && !/--[a-z]/.test(example?.detail ?? '') ? remedyOf(reason) : null;
      return [
        `  ${count(number).padStart(width)}  ${reason}: ${reasonText(reason, consequence)}`,
        ...(example === undefined ? [] : indented(exampleText(example), width + 4, columns)),
        ...(remedy === null ? [] : indented(remedy, width + 4, columns)),
      ];
    }),
  ];
}

/** Where it is, which URL it is of, and why. */
function exampleText({ file, at, url, detail }: Example): string {
  const isNews = url !== null && url !== file && !url.startsWith('file:') && !detail.includes(url);
  return `${file}, ${at}${isNews ? ` (${url})` : ''}: ${detail}`;
}

function indented(text: string, by: number, columns: number): string[] {
  return wrapped(text, Math.max(columns - by, COLUMNS_LEAST)).map((line) => ' '.repeat(by) + line);
}
