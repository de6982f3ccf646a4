import { useEffect, useRef, useState } from 'preact/hooks';
import { noteAddress } from '../../address/use-address.ts';
import { ADDRESS_LENGTH_MAX, formatAddress, type ViewProps } from '../../address/view-address.ts';
import { useKept } from '../../asking/use-kept.ts';
import { useQuestion } from '../../asking/use-question.ts';
import { ContentSelect } from '../../parts/content-select.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { DocumentField } from '../../parts/document-field.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { ThresholdSlider } from '../../parts/threshold-slider.tsx';
import { counted } from '../../words/figures.ts';
import { SHARE_NAMES, SHARES, type ShareName } from '../../words/sentences.ts';
import {
  type AskedSimilar,
  type AskForm,
  askSimilar,
  FIRST_FORM,
  formFrom,
  isAskForm,
  paramsOf,
  requestOf,
  WHEN_ON,
} from './asked-similar.ts';
import { SimilarMatches } from './similar-matches.tsx';

/** Whoever moves a slider is answered when it rests. */
const REST_MS = 350;

/** Which documents say the same as this one, have it, or are in it. */
export function AskView({ params }: ViewProps) {
  const [typed, setForm] = useKept<AskForm>('ask', FIRST_FORM, isAskForm);
  const [form, setShown] = useState(() => formFrom(params, typed));
  const asked = useQuestion<AskedSimilar>('ask');
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = (next: AskForm) => {
    setShown(next);
    setForm(next);
  };
  const ask = (next: AskForm, note = true) => {
    clearTimeout(resting.current);
    const request = requestOf(next);
    if (request === null) return;
    if (note) noteAddress('ask', paramsOf(next, false));
    asked.ask(askSimilar(next, request));
  };
  const setThreshold = (name: ShareName, share: number | null) => {
    const next = { ...form, thresholds: { ...form.thresholds, [name]: share } };
    change(next);
    clearTimeout(resting.current);
    if (asked.answer === null && !asked.isAsking) return;
    resting.current = setTimeout(() => {
      // one step, however often it is moved
      noteAddress('ask', paramsOf(next, 'text' in params), { replace: true });
      ask(next, false);
    }, REST_MS);
  };
  useEffect(() => {
    setForm(form);
    if (asked.answer === null && ('url' in params || 'text' in params)) ask(form, false);
    return () => clearTimeout(resting.current);
  }, []);
  return (
    <>
      <h1 tabIndex={-1}>Who else says this?</h1>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          ask(form);
        }}
      >
        <DocumentField label="The document" given={form.given} onGiven={(given) => change({ ...form, given })} />
        <fieldset class="thresholds">
          <legend>What counts as a match: any of these</legend>
          {SHARE_NAMES.map((name) => (
            <ThresholdSlider
              key={name}
              label={SHARES[name].name}
              share={form.thresholds[name]}
              meaning={SHARES[name].threshold}
              whenOn={WHEN_ON[name]}
              onShare={(share) => setThreshold(name, share)}
            />
          ))}
          <ContentSelect content={form.content} onContent={(content) => change({ ...form, content })} />
          <label class="switch">
            <input
              type="checkbox"
              checked={form.undecided}
              onChange={() => change({ ...form, undecided: !form.undecided })}
            />
            also what may reach a threshold, as far as the estimate tells
          </label>
          <label class="switch">
            <input
              type="checkbox"
              checked={form.thorough}
              onChange={() => change({ ...form, thorough: !form.thorough })}
            />
            every copy to the last, and which hosts have them; takes longer
          </label>
        </fieldset>
        <p class="actions">
          <button type="submit" class="main" disabled={requestOf(form) === null}>
            Ask
          </button>
          <LinkButton form={form} />
        </p>
      </form>
      <Outcome asked={asked} before={<FirstWords />} soFar={soFar}>
        {(similar) => <SimilarMatches similar={similar} asked={asked} />}
      </Outcome>
    </>
  );
}

const soFar = ({ answer: { matches } }: AskedSimilar) => `${counted(matches.length, 'match', 'matches')} so far`;

/** What a newcomer reads first. */
function FirstWords() {
  return (
    <div class="hint">
      <p>
        Paste an article, a licence, a page: you see who of those in the index says the same, which passages, and how
        sure that is. Nothing of it is stored.
      </p>
      <p>
        No text at hand? <a href={formatAddress({ view: 'index', params: {} })}>See what is in the index</a>, and ask
        for one of its URLs.
      </p>
    </div>
  );
}

function LinkButton({ form }: { readonly form: AskForm }) {
  if (requestOf(form) === null || form.given.by === 'file') return null;
  const address = formatAddress({ view: 'ask', params: paramsOf(form, true) });
  if (address.length > ADDRESS_LENGTH_MAX) return <span class="quiet">The text is too long for a link.</span>;
  return <CopyButton label="Copy a link to this question" text={() => new URL(address, location.href).href} />;
}
