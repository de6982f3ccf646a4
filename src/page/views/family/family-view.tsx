import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClusterAnswer } from 'shingled/types';
import { noteAddress } from '../../address/use-address.ts';
import type { ViewProps } from '../../address/view-address.ts';
import { useKept } from '../../asking/use-kept.ts';
import { useQuestion } from '../../asking/use-question.ts';
import { ContentSelect } from '../../parts/content-select.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { ThresholdSlider } from '../../parts/threshold-slider.tsx';
import { UrlInput } from '../../parts/url-input.tsx';
import { percent } from '../../words/figures.ts';
import {
  askFamily,
  type FamilyForm,
  FIRST_FAMILY,
  familyFrom,
  familyParams,
  isFamilyForm,
  THRESHOLD_MIN,
} from './asked-family.ts';
import { FamilyParts } from './family-parts.tsx';

const REST_MS = 300;

const LIKENESSES = [
  ['resemblance', 'how alike two pages are'],
  ['containment', 'how much of the smaller one is in the other'],
] as const;

/** What hangs together with a page, and what it falls into as the threshold rises. */
export function FamilyView({ params }: ViewProps) {
  const [typed, setTyped] = useKept<FamilyForm>('family', FIRST_FAMILY, isFamilyForm);
  const [form, setForm] = useState(() => familyFrom(params, typed));
  const asked = useQuestion<ClusterAnswer>('family');
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What was asked last: what was typed since then is no question yet. */
  const last = useRef(form);
  const now = useRef(asked);
  now.current = asked;
  const change = (next: FamilyForm) => {
    setForm(next);
    setTyped(next);
  };
  const ask = (next: FamilyForm, replace = false) => {
    clearTimeout(resting.current);
    if (next.url.trim() === '') return;
    last.current = next;
    noteAddress('family', familyParams(next), { replace });
    asked.ask((signal) => askFamily(next, signal));
  };
  const settle = (threshold: number) => {
    const { isAsking, answer } = now.current;
    const floor = isAsking ? last.current.threshold : answer?.threshold;
    if (floor === undefined) return;
    const next = { ...last.current, threshold };
    // above what was asked for the family falls apart here; below it grows, and only the service knows by what
    if (threshold < floor) ask(next, true);
    else noteAddress('family', familyParams(next), { replace: true });
  };
  const setThreshold = (threshold: number) => {
    const next = { ...form, threshold };
    change(next);
    clearTimeout(resting.current);
    if (asked.answer !== null || asked.isAsking) resting.current = setTimeout(() => settle(threshold), REST_MS);
  };
  useEffect(() => {
    setTyped(form);
    if (asked.answer === null && 'url' in params) ask(form, true);
    return () => clearTimeout(resting.current);
  }, []);
  return (
    <>
      <h1 tabIndex={-1}>What hangs together</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask(form);
        }}
      >
        <fieldset>
          <legend>A page of the index</legend>
          <UrlInput label="URL of a page" url={form.url} onUrl={(url) => change({ ...form, url })} />
        </fieldset>
        <fieldset class="ways">
          <legend class="unseen">What joins two pages</legend>
          {LIKENESSES.map(([by, words]) => (
            <label key={by}>
              <input
                type="radio"
                name="by"
                checked={form.by === by}
                onChange={() => {
                  change({ ...form, by });
                  if (asked.answer !== null || asked.isAsking) ask({ ...form, by });
                }}
              />
              {words}
            </label>
          ))}
          <ContentSelect
            content={form.content}
            onContent={(content) => {
              change({ ...form, content });
              if (asked.answer !== null || asked.isAsking) ask({ ...form, content });
            }}
          />
        </fieldset>
        <p class="actions">
          <button type="submit" class="main" disabled={form.url.trim() === ''}>
            Show its family
          </button>
        </p>
        <div class="narrow">
          <ThresholdSlider
            label="Threshold"
            share={form.threshold}
            minimum={THRESHOLD_MIN}
            meaning={(share) => `two pages hang together where ${percent(share)} or more is shared`}
            onShare={(share) => setThreshold(share ?? form.threshold)}
          />
        </div>
      </form>
      <Outcome
        asked={asked}
        before={
          <p class="hint">Name a page that the index knows, then raise the threshold and see its family fall apart.</p>
        }
      >
        {(answer) => <FamilyParts answer={answer} threshold={Math.max(form.threshold, answer.threshold)} />}
      </Outcome>
    </>
  );
}
