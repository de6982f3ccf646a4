import { count, counted, percent } from './figures.ts';

/* What the API says by codes and numbers, in plain sentences. */

/** A word and a shape for each decision: colour alone tells nobody. */
export const DECISIONS = {
  yes: { shape: '●', word: 'yes', meaning: 'the whole interval reaches the threshold' },
  no: { shape: '○', word: 'no', meaning: 'the whole interval lies below the threshold' },
  undecided: { shape: '◐', word: 'undecided', meaning: 'the interval holds the threshold' },
} as const;

/** The three shares of a query and a match, with what a threshold of each means. */
export const SHARES = {
  resemblance: {
    name: 'alike',
    long: 'resemblance',
    threshold: (share: number) => `at least ${percent(share)} of all the wording of both is in both`,
  },
  queryInMatch: {
    name: 'yours in theirs',
    long: 'containment of your text in the match',
    threshold: (share: number) => `at least ${percent(share)} of this text is in the match`,
  },
  matchInQuery: {
    name: 'theirs in yours',
    long: 'containment of the match in your text',
    threshold: (share: number) => `at least ${percent(share)} of the match is in this text`,
  },
} as const;

export type ShareName = keyof typeof SHARES;
export const SHARE_NAMES = Object.keys(SHARES) as ShareName[];

/** What both documents are to each other. */
export const EQUIVALENCES: Readonly<Record<string, string | null>> = {
  identical: 'the very same bytes',
  lexical: 'the same words in the same order',
  shingle: 'the same runs of words',
  none: null,
};

const SOURCE_STATES: Readonly<Record<string, string | null>> = {
  live: null,
  gone: 'gone',
  past: 'shows something else now',
};

/** Null of what is live: nothing need be said. */
export const stateWords = (state: string): string | null => SOURCE_STATES[state] ?? null;

interface Recall extends Readonly<Record<ShareName, number | null>> {
  readonly matchInQueryBySize?: readonly { readonly shinglesLeast: number; readonly recall: number }[];
}

/** Fewer are called short. */
const SHORT_SHINGLES = 20;

/** How likely a document just at a threshold was looked at, in one sentence; null where nothing was looked for. */
export function recallSentence(recall: Recall): string | null {
  const parts = SHARE_NAMES.flatMap((name) => {
    const chance = recall[name];
    if (chance === null) return [];
    const longer = recall.matchInQueryBySize?.find(({ shinglesLeast }) => shinglesLeast >= SHORT_SHINGLES);
    if (name !== 'matchInQuery' || longer === undefined || longer.recall === chance) {
      return [`${chanceWords(chance)} by “${SHARES[name].name}”`];
    }
    return [
      `${chanceWords(longer.recall)} by “${SHARES[name].name}” if it has ${counted(longer.shinglesLeast, 'shingle')} or more`,
      `${chanceWords(chance)} if it is shorter`,
    ];
  });
  if (parts.length === 0) return null;
  return `A document just at the threshold was looked at: ${parts.join(', ')}.`;
}

/** `certainly`, `in 95 of 100 cases` */
export function chanceWords(chance: number): string {
  if (chance >= 0.9995) return 'as good as certainly';
  if (chance <= 0) return 'nobody can say how likely';
  if (chance >= 0.995) return `in ${count(Math.floor(chance * 1000))} of 1,000 cases or more`;
  const of100 = Math.floor(chance * 100);
  return of100 === 0 ? 'in fewer than 1 of 100 cases' : `in ${of100} of 100 cases or more`;
}

interface Limit {
  readonly code: string;
  readonly affected: number;
  readonly of: number;
  readonly raise?: { readonly setting: string; readonly to: number };
  readonly thoroughReads?: number;
}

/** What brings the rest, where it is known. */
function remedyOf({ raise, thoroughReads }: Limit): string {
  const ways = [
    ...(thoroughReads === undefined ? [] : [`“every copy to the last” reads ${counted(thoroughReads, 'document')}`]),
    ...(raise === undefined ? [] : [`the service leaves none out with ${raise.setting}=${raise.to}`]),
  ];
  return ways.length === 0 ? '' : ` To get the rest: ${ways.join('; ')}.`;
}

const LIMITS: Readonly<Record<string, (limit: Limit) => string>> = {
  candidates: (limit) =>
    `Not read, though they may share enough: ${counted(limit.affected, 'document')}. A higher threshold leaves fewer.${remedyOf(limit)}`,
  'look-ups': (limit) =>
    `Not looked up: ${count(limit.affected)} of ${counted(limit.of, 'shingle')}.${remedyOf(limit)}`,
  'capped-lists': ({ affected, of }) =>
    `So common that only a part of their documents was read: ${count(affected)} of ${counted(of, 'shingle')}.`,
  deadline: () => 'The time was up before all was done: this is what was found by then.',
  template: ({ affected }) =>
    `Made of fewer pages, since some could not be read: what pages of ${counted(affected, 'host')} have in common.`,
  unreadable: ({ affected }) => `Could not be read in the index: ${counted(affected, 'value')}.`,
  members: ({ affected }) => `In sight, and not listed: ${counted(affected, 'more text')}.`,
  contents: ({ affected }) => `Shown once by this URL, and not looked for: ${counted(affected, 'older text')}.`,
  sources: ({ affected }) => `Too many to be read: the URLs of ${counted(affected, 'text')}.`,
  'source-counts': ({ affected }) => `Counted to a limit only: the URLs of ${counted(affected, 'text')}.`,
  'answer-bytes': () => 'The answer would have been too large: not all URLs are listed.',
  passages: ({ affected }) => `Not shown: ${counted(affected, 'passage')}.`,
  'passages-need-text': () => 'Passages need the text itself: of this URL only its fingerprint is known.',
  'passages-text': () => 'Passages were looked for in the beginning of the text only.',
  'differences-need-text': () => 'To mark differences both texts are needed, and the index keeps none.',
  'differences-text': () => 'Only the beginning of the texts was compared.',
  'differences-spans': () => 'There are more differences than are told.',
};

/** What a limit left out. */
export function limitSentence(limit: Limit): string {
  return (
    LIMITS[limit.code]?.(limit) ?? `A limit was met: ${limit.code} (${count(limit.affected)} of ${count(limit.of)}).`
  );
}

const FAULTS: Readonly<Record<string, string>> = {
  unauthorized: 'This service wants a key.',
  forbidden: 'Your key does not allow this.',
  'unknown-url': 'The index does not know this URL.',
  'invalid-cursor': 'What was asked about has changed since the first matches came.',
  'empty-document': 'There are no words in it.',
  'body-too-large': 'The document is too large.',
  'invalid-url': 'This is not a URL that can be asked for.',
  'not-fetchable': 'This URL may not be fetched.',
  'robots-disallowed': 'The site asks robots not to fetch this page.',
  'fetch-failed': 'The page could not be fetched.',
  'fetch-status': 'The page answered with an error.',
  'fetch-timeout': 'The page did not answer in time.',
  overloaded: 'The service is too busy right now.',
  'rate-limited': 'Too many questions in a short time.',
  draining: 'The service is being stopped.',
  'deadline-exceeded': 'The time was up before there was an answer.',
};

/** A heading for an error; its detail says the rest. */
export function faultWords(code: string, title: string): string {
  return FAULTS[code] ?? `${title}.`;
}
