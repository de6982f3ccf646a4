import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { LimitReached } from 'shingled/types';
import type { Asked } from '../asking/use-question.ts';
import { faultWords, limitSentence } from '../words/sentences.ts';
import { KeyForm } from './key-form.tsx';

interface Props<T> {
  readonly asked: Asked<T>;
  /** What it is an answer to, where there are several on a page. */
  readonly name?: string;
  /** What stands there before anything was asked. */
  readonly before?: ComponentChildren;
  readonly children: (answer: T) => ComponentChildren;
}

/** What became of a question: under way, failed, or answered. The last answer stays while the next is asked. */
export function Outcome<T>({ asked, name = 'Answer', before, children }: Props<T>) {
  const { isAsking, answer, fault } = asked;
  return (
    <section class="outcome" aria-busy={isAsking} aria-label={name}>
      <div class="state" role="status">
        {isAsking && (
          <>
            <span class="asking">Asking …</span>
            <button type="button" onClick={asked.cancel}>
              Cancel
            </button>
          </>
        )}
      </div>
      {fault !== null && <Fault asked={asked} />}
      {answer === null ? (
        !isAsking && fault === null && before
      ) : (
        <div class={fault === null ? '' : 'old'}>{children(answer)}</div>
      )}
    </section>
  );
}

function Fault<T>({ asked: { fault, again } }: { readonly asked: Asked<T> }) {
  if (fault === null) return null;
  return (
    <div class="fault" role="alert">
      <p>
        <strong>{faultWords(fault.code, fault.title)}</strong>
      </p>
      <p>{fault.message}</p>
      {fault.retryAfterS !== null && <p>Try again in {fault.retryAfterS} s.</p>}
      {fault.code === 'unauthorized' ? (
        <KeyForm onKey={again} />
      ) : (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
      <p class="quiet">
        <code>{fault.code}</code>
        {fault.field !== null && (
          <>
            {' '}
            at <code>{fault.field}</code>
          </>
        )}
      </p>
    </div>
  );
}

/** What limits left out, a sentence each; and nothing where nothing was. */
export function Limits({ limits }: { readonly limits: readonly LimitReached[] }) {
  if (limits.length === 0) return null;
  return (
    <ul class="limits">
      {limits.map((limit) => (
        <li key={limit.code}>{limitSentence(limit)}</li>
      ))}
    </ul>
  );
}

const STEP = 50;

interface RowsProps<T> {
  readonly rows: readonly T[];
  readonly name: string;
  readonly children: (shown: readonly T[]) => ComponentChildren;
}

/** The first rows of many, and more on demand: ten thousand at once would hold up the page. */
export function FirstRows<T>({ rows, name, children }: RowsProps<T>) {
  const [shown, setShown] = useState(STEP);
  const left = rows.length - shown;
  return (
    <>
      {children(rows.length <= shown ? rows : rows.slice(0, shown))}
      {left > 0 && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          Show {Math.min(STEP, left)} more of {left} {name}
        </button>
      )}
    </>
  );
}
