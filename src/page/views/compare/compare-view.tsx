import { useEffect, useState } from 'preact/hooks';
import type { CompareAnswer } from 'shingled/types';
import { noteAddress } from '../../address/use-address.ts';
import { ADDRESS_LENGTH_MAX, formatAddress, type ViewProps } from '../../address/view-address.ts';
import { useKept } from '../../asking/use-kept.ts';
import { useQuestion } from '../../asking/use-question.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { DocumentField } from '../../parts/document-field.tsx';
import { Limits, Outcome } from '../../parts/outcome.tsx';
import { ShareBar } from '../../parts/share-bar.tsx';
import { sizeOf } from '../../words/figures.ts';
import { EQUIVALENCES } from '../../words/sentences.ts';
import {
  askCompare,
  type CompareForm,
  FIRST_PAIR,
  isCompareForm,
  pairFrom,
  pairParams,
  pairRequest,
  SIDES,
} from './asked-compare.ts';
import { SpanPanes } from './span-panes.tsx';
import { WhyText } from './why-text.tsx';

/** What the API compares by where nothing is said. */
const THRESHOLDS = { resemblance: 0.5, contained: 0.8 };

/** Two documents beside each other: what both have, where it stands, and why they are not the same. */
export function CompareView({ params }: ViewProps) {
  const [typed, setTyped] = useKept<CompareForm>('compare', FIRST_PAIR, isCompareForm);
  const [form, setForm] = useState(() => pairFrom(params, typed));
  const asked = useQuestion<CompareAnswer>('compare');
  const change = (next: CompareForm) => {
    setForm(next);
    setTyped(next);
  };
  const ask = (fetch: 'auto' | 'always', note = true) => {
    const request = pairRequest(form, fetch);
    if (request === null) return;
    if (note) noteAddress('compare', pairParams(form, false));
    asked.ask((signal) => askCompare(request, signal));
  };
  useEffect(() => {
    setTyped(form);
    if (asked.answer === null && SIDES.every((side) => side in params || `${side}Text` in params)) ask('auto', false);
  }, []);
  const isReady = pairRequest(form, 'auto') !== null;
  const address = formatAddress({ view: 'compare', params: pairParams(form, true) });
  return (
    <>
      <h1 tabIndex={-1}>Two documents side by side</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask('auto');
        }}
      >
        <div class="two">
          {SIDES.map((side) => (
            <DocumentField
              key={side}
              label={`Document ${side}`}
              given={form[side]}
              rows={6}
              hasVersions
              onGiven={(given) => change({ ...form, [side]: given })}
            />
          ))}
        </div>
        <p class="actions">
          <button type="submit" class="main" disabled={!isReady}>
            Compare
          </button>
          {isReady && address.length <= ADDRESS_LENGTH_MAX && SIDES.every((side) => form[side].by !== 'file') && (
            <CopyButton label="Copy a link to this pair" text={() => new URL(address, location.href).href} />
          )}
        </p>
      </form>
      <Outcome
        asked={asked}
        before={<p class="hint">Paste two texts, name two URLs, or one of each. Nothing of them is stored.</p>}
      >
        {(answer) => (
          <Compared answer={answer} canFetch={form.a.at === '' && form.b.at === ''} onFetch={() => ask('always')} />
        )}
      </Outcome>
    </>
  );
}

interface ComparedProps {
  readonly answer: CompareAnswer;
  /** A version of the past cannot be fetched. */
  readonly canFetch: boolean;
  readonly onFetch: () => void;
}

function Compared({ answer, canFetch, onFetch }: ComparedProps) {
  const { a, b, equivalence, resemblance, aInB, bInA, content, differences, limits } = answer;
  const needsText = limits.some(({ code }) => code === 'differences-need-text');
  return (
    <>
      <h2>{EQUIVALENCES[equivalence] === null ? 'How much they share' : `They have ${EQUIVALENCES[equivalence]}`}</h2>
      <p class="quiet">
        a has {sizeOf(a)}, b has {sizeOf(b)}.
        {(a.short || b.short) && ' Of fewer than 20 shingles: what is said of so short a text means little.'}
      </p>
      <div class="shares narrow">
        <ShareBar name="alike" long="resemblance" share={resemblance} threshold={THRESHOLDS.resemblance} />
        <ShareBar name="of a in b" share={aInB} threshold={THRESHOLDS.contained} />
        <ShareBar name="of b in a" share={bInA} threshold={THRESHOLDS.contained} />
      </div>
      {content !== null && (
        <>
          <p class="quiet">Main text against main text:</p>
          <div class="shares narrow">
            <ShareBar name="alike" long="resemblance" share={content.resemblance} threshold={THRESHOLDS.resemblance} />
            <ShareBar name="of a in b" share={content.aInB} threshold={THRESHOLDS.contained} />
            <ShareBar name="of b in a" share={content.bInA} threshold={THRESHOLDS.contained} />
          </div>
        </>
      )}
      <Limits limits={limits} />
      {needsText && canFetch && (
        <p>
          <button type="button" onClick={onFetch}>
            Fetch them as they are today
          </button>
        </p>
      )}
      {differences !== null && differences !== undefined && <SpanPanes a={differences.a} b={differences.b} />}
      <WhyText
        whyNot={answer.whyNot}
        {...(answer.explanation === undefined ? {} : { explanation: answer.explanation })}
      />
    </>
  );
}
