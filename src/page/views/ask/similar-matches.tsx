import { useMemo, useState } from 'preact/hooks';
import type { Match, SimilarAnswer } from 'shingled/types';
import { ADDRESS_LENGTH_MAX, formatAddress } from '../../address/view-address.ts';
import type { GivenDocument } from '../../asking/given-document.ts';
import { keep } from '../../asking/use-kept.ts';
import type { Asked } from '../../asking/use-question.ts';
import { FirstRows, Limits, MoreButton } from '../../parts/outcome.tsx';
import { count, counted, intervalOf, percent, percentWithin, sizeOf } from '../../words/figures.ts';
import { recallSentence } from '../../words/sentences.ts';
import { FIRST_MADE_OF, madeOfParams } from '../made-of/asked-made-of.ts';
import { type AskedSimilar, askMore, asOneOfTwo } from './asked-similar.ts';
import { HostCopiesTable } from './host-copies-table.tsx';
import { MatchCard } from './match-card.tsx';
import { QueryText } from './query-text.tsx';

interface Props {
  readonly similar: AskedSimilar;
  readonly asked: Asked<AskedSimilar>;
}

/** The matches that have come, beside the text with what is shared marked in it. */
export function SimilarMatches({ similar, asked }: Props) {
  const { answer, thresholds, text, request, shared } = similar;
  const [last, setChosen] = useState<Match | null>(null);
  const { query, recall, limits, cursor, complete, nearest, nearestTogether } = answer;
  const isNear = nearest !== undefined;
  const matches = nearest ?? answer.matches;
  // that of an older answer is none of this one
  const chosen = last !== null && matches.includes(last) ? last : null;
  const sentence = recallSentence(recall);
  const pair = useMemo(() => asOneOfTwo(request), [request]);
  const hasMarks = text !== null && shared.length > 0;
  return (
    <>
      <h2>
        {answer.matches.length === 0
          ? isNear
            ? 'Nothing that is known reaches a threshold'
            : 'Nothing that is known is like this'
          : `${counted(matches.length, 'match', 'matches')}${cursor === null ? '' : asked.isPart ? ' so far' : ', and more'}`}
      </h2>
      <p class="quiet">
        {sizeOf(query)}
        {query.kind === undefined && `, ${counted(query.shingles, 'shingle')}`}
        {query.url !== null && query.from === 'index' && ', as the index knows it'}
        {query.from === 'fetch' && ', fetched just now'}. Answered in {answer.elapsedMs} ms. {sentence}
        {answer.estimatedCopies !== undefined && ` There are about ${count(answer.estimatedCopies)} copies in all.`}
        {!complete && ' Something may have been left out:'}
      </p>
      {nearestTogether !== undefined && (
        <NearestWords nearest={matches} together={nearestTogether} given={similar.given} />
      )}
      {query.short && <p class="note">Fewer than 20 shingles: what is said of so short a text means little.</p>}
      <Limits limits={limits} />
      {answer.hosts !== undefined && answer.hosts.length > 0 && <HostCopiesTable hosts={answer.hosts} />}
      <div class={hasMarks ? 'columns' : ''}>
        {hasMarks && <QueryText text={text} shared={shared} chosen={chosen} />}
        <div>
          <FirstRows rows={matches} name="matches">
            {(shown) => (
              <ol class="matches">
                {shown.map((match, at) => (
                  <MatchCard
                    key={`${match.sources[0]?.url} ${at}`}
                    match={match}
                    position={at + 1}
                    thresholds={thresholds}
                    isChosen={chosen === match}
                    query={pair}
                    onChoose={
                      hasMarks && (match.passages?.length ?? 0) > 0
                        ? () => setChosen(chosen === match ? null : match)
                        : null
                    }
                  />
                ))}
              </ol>
            )}
          </FirstRows>
          {cursor !== null && (
            <MoreButton isBusy={asked.isAsking} onMore={() => asked.ask(askMore(similar))}>
              {request.thorough === true ? 'Ask for all others' : 'Ask for more'}
            </MoreButton>
          )}
        </div>
      </div>
    </>
  );
}

interface NearestProps {
  readonly nearest: readonly Match[];
  readonly together: NonNullable<SimilarAnswer['nearestTogether']>;
  readonly given: GivenDocument;
}

/** That a part of the text is known, how much and from how many documents, and where to see which part. */
function NearestWords({ nearest, together, given }: NearestProps) {
  const { share, documents } = together;
  const form = { ...FIRST_MADE_OF, given };
  const params = madeOfParams(form, true);
  const isSaid = given.by !== 'file' && formatAddress({ view: 'made-of', params }).length <= ADDRESS_LENGTH_MAX;
  return (
    <p class="note">
      A part of it is known all the same: {percentWithin(intervalOf(share))} of it stands in{' '}
      {counted(documents, 'document')}
      {documents > 1 && `, ${percent(nearest[0]!.queryInMatch.estimate)} in the nearest`}.{' '}
      <a href={formatAddress({ view: 'made-of', params: isSaid ? params : {} })} onClick={() => keep('made-of', form)}>
        {isSaid ? 'See what it is made of' : 'Ask what it is made of'}
      </a>
    </p>
  );
}
