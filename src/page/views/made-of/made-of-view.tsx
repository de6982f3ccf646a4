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
import { percent } from '../../words/figures.ts';
import {
  type AskedMadeOf,
  askMadeOf,
  FIRST_MADE_OF,
  isMadeOfForm,
  type MadeOfForm,
  madeOfFrom,
  madeOfParams,
  madeOfRequest,
} from './asked-made-of.ts';
import { MadeOfAnswer } from './made-of-answer.tsx';

const REST_MS = 350;

/** Which documents a text is made of, and what of it is nobody's. */
export function MadeOfView({ params }: ViewProps) {
  const [typed, setTyped] = useKept<MadeOfForm>('made-of', FIRST_MADE_OF, isMadeOfForm);
  const [form, setForm] = useState(() => madeOfFrom(params, typed));
  const asked = useQuestion<AskedMadeOf>('made-of');
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = (next: MadeOfForm) => {
    setForm(next);
    setTyped(next);
  };
  const ask = (next: MadeOfForm, note = true) => {
    clearTimeout(resting.current);
    const request = madeOfRequest(next);
    if (request === null) return;
    if (note) noteAddress('made-of', madeOfParams(next, false));
    asked.ask((signal) => askMadeOf(request, signal));
  };
  const tune = (next: MadeOfForm) => {
    change(next);
    clearTimeout(resting.current);
    if (asked.answer === null && !asked.isAsking) return;
    resting.current = setTimeout(() => {
      noteAddress('made-of', madeOfParams(next, 'text' in params), { replace: true });
      ask(next, false);
    }, REST_MS);
  };
  useEffect(() => {
    setTyped(form);
    if (asked.answer === null && ('url' in params || 'text' in params)) ask(form, false);
    return () => clearTimeout(resting.current);
  }, []);
  const isReady = madeOfRequest(form) !== null;
  const address = formatAddress({ view: 'made-of', params: madeOfParams(form, true) });
  return (
    <>
      <h1 tabIndex={-1}>What is it made of?</h1>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          ask(form);
        }}
      >
        <DocumentField label="The text" given={form.given} onGiven={(given) => change({ ...form, given })} />
        <Looked form={form} onForm={tune} />
        <p class="actions">
          <button type="submit" class="main" disabled={!isReady}>
            Take it apart
          </button>
          {isReady && form.given.by !== 'file' && address.length <= ADDRESS_LENGTH_MAX && (
            <CopyButton label="Copy a link to this question" text={() => new URL(address, location.href).href} />
          )}
        </p>
      </form>
      <Outcome
        asked={asked}
        before={
          <p class="hint">A speech, a report, a page that may be sewn together from others: whose words are whose?</p>
        }
      >
        {(answer) => <MadeOfAnswer {...answer} />}
      </Outcome>
    </>
  );
}

interface LookedProps {
  readonly form: MadeOfForm;
  readonly onForm: (form: MadeOfForm) => void;
}

function Looked({ form, onForm }: LookedProps) {
  return (
    <fieldset class="thresholds">
      <legend>What is looked for</legend>
      <div class="ways">
        {(['sources', 'quotations'] as const).map((find) => (
          <label key={find}>
            <input type="radio" name="find" checked={form.find === find} onChange={() => onForm({ ...form, find })} />
            {find}
          </label>
        ))}
      </div>
      {form.find === 'sources' ? (
        <ThresholdSlider
          label="The least share"
          share={form.minimumShare}
          minimum={0.01}
          meaning={(share) => `documents that explain at least ${percent(share)} of this text`}
          onShare={(share) => onForm({ ...form, minimumShare: share ?? form.minimumShare })}
        />
      ) : (
        <label class="words">
          of at least{' '}
          <input
            type="number"
            min="7"
            max="10000"
            value={form.minimumWords}
            onInput={(event) => {
              const words = event.currentTarget.valueAsNumber;
              if (Number.isInteger(words) && words > 0) onForm({ ...form, minimumWords: words });
            }}
          />{' '}
          words, whatever share of the text they are
        </label>
      )}
      <ContentSelect content={form.content} onContent={(content) => onForm({ ...form, content })} />
    </fieldset>
  );
}
