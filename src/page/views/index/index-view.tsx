import { useEffect, useState } from 'preact/hooks';
import { noteAddress } from '../../address/use-address.ts';
import { formatAddress, type ViewProps } from '../../address/view-address.ts';
import { useQuestion } from '../../asking/use-question.ts';
import { FirstRows, MoreButton, Outcome } from '../../parts/outcome.tsx';
import { UrlText } from '../../parts/source-list.tsx';
import { type Column, WideTable } from '../../parts/table.tsx';
import { count, counted, day } from '../../words/figures.ts';
import { stateWords } from '../../words/sentences.ts';
import {
  type AskedFigures,
  type AskedList,
  askFigures,
  askList,
  askMoreDocuments,
  selectionOf,
} from './asked-index.ts';
import { IndexFigures } from './index-figures.tsx';

/** What the index holds: figures, hosts, and documents by host or by the beginning of their URLs. */
export function IndexView({ params }: ViewProps) {
  const [words, setWords] = useState(params['of'] ?? '');
  const figures = useQuestion<AskedFigures>('figures');
  const listed = useQuestion<AskedList>('listed');
  const list = (of: string) => {
    noteAddress('index', { of: of.trim() });
    listed.ask((signal) => askList(selectionOf(of), signal));
  };
  useEffect(() => {
    figures.ask(askFigures);
    listed.ask((signal) => askList(selectionOf(words), signal));
  }, []);
  return (
    <>
      <h1 tabIndex={-1}>What is in the index</h1>
      <Outcome asked={figures} name="Figures">
        {(answer) => <IndexFigures {...answer} onAgain={() => figures.ask(askFigures)} />}
      </Outcome>
      <h2>Its documents</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          list(words);
        }}
      >
        <p class="actions">
          <label class="search">
            Host, or the beginning of URLs{' '}
            <input
              type="text"
              autocomplete="off"
              spellcheck={false}
              placeholder="a.example, or https://a.example/docs/"
              value={words}
              onInput={(event) => setWords(event.currentTarget.value)}
            />
          </label>
          <button type="submit">List</button>
        </p>
      </form>
      <Outcome asked={listed} name="What is listed">
        {(answer) => (
          <>
            <Hosts hosts={answer.hosts} />
            <Documents list={answer.list} onMore={() => listed.ask((signal) => askMoreDocuments(answer, signal))} />
          </>
        )}
      </Outcome>
    </>
  );
}

function Hosts({ hosts: { hosts, cursor } }: { readonly hosts: AskedList['hosts'] }) {
  if (hosts.length === 0) return null;
  return (
    <details open={hosts.length <= 12}>
      <summary>
        {counted(hosts.length, 'host')}
        {cursor !== null && ', and more'}
      </summary>
      <ul class="hosts">
        {hosts.map(({ host, documents }) => (
          <li key={host ?? ''}>
            {host === null ? (
              <span class="quiet">names without a host</span>
            ) : (
              <a href={formatAddress({ view: 'index', params: { of: host } })}>{host}</a>
            )}{' '}
            <span class="quiet figures">{count(documents)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface DocumentsProps {
  readonly list: AskedList['list'];
  readonly onMore: () => void;
}

const COLUMNS: readonly Column[] = ['URL', 'seen', 'look at'];

function Documents({ list: { documents, unreadable, cursor }, onMore }: DocumentsProps) {
  return (
    <>
      <h3>
        {counted(documents.length, 'document')}
        {cursor !== null && ', and more'}
      </h3>
      {unreadable.length > 0 && <p class="note">{counted(unreadable.length, 'document')} cannot be read.</p>}
      <FirstRows rows={documents} name="documents">
        {(shown) => (
          <WideTable label="Documents" columns={COLUMNS}>
            {shown.map(({ url, title, state, lastSeen }) => (
              <tr key={url}>
                <td class="wraps">
                  {title !== null && <span class="title">{title}</span>}
                  <UrlText url={url} />
                  {stateWords(state) !== null && <span class="tag">{stateWords(state)}</span>}
                </td>
                <td class="steady">{day(lastSeen)}</td>
                <td class="steady looks">
                  <a href={formatAddress({ view: 'ask', params: { url } })}>like it</a>
                  <a href={formatAddress({ view: 'family', params: { url } })}>family</a>
                  <a href={formatAddress({ view: 'history', params: { url } })}>history</a>
                </td>
              </tr>
            ))}
          </WideTable>
        )}
      </FirstRows>
      {cursor !== null && <MoreButton onMore={onMore}>Ask for more</MoreButton>}
    </>
  );
}
