import type { MovedAnswer, MovedCandidate } from 'shingled/types';
import { formatAddress } from '../../address/view-address.ts';
import { Limits } from '../../parts/outcome.tsx';
import { ShareBar } from '../../parts/share-bar.tsx';
import { UrlText } from '../../parts/source-list.tsx';
import { days, minute } from '../../words/figures.ts';
import { hrefOf } from '../../words/safe-link.ts';

const STATES: Readonly<Record<MovedAnswer['state'], string>> = {
  live: 'It is there',
  redirected: 'It leads elsewhere',
  replaced: 'It shows another document now',
  gone: 'It is gone',
};

const HOW: Readonly<Record<MovedCandidate['how'], string>> = {
  redirect: 'where it leads',
  'within-host': 'on the same host',
  'other-host': 'on another host',
  copy: 'a copy elsewhere',
};

const REASONS: Readonly<Record<string, string>> = {
  'soft-404': 'says that it is not there',
  parked: 'is parked',
  'home-page': 'is a home page',
  'other-document': 'is another document',
};

const SURE = { certain: '●●● certain', likely: '●●○ likely', possible: '●○○ possible' } as const;

/** Where the document of a URL lives now, and what was not offered. */
export function MovedPlaces({ moved }: { readonly moved: MovedAnswer }) {
  const { url, state, lastSeen, candidates, refused, timegate, complete, limits } = moved;
  const archive = timegate === null ? null : hrefOf(timegate);
  return (
    <>
      <h2>{STATES[state]}</h2>
      <p class="quiet">
        Last seen {minute(lastSeen)} UTC.{' '}
        {candidates.length === 0 ? 'No other page is known to have its document.' : 'Its document is also here:'}
        {!complete && ' Something may have been left out.'}
      </p>
      <Limits limits={limits} />
      <ol class="matches">
        {candidates.map(({ url: place, how, sure, resemblance, queryInMatch, content, ...seenAt }) => (
          <li key={place} class="match">
            <h3>
              <UrlText url={place} />
            </h3>
            <p>
              {seenAt.title !== null && <strong>{seenAt.title} </strong>}
              <span class="steady">{SURE[sure]}</span>, {HOW[how]}
              {seenAt.firstSeen !== null && seenAt.lastSeen !== null && (
                <span class="quiet figures"> {days(seenAt.firstSeen, seenAt.lastSeen)}</span>
              )}
            </p>
            <div class="shares">
              <ShareBar name="alike" long="resemblance" share={resemblance} threshold={null} />
              <ShareBar name="of it there" share={queryInMatch} threshold={null} />
              {content !== null && (
                <ShareBar
                  name="main texts alike"
                  long="resemblance of main texts"
                  share={content.resemblance}
                  threshold={null}
                />
              )}
            </div>
            <p class="actions">
              <a href={formatAddress({ view: 'compare', params: { a: url, b: place } })}>Side by side</a>
            </p>
          </li>
        ))}
      </ol>
      {refused.length > 0 && (
        <p class="quiet">
          Not offered:{' '}
          {refused.map(({ url: other, reason }) => (
            <span key={other}>
              <UrlText url={other} /> {REASONS[reason] ?? reason}.{' '}
            </span>
          ))}
        </p>
      )}
      {archive !== null && (
        <p>
          <a href={archive} rel="noreferrer noopener external" target="_blank">
            Look for it in a web archive
          </a>
        </p>
      )}
    </>
  );
}
