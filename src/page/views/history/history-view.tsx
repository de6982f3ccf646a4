import { useEffect, useState } from 'preact/hooks';
import type { DocumentAnswer, VersionsAnswer } from 'shingled/types';
import { noteAddress } from '../../address/use-address.ts';
import { formatAddress, type ViewProps } from '../../address/view-address.ts';
import { Refusal } from '../../asking/ask-service.ts';
import { useKept } from '../../asking/use-kept.ts';
import { useQuestion } from '../../asking/use-question.ts';
import { FirstRows, Outcome } from '../../parts/outcome.tsx';
import { UrlText } from '../../parts/source-list.tsx';
import { type Column, WideTable } from '../../parts/table.tsx';
import { UrlInput } from '../../parts/url-input.tsx';
import { counted, intervalOf, mainTextOf, minute, percentWithin } from '../../words/figures.ts';
import { faultWords } from '../../words/sentences.ts';
import { type AskedHistory, askHistory, CHANGES } from './asked-history.ts';
import { MovedPlaces } from './moved-places.tsx';
import { VersionLine } from './version-line.tsx';

/** How a page has changed, and where its document lives now. */
export function HistoryView({ params }: ViewProps) {
  const [typed, setTyped] = useKept<string>('history', '', (kept) => typeof kept === 'string');
  const [url, setUrl] = useState(params['url'] ?? typed);
  const asked = useQuestion<AskedHistory>('history');
  const change = (next: string) => {
    setUrl(next);
    setTyped(next);
  };
  const ask = (of: string, note = true) => {
    if (of.trim() === '') return;
    if (note) noteAddress('history', { url: of.trim() });
    asked.ask((signal) => askHistory(of, signal));
  };
  useEffect(() => {
    setTyped(url);
    if (asked.answer === null && 'url' in params) ask(url, false);
  }, []);
  return (
    <>
      <h1 tabIndex={-1}>What became of a page</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask(url);
        }}
      >
        <fieldset>
          <legend>A URL, a dead one too</legend>
          <UrlInput label="URL" url={url} onUrl={change} />
        </fieldset>
        <p class="actions">
          <button type="submit" class="main" disabled={url.trim() === ''}>
            Show its history
          </button>
        </p>
      </form>
      <Outcome
        asked={asked}
        before={<p class="hint">Its versions, how much each changed, and where its document lives now.</p>}
      >
        {({ versions, document, moved }) => (
          <>
            {moved instanceof Refusal ? <NotTold why={moved} /> : <MovedPlaces moved={moved} />}
            <Versions answer={versions} content={document.content} />
          </>
        )}
      </Outcome>
    </>
  );
}

function NotTold({ why: { code, title } }: { readonly why: Refusal }) {
  return <p class="note">Where its document lives now is not told here: {faultWords(code, title)}</p>;
}

const COLUMNS: readonly Column[] = [
  'first seen',
  'last seen',
  'change',
  ['alike', 'number'],
  ['kept', 'number'],
  'side by side',
];

interface VersionsProps {
  readonly answer: VersionsAnswer;
  readonly content: DocumentAnswer['content'];
}

function Versions({ answer: { url, versions, rate, cursor }, content }: VersionsProps) {
  const changes = Object.entries(rate.changes).filter(([, times]) => times > 0);
  return (
    <>
      <h2>
        {counted(versions.length, 'version')}
        {cursor !== null && ', and older ones'}
      </h2>
      <p class="quiet">
        <UrlText url={url} /> was looked at over {counted(Math.round(rate.days), 'day')}
        {changes.length === 0
          ? ' and was not seen to change'
          : `: ${changes.map(([kind, times]) => `${kind} ${times}`).join(', ')}`}
        . What nobody saw is not counted. {mainTextOf(content)}
      </p>
      <VersionLine versions={versions} />
      <FirstRows rows={versions.map((version, at) => ({ version, before: versions[at + 1] }))} name="versions">
        {(rows) => (
          <WideTable label="Versions" columns={COLUMNS}>
            {rows.map(({ version, before }) => (
              <VersionRow key={version.observedAt} url={url} version={version} before={before} />
            ))}
          </WideTable>
        )}
      </FirstRows>
    </>
  );
}

type Version = VersionsAnswer['versions'][number];

interface RowProps {
  readonly url: string;
  readonly version: Version;
  readonly before: Version | undefined;
}

function VersionRow({ url, version: { observedAt, lastSeen, state, httpStatus, change }, before }: RowProps) {
  const kind = change === null ? null : CHANGES[change.kind];
  const hasBoth = state === 'live' && before?.state === 'live';
  const pair = { a: url, aAt: before?.observedAt ?? '', b: url, bAt: observedAt };
  return (
    <tr>
      <td class="steady">{minute(observedAt)}</td>
      <td class="steady">{minute(lastSeen)}</td>
      <td class="roomy">
        {kind === null || kind === undefined ? (
          <span class="quiet">{before === undefined ? 'the first that is known' : 'nobody knows'}</span>
        ) : (
          <>
            <span aria-hidden="true">{kind.shape}</span> {kind.words}
          </>
        )}
        {httpStatus !== null && <span class="quiet"> {httpStatus}</span>}
      </td>
      <td class="number steady">{change?.resemblance ? percentWithin(intervalOf(change.resemblance)) : ''}</td>
      <td class="number steady">{change?.beforeInAfter ? percentWithin(intervalOf(change.beforeInAfter)) : ''}</td>
      <td class="roomy">
        {hasBoth && <a href={formatAddress({ view: 'compare', params: pair })}>with the one before</a>}
      </td>
    </tr>
  );
}
