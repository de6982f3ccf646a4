import type { CompareAnswer } from '../../service/api.ts';
import type { ExplanationStep, QueryOutcome } from '../../service/comparison-api.ts';
import { table } from '../texts.ts';
import { lineOf } from './share-texts.ts';

/* Where two documents part, step by step, as a person reads it. */

/** Empty where it was not asked for. */
export function explanationText({ explanation }: CompareAnswer): string {
  if (explanation === undefined) return '';
  const { steps, partAt, lostAt, asked, byDefault } = explanation;
  const rows = steps.flatMap(({ step, same, detail, examples = [] }) => [
    [`  ${step}`, wordOf(same, step), detail],
    ...examples.map(({ a, b }) => ['', '', `"${lineOf(a)}" is "${lineOf(b)}"`]),
  ]);
  const outcomes = [
    ['they part at', partAt ?? 'no step'],
    ...(asked === null ? [] : [['a finds b', outcomeOf(asked, lostAt)]]),
    ['by default', outcomeOf(byDefault, null)],
  ];
  return `${['step by step', ...table(rows), ...table(outcomes)].join('\n')}\n`;
}

const QUERY_STEPS: ReadonlySet<string> = new Set(['look-up', 'lists', 'threshold']);

function wordOf(same: boolean | null, step: ExplanationStep['step']): string {
  if (same === null) return 'unknown';
  if (QUERY_STEPS.has(step)) return same ? 'passed' : 'lost';
  return same ? 'same' : 'other';
}

function outcomeOf({ found, complete, detail }: QueryOutcome, lostAt: string | null): string {
  const where = lostAt === null ? '' : ` at the step ${lostAt}`;
  return `${found ? 'yes' : `no, lost${where}`}: ${detail}${complete ? '' : ' A limit may have left out something.'}`;
}
