import { useEffect, useRef, useState } from 'preact/hooks';
import { noteAddress } from '../../address/use-address.ts';
import type { ViewProps } from '../../address/view-address.ts';
import { shareParam } from '../../address/view-address.ts';
import { useKept } from '../../asking/use-kept.ts';
import { useQuestion } from '../../asking/use-question.ts';
import { Outcome } from '../../parts/outcome.tsx';
import { ThresholdSlider } from '../../parts/threshold-slider.tsx';
import { counted, percent } from '../../words/figures.ts';
import {
  type AskedResults,
  askResults,
  COLLAPSE_SHARE_NAMES,
  COLLAPSE_SHARES,
  FIRST_RESULTS,
  isResultsForm,
  type ResultsForm,
  resultsRequest,
} from './asked-results.ts';
import { CollapsedPage } from './collapsed-page.tsx';
import { readPasted } from './pasted-results.ts';

const REST_MS = 300;

/** A page of search results without its copies, at any threshold. */
export function ResultsView({ params }: ViewProps) {
  const [typed, setTyped] = useKept<ResultsForm>('results', FIRST_RESULTS, isResultsForm);
  const [form, setForm] = useState<ResultsForm>(() => {
    const shares = COLLAPSE_SHARE_NAMES.map((name) => [name, shareParam(params, name, typed.thresholds[name])]);
    return { ...typed, thresholds: Object.fromEntries(shares) as unknown as ResultsForm['thresholds'] };
  });
  const asked = useQuestion<AskedResults>('results');
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const page = readPasted(form.pasted);
  const change = (next: ResultsForm) => {
    setForm(next);
    setTyped(next);
  };
  const ask = (next: ResultsForm, replace = asked.answer !== null) => {
    clearTimeout(resting.current);
    const read = readPasted(next.pasted);
    if (typeof read === 'string') return;
    const said = COLLAPSE_SHARE_NAMES.filter((name) => next.thresholds[name] !== FIRST_RESULTS.thresholds[name]);
    const shares = said.map((name) => [name, String(next.thresholds[name] ?? 'off')]);
    noteAddress('results', Object.fromEntries(shares), { replace });
    asked.ask((signal) => askResults(read, resultsRequest(next, read), signal));
  };
  const tune = (next: ResultsForm) => {
    change(next);
    clearTimeout(resting.current);
    if (asked.answer !== null || asked.isAsking) resting.current = setTimeout(() => ask(next, true), REST_MS);
  };
  useEffect(() => () => clearTimeout(resting.current), []);
  return (
    <>
      <h1 tabIndex={-1}>A page of results without its copies</h1>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          ask(form);
        }}
      >
        <div>
          <label class="head" for="pasted">
            What your search answers
          </label>
          <textarea
            id="pasted"
            class="wide code"
            rows={12}
            spellcheck={false}
            placeholder="Paste JSON: of SearXNG, hits of Elasticsearch or OpenSearch, or your own; or a URL a line"
            aria-describedby="pasted-says"
            value={form.pasted}
            onInput={(event) => change({ ...form, pasted: event.currentTarget.value })}
          />
          <p id="pasted-says" class="quiet under">
            {typeof page === 'string' ? page : `${counted(page.results.length, 'result')}, ${page.kind}`}
          </p>
        </div>
        <Tuning form={form} onForm={tune} />
        <p class="actions">
          <button type="submit" class="main" disabled={typeof page === 'string'}>
            Fold the copies away
          </button>
        </p>
      </form>
      <Outcome
        asked={asked}
        before={<p class="hint">What is shown, what stands behind it, and what your program would send.</p>}
      >
        {(answer) => <CollapsedPage {...answer} />}
      </Outcome>
    </>
  );
}

interface TuningProps {
  readonly form: ResultsForm;
  readonly onForm: (form: ResultsForm) => void;
}

function Tuning({ form, onForm }: TuningProps) {
  return (
    <fieldset class="thresholds">
      <legend>A result stands behind another where any of these is reached</legend>
      {COLLAPSE_SHARE_NAMES.map((name) => (
        <ThresholdSlider
          key={name}
          label={COLLAPSE_SHARES[name].name}
          share={form.thresholds[name]}
          whenOn={FIRST_RESULTS.thresholds[name] ?? 0.9}
          meaning={(share) => `at least ${percent(share)} ${COLLAPSE_SHARES[name].means}`}
          onShare={(share) => onForm({ ...form, thresholds: { ...form.thresholds, [name]: share } })}
        />
      ))}
      <label class="words">
        at most{' '}
        <input
          type="number"
          min="1"
          max="1000"
          placeholder="all"
          value={form.perHost ?? ''}
          onInput={(event) => {
            const most = event.currentTarget.valueAsNumber;
            onForm({ ...form, perHost: Number.isInteger(most) && most > 0 ? most : null });
          }}
        />{' '}
        of each host
      </label>
    </fieldset>
  );
}
