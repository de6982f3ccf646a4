import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { LimitReached } from 'shingled/types';
import type { Asked } from '../asking/use-question.ts';
import { faultWords, limitSentence } from '../words/sentences.ts';
import { KeyForm } from './key-form.tsx';
import { itsSection, useHeir } from './use-heir.ts';

interface Props<T> {
  readonly asked: Asked<T>;
  /** What it is an answer to, where there are several on a page. */
  readonly name?: string;
  /** What stands there before anything was asked. */
  readonly before?: ComponentChildren;
  /** How much has come of an answer that comes in parts. */
  readonly soFar?: (answer: T) => string;
  readonly children: (answer: T) => ComponentChildren;
}

/** What became of a question: under way, failed, or answered. The last answer stays while the next is asked. */
export function Outcome<T>({ asked, name = 'Answer', before, soFar, children }: Props<T>) {
  const { isAsking, isPart, isOld, answer, fault } = asked;
  return (
    <section class="outcome" aria-busy={isAsking} aria-label={name} tabIndex={-1}>
      <div class="state" role="status">
        {isAsking && (
          <Asking
            cancel={asked.cancel}
            soFar={isPart && answer !== null && soFar !== undefined ? soFar(answer) : null}
          />
        )}
        {isOld && 'Given up. Below is the answer to the question before.'}
      </div>
      {fault !== null && <Fault asked={asked} />}
      {answer === null ? (
        !isAsking && fault === null && before
      ) : (
        <div class={fault === null && !isOld ? '' : 'old'}>{children(answer)}</div>
      )}
    </section>
  );
}

function Asking({ cancel, soFar }: { readonly cancel: () => void; readonly soFar: string | null }) {
  return (
    <span class="asking" ref={useHeir(itsSection)}>
      Asking … {soFar}
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </span>
  );
}

function Fault<T>({ asked: { fault, again } }: { readonly asked: Asked<T> }) {
  const own = useHeir<HTMLDivElement>(itsSection);
  if (fault === null) return null;
  return (
    <div class="fault" role="alert" ref={own}>
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
        <MoreButton onMore={() => setShown(shown + STEP)}>
          {left > STEP
            ? `Show ${STEP} more of ${left} ${name}`
            : left === 1
              ? 'Show the last one'
              : `Show the other ${left} ${name}`}
        </MoreButton>
      )}
    </>
  );
}

interface MoreProps {
  readonly onMore: () => void;
  /** While more are under way. */
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

/** A button below a list, for more of it: the list has the focus where it was the last time. */
export function MoreButton({ onMore, isBusy = false, children }: MoreProps) {
  const own = useHeir<HTMLButtonElement>((going) => going.previousElementSibling);
  return (
    // not `disabled`: that would take the focus from it
    <button type="button" class="more" aria-disabled={isBusy} onClick={() => !isBusy && onMore()} ref={own}>
      {children}
    </button>
  );
}
