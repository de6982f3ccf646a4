import type { Match } from 'shingled/types';
import { formatAddress, type Params } from '../../address/view-address.ts';
import { PassageLink } from '../../parts/passage-link.tsx';
import { ShareBar } from '../../parts/share-bar.tsx';
import { SourceList } from '../../parts/source-list.tsx';
import { counted } from '../../words/figures.ts';
import { pathOf, placeOf } from '../../words/safe-link.ts';
import { EQUIVALENCES, SHARE_NAMES, SHARES } from '../../words/sentences.ts';
import type { Thresholds } from './asked-similar.ts';

interface Props {
  readonly match: Match;
  readonly position: number;
  readonly thresholds: Thresholds;
  /** Whether its passages are the ones that stand out in the query. */
  readonly isChosen: boolean;
  readonly onChoose: (() => void) | null;
  /** The query as the one of two documents side by side; null where no address can say it. */
  readonly query: Params | null;
}

/** One match: how much is shared, who says it, and which passages. */
export function MatchCard({ match, position, thresholds, isChosen, onChoose, query }: Props) {
  const [first] = match.sources;
  const heading =
    match.title ?? (first === undefined ? 'No source is listed' : `${placeOf(first.url)} ${pathOf(first.url)}`);
  const same = EQUIVALENCES[match.equivalence];
  return (
    <li class={isChosen ? 'match match-chosen' : 'match'}>
      <h3>
        <span class="quiet figures">{position}</span> {heading}
      </h3>
      {same !== null && same !== undefined && <p class="same">{same}</p>}
      <div class="shares">
        {SHARE_NAMES.map((name) => (
          <ShareBar key={name} {...SHARES[name]} share={match[name]} threshold={thresholds[name]} />
        ))}
      </div>
      <OwnContent match={match} thresholds={thresholds} />
      <SourceList sources={match.sources} total={match.sourceCount} isMore={match.moreSources} />
      <Passages match={match} />
      <p class="actions">
        {onChoose !== null && (
          <button type="button" class="plain" aria-pressed={isChosen} onClick={onChoose}>
            Mark in the text
          </button>
        )}
        {first !== undefined && (
          <>
            {query !== null && (
              <a href={formatAddress({ view: 'compare', params: { ...query, b: first.url } })}>Side by side</a>
            )}
            <a href={formatAddress({ view: 'family', params: { url: first.url } })}>Its family</a>
            <a href={formatAddress({ view: 'history', params: { url: first.url } })}>Its history</a>
          </>
        )}
      </p>
    </li>
  );
}

/** The same figures of what both say by themselves, where there are any. */
function OwnContent({ match: { content }, thresholds }: Pick<Props, 'match' | 'thresholds'>) {
  if (content === null) return null;
  const { template } = content.match;
  return (
    <>
      <p class="quiet">
        Main text against main text
        {template === null ? '' : `, without what ${counted(template.pages, 'page')} of its site have in common`}:
      </p>
      <div class="shares">
        {SHARE_NAMES.map((name) => (
          <ShareBar key={name} {...SHARES[name]} share={content[name]} threshold={thresholds[name]} />
        ))}
      </div>
    </>
  );
}

function Passages({ match: { passages } }: { readonly match: Match }) {
  if (passages === undefined || passages.length === 0) return null;
  return (
    <details>
      <summary>{counted(passages.length, 'shared passage')}</summary>
      <ol class="passages">
        {passages.map(({ from, text, tokens, exact, link }) => (
          <li key={from}>
            <q>{text}</q>{' '}
            <span class="quiet figures">
              {exact ? '' : 'about '}
              {counted(tokens, 'word')}
            </span>{' '}
            <PassageLink link={link} />
          </li>
        ))}
      </ol>
    </details>
  );
}
