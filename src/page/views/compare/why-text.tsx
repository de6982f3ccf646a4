import type { CompareAnswer, Explanation, QueryOutcome } from 'shingled/types';
import { type Column, WideTable } from '../../parts/table.tsx';
import { count, counted } from '../../words/figures.ts';
import { stepWords, whyWords } from '../../words/why-words.ts';

/** Why two documents are not the same, in words. */
export function WhyText({ whyNot, explanation }: Pick<CompareAnswer, 'whyNot' | 'explanation'>) {
  return (
    <>
      {whyNot !== null && (
        <>
          <h2>Why they are not the same</h2>
          <p>{whyWords(whyNot.detail)}</p>
          {/* of the other steps the sentence counts them */}
          {['bytes', 'text', 'tokens'].includes(whyNot.step) && (
            <p class="quiet">All {count(whyNot.shingles.inBoth)} runs of words are in both.</p>
          )}
          {whyNot.examples.length > 0 && (
            <dl class="parts">
              {whyNot.examples.map(({ a, b }) => (
                <div key={`${a} ${b}`}>
                  <dt>a</dt>
                  <dd class="prose">{a === '' ? '(nothing)' : a}</dd>
                  <dt>b</dt>
                  <dd class="prose">{b === '' ? '(nothing)' : b}</dd>
                </div>
              ))}
            </dl>
          )}
        </>
      )}
      {explanation !== undefined && <Steps {...explanation} />}
    </>
  );
}

const SAME = new Map<boolean | null, string>([
  [true, '= same'],
  [false, '≠ other'],
  [null, '? unknown'],
]);

const COLUMNS: readonly Column[] = ['step', 'is it the same', 'what happens'];

function Steps({ steps, partAt, lostAt, asked, byDefault }: Explanation) {
  return (
    <details>
      <summary>Step by step: would a question with a find b?</summary>
      <p>
        {partAt === null ? 'They part at no step.' : `They part at the step “${stepWords(partAt)}”.`}{' '}
        {lostAt === null ? '' : `A question with a loses b at “${stepWords(lostAt)}”.`}{' '}
        {outcomeWords('By default', byDefault)} {asked !== null && outcomeWords('At these thresholds', asked)}
      </p>
      <WideTable label="Steps" columns={COLUMNS} caption="From the bytes of both to the answer of a question">
        {steps.map(({ step, same, detail }) => (
          <tr key={step}>
            <th scope="row">{stepWords(step)}</th>
            <td class="steady">{SAME.get(same)}</td>
            <td>{whyWords(detail)}</td>
          </tr>
        ))}
      </WideTable>
    </details>
  );
}

function outcomeWords(when: string, { found, rank, matches }: QueryOutcome): string {
  if (!found) return `${when} it does not find b among ${counted(matches, 'match', 'matches')}.`;
  return `${when} it finds b${rank === null ? '' : ` as number ${rank}`} of ${counted(matches, 'match', 'matches')}.`;
}
