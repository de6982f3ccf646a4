import { defaultsOf } from '../limit-row.ts';
import type { MatchOptions, Thresholds } from './api.ts';

/** Results of one call of collapse that are read or fetched at a time: fetching waits mostly, and others need room, too. */
const COLLAPSE_IN_FLIGHT_MAX = 16;

/** What one call may cost and how many are served, as far as a deployment may set it; counts, bytes and ms. */
export const SERVICE_LIMIT_ROWS = {
  requestsInFlightMax: {
    default: 32,
    minimum: 1,
    maximum: 1024,
    description: `Requests worked for at a time, half of them of one caller at most. A call of collapse counts as ${COLLAPSE_IN_FLIGHT_MAX}.`,
    reason: 'More would only share the same cores.',
  },
  requestsWaitingMax: {
    default: 128,
    minimum: 0,
    maximum: 100_000,
    description: 'Requests of one caller that wait for that; further ones are answered 503 at once.',
    reason: 'At a few milliseconds a request the last in line waits well under a second.',
  },
  candidatesMax: {
    default: 256,
    minimum: 1,
    maximum: 100_000,
    description: 'Documents whose records are read for one query, those with most shingles in common first.',
    reason: 'A page of results is ten; the answer says so where more shared anything.',
  },
  lookUpsMax: {
    default: 4096,
    minimum: 64,
    maximum: 32_767,
    description: 'Shingles looked up for one query.',
    reason: 'Resemblance needs at most 96 in the mean; short documents inside a long one need this many.',
  },
  passagesTextBytesMax: {
    default: 256 * 1024,
    minimum: 1024,
    maximum: 64 * 2 ** 20,
    description: 'Bytes of the text of a query in which passages are looked for.',
    reason: 'They are found on the event loop, which others wait for.',
  },
  putSimilarMs: {
    default: 1000,
    minimum: 1,
    maximum: 60_000,
    description: 'Time for naming the nearest documents of a put.',
    reason: 'The write is acknowledged by then: the rest is a courtesy.',
  },
  metaBytesMax: {
    default: 4096,
    minimum: 0,
    maximum: 2 ** 20,
    description: 'Bytes of `meta` as JSON.',
    reason: 'Notes beside a document, not the document.',
  },
  urlBytesMax: {
    default: 2048,
    minimum: 100,
    maximum: 8192,
    description: 'Bytes of a URL, as given and as normalised.',
    reason: 'Browsers and servers part ways beyond it; it is part of index keys.',
  },
};

/** What no deployment would set. */
const FIXED = {
  /** Lines of one bulk request under way: full batches in all workers; a document costs a tenth less than at 128. */
  bulkLinesInFlightMax: 512,
  /** Bytes of their documents, one line more: eight batches of the workers, and more would only wait in memory. */
  bulkBytesInFlightMax: 4 * 2 ** 20,
  /** Lines of one batch of queries under way: a quarter of the places, so that single queries keep flowing. */
  batchLinesInFlightMax: 8,
  /** How long a bulk line waits for room before it fails with that queue's code: a minute of silence looks like a hang. */
  bulkWaitMs: 30_000,
  /** Matches, sources or versions on one page: a longer list has a cursor. */
  limitMax: 1000,
  /** Sources listed for one match: the rest is paged through by GET /documents. */
  sourcesPerMatchMax: 1000,
  /** The most sources that are read of one match: whether one holds the very bytes, and how many pass a filter. */
  sourcesWantedMax: 1000,
  /** Sources read for one answer, all matches together: bounds an answer over families of thousands of copies. */
  sourcesReadMax: 10_000,
  /** Candidates of a thorough query, and sources that it may list of one match: a family of ten thousand, read in 70 ms. */
  copiesMax: 10_000,
  /** Values of their samples, all together: 32 MiB, in which 8,000 pages of 3 KB have room, or 3,000 of 30 KB. */
  copiesValuesMax: 2 ** 22,
  /** Places that it takes, each of 4 MiB: for samples and what is beside them. */
  copiesPlaces: 10,
  /** Sources that are read of earlier pages for the hosts at the end of a thorough query: two of each candidate. */
  hostSourcesMax: 20_000,
  /** Hosts and URLs that one query may exclude, each, and hosts that it may ask for: longer lists belong on the client. */
  excludeMax: 1000,
  /** Documents looked at for one page of a list, half a second's work: where few pass its filters, pages are short. */
  examinedMax: 100_000,
  /** Steps of lists that are read at a time, half of them of one caller at most: each is 2 ms of the event loop in no turn. */
  scansMax: 4,
  /**
   * Bytes of an answer, about: a page of it ends there, and its cursor goes on. What holds more of documents than this has
   * other calls, and nobody reads so much at once.
   */
  answerBytesMax: 4 * 2 ** 20,
  /** One call deletes of a selection for so long, less than clients and proxies wait; the next one does the rest. */
  forgetMs: 20_000,
  /** Nearest documents named in the answer to a put: a crawler decides by a few. */
  putSimilarMax: 100,
  /** The latest deadline that a call may ask for: proxies and clients give up after a minute. */
  deadlineMsMax: 60_000,
  /** Bytes of each of two texts in which differences are looked for: a long book, compared in half a second. */
  differencesTextBytesMax: 4 * 2 ** 20,
  /** Spans of a text that are told: more than a page can draw, in half a megabyte of JSON. */
  differencesSpansMax: 10_000,
  /** A page of results, generously: pairs grow with the square. */
  collapseResultsMax: 1000,
  collapseInFlightMax: COLLAPSE_IN_FLIGHT_MAX,
  /** Time for a cluster where the caller does not say: one of a thousand contents takes a quarter of it. */
  clusterMs: 2000,
  /** Contents that are compared for one cluster, members or not: ten times as many as it may have. */
  clusterKnownMax: 10_000,
  /** Values of their samples, all together: some 30 MB while the cluster is grown. */
  clusterValuesMax: 2 ** 20,
  /** A backup or compaction that takes longer is answered 202 and goes on: proxies wait about so long. */
  upkeepWaitMs: 60_000,
  /** Work on the event loop makes way for others after so long: keeps the delay of other requests under 20 ms. */
  sliceMs: 4,
  /** Expired contents are looked for so often: they are kept for months, and a minute more does not matter. */
  sweepIntervalMs: 60_000,
  /** Contents looked at in one such sweep: it stays under a second, and the next follows at once. */
  sweepMax: 1000,
};

/** Every bound of the service by name. */
export const SERVICE_LIMITS = { ...defaultsOf(SERVICE_LIMIT_ROWS), ...FIXED };
export type ServiceLimits = Readonly<typeof SERVICE_LIMITS>;

/** What counts as a match where the caller does not say: half the same, or nearly all of mine in theirs. */
export const DEFAULT_THRESHOLDS: Thresholds = { resemblance: 0.5, queryInMatch: 0.8, matchInQuery: null };

/** What is asked for where the caller does not say. */
export const DEFAULT_MATCH_OPTIONS: MatchOptions = {
  thresholds: DEFAULT_THRESHOLDS,
  content: 'page',
  limit: 10,
  cursor: null,
  sort: 'resemblance',
  sourcesPerMatch: 10,
  groupBy: null,
  include: ['live', 'gone'],
  exclude: { hosts: [], urls: [] },
  only: { hosts: null, urlPrefix: null, meta: null, seenAfter: null },
  passages: false,
  undecided: 'exclude',
  thorough: false,
  fetch: 'auto',
  deadlineMs: null,
};

/** Time to answer, from when the documents are at hand, where the caller does not say. */
export const ANSWER_MS = 1000;

/** Which cluster is asked for where the caller does not say: of a page whole, but for huge families. */
export const DEFAULT_CLUSTER_OPTIONS = {
  threshold: 0.5,
  by: 'resemblance',
  content: 'page',
  limit: 1000,
  sourcesPerMember: 10,
} as const;
