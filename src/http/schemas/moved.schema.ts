import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS } from '../../service/limits.ts';
import { DEFAULT_MOVED_OPTIONS as DEFAULTS, MOVED_URLS_MAX } from '../../service/moved/moved-options.ts';
import * as common from './common.schema.ts';
import { answer, Count, closed, exampleOf, Flag, orNull } from './common.schema.ts';
import { MATCHED_CONTENTS, MovedContent, NoContent } from './figures/content.schema.ts';
import { EstimatedShare } from './figures/shares.schema.ts';
import { Equivalence, LimitReached } from './matches.schema.ts';
import { failedLine, line, Summary } from './ndjson.schema.ts';
import { Recall } from './similar.schema.ts';

/* Schemas of the calls that look for documents which have moved. */

const OLD = 'https://a.example/old';
const NEW = 'https://a.example/new';

const OPTIONS = {
  limit: Type.Optional(
    Count(`Candidates of a URL, ${DEFAULTS.limit} where not given; at most ${LIMITS.limitMax}.`, 10, 1),
  ),
  always: Type.Optional(Flag('Whether candidates are looked for of a URL that still shows its document, too.', false)),
  content: Type.Optional(MovedContent),
  deadlineMs: Type.Optional(common.DeadlineMs),
};
const url = common.Url('The old URL, as the index knows it.', OLD);

export const MovedQuery = closed({ url, ...OPTIONS });
export const MovedLine = closed({ url, ...OPTIONS }, { title: 'MovedLine', examples: [{ url: OLD }] });
export const MovedList = closed(
  {
    urls: Type.Array(Type.String(), {
      description: `Old URLs; at most ${MOVED_URLS_MAX}, each of at most ${LIMITS.urlBytesMax} bytes (URL_BYTES_MAX).`,
      examples: [[OLD]],
    }),
    ...OPTIONS,
  },
  { title: 'MovedList', examples: [{ urls: [OLD, 'https://a.example/older'] }] },
);

export type MovedQueryValues = Static<typeof MovedQuery>;
export type MovedListJson = Static<typeof MovedList>;

const MovedCandidate = closed(
  {
    url: common.Url('Where the document is.', NEW),
    how: Type.Enum(['redirect', 'within-host', 'other-host', 'copy'], {
      description:
        '`redirect`: the old URL was seen to lead there; `within-host`, `other-host`: it was first seen there after it was last seen at the old one; `copy`: it was there before: no move, but the document is there.',
      examples: ['within-host'],
    }),
    sure: Type.Enum(['certain', 'likely', 'possible'], {
      description: 'By a rule that docs/moved.md states. `possible` is worth a look by a person, no more.',
      examples: ['likely'],
    }),
    equivalence: Equivalence,
    resemblance: EstimatedShare,
    queryInMatch: EstimatedShare,
    ...MATCHED_CONTENTS,
    firstSeen: orNull(common.Time('When it was first seen with what it says.'), {
      description:
        'When it was first seen with what it says; null where the index only knows that something led there.',
    }),
    lastSeen: orNull(common.Time('When it was last seen so.'), { description: 'When it was last seen so.' }),
    title: orNull(Type.String(), { description: 'Its title.', examples: ['A page'] }),
    via: orNull(Type.String(), {
      description: 'The URL that was seen to lead there, where that is neither the old one nor this one.',
      examples: [null],
    }),
    shownUntil: common.Time('When the old URL was last seen with what this is compared with.'),
  },
  { title: 'MovedCandidate', description: 'A live URL that shows the document of the old one.' },
);

const RefusedPage = closed(
  {
    url: common.Url('The page; the old URL itself, where that shows it or showed it last.', 'https://a.example/'),
    reason: Type.Enum(['soft-404', 'parked', 'home-page', 'other-document'], {
      description:
        '`soft-404`: it took the place of many different documents; `parked`: the same, on many hosts; `home-page`: the first page of a host, where the old URL was none; `other-document`: the old URL leads there, but it says something else.',
      examples: ['soft-404'],
    }),
    sharedBy: orNull(Count('Different documents that it took the place of, as many as were counted.', 143), {
      description:
        'Different documents that it took the place of, as many as were counted: of many pages that are gone by what the first of them showed before. Null for other reasons.',
    }),
  },
  { title: 'RefusedPage', description: 'A page that is not offered, and why.' },
);

export const MovedAnswer = answer(
  {
    url: common.Url('The normalised old URL.', OLD),
    state: Type.Enum(['live', 'redirected', 'replaced', 'gone'], {
      description:
        '`live`: it shows its document; `redirected`: the same, from another address; `replaced`: it shows something else than before; `gone`: 404 or 410 was seen or told.',
      examples: ['gone'],
    }),
    lastSeen: common.Time('When it was last seen to show anything.'),
    candidates: Type.Array(MovedCandidate, { description: 'The surest first.' }),
    refused: Type.Array(RefusedPage, { description: 'What is not offered, and why.' }),
    contentsForgotten: Count('Contents that it had and that are no longer kept: they are not looked for.', 0),
    timegate: orNull(Type.String(), {
      description: 'Where archives have old versions of it; null where TIMEGATE_PREFIX is not set.',
      examples: [`https://web.archive.org/web/${OLD}`],
    }),
    recall: Recall,
    complete: Flag('False where a limit may have cost a candidate.', true),
    limits: Type.Array(LimitReached, { description: 'Every limit that bit.' }),
    contentUnknown: Type.Optional(NoContent),
    elapsedMs: common.ElapsedMs,
  },
  { title: 'MovedAnswer' },
  {
    candidates: [exampleOf(MovedCandidate, { lastSeen: '2026-11-20T00:00:00.000Z' })],
    refused: [exampleOf(RefusedPage)],
    recall: { resemblance: 0.999, queryInMatch: 0.998, matchInQuery: null },
  },
);

const MovedDone = closed(
  { line, status: Type.Literal(200), answer: MovedAnswer },
  { title: 'MovedDone', description: 'The answer to a URL.' },
);
const MovedFailed = failedLine('MovedFailed', 'A URL that was refused or failed; the others go on.');

export const MovedLineAnswer = Type.Union([MovedDone, MovedFailed]);
const EXAMPLE = { line: 1, status: 200, answer: exampleOf(MovedAnswer) };
export const MovedAnswerLine = Type.Union([MovedDone, MovedFailed, Summary], {
  title: 'MovedAnswerLine',
  examples: [EXAMPLE],
});

export const MovedListAnswer = answer(
  {
    answers: Type.Array(MovedLineAnswer, {
      description: 'One for each URL, in their order; `line` is its place, from 1.',
    }),
    elapsedMs: common.ElapsedMs,
  },
  { title: 'MovedListAnswer' },
  { answers: [EXAMPLE] },
);
