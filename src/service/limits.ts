import type { MatchOptions, Thresholds } from './api.ts';

/** Every bound of the service by name; counts, bytes and ms as the name says. */
export interface ServiceLimits {
  /** Requests worked for at a time, half of them of one caller at most; more would only share the same cores. */
  readonly requestsInFlightMax: number;
  /** Requests of one caller that wait for that; beyond it they are told `overloaded` at once instead of timing out. */
  readonly requestsWaitingMax: number;
  /** Lines of one batch of queries that are under way at a time. */
  readonly batchLinesInFlightMax: number;
  /** Lines of one bulk request that are under way at a time: several batches for each worker and for the committer. */
  readonly bulkLinesInFlightMax: number;
  /** Bytes of their documents, one line more: large ones keep the workers busy in smaller numbers. */
  readonly bulkBytesInFlightMax: number;
  /** How long a bulk line waits for room in a full queue before it fails with that queue's code. */
  readonly bulkWaitMs: number;
  /** Contents whose records are read for one query. */
  readonly candidatesMax: number;
  /** Fingerprints looked up for one query. */
  readonly lookUpsMax: number;
  /** Matches, sources or versions on one page. */
  readonly limitMax: number;
  readonly sourcesPerMatchMax: number;
  /** `sourceCount` counts so far. */
  readonly sourceCountMax: number;
  /** Sources read for one answer, all matches together. */
  readonly sourcesReadMax: number;
  /** Hosts and URLs that one query may exclude, each, and hosts that it may ask for. */
  readonly excludeMax: number;
  /** Passages of one match. */
  readonly passagesMax: number;
  /** UTF-8 bytes of the query's text that passages are looked for in: they are found on the event loop. */
  readonly passagesTextBytesMax: number;
  /** Nearest documents named in the answer to a put. */
  readonly putSimilarMax: number;
  /** Time for naming them; the write has been acknowledged by then. */
  readonly putSimilarMs: number;
  readonly deadlineMsMax: number;
  /** How far ahead of now a document may claim to have been observed: clocks differ, centuries do not. */
  readonly futureObservedMs: number;
  /** UTF-8 bytes of `meta` as JSON. */
  readonly metaBytesMax: number;
  /** UTF-8 bytes of a URL, as given and as normalised. */
  readonly urlBytesMax: number;
  readonly collapseResultsMax: number;
  /** Results of one collapse that are read or fetched at a time. */
  readonly collapseInFlightMax: number;
  /** A backup or compaction that takes longer is answered 202 and goes on. */
  readonly upkeepWaitMs: number;
  /** Work on the event loop yields after so long. */
  readonly sliceMs: number;
  /** Expired contents are looked for so often, at most `sweepMax` at a time. */
  readonly sweepIntervalMs: number;
  readonly sweepMax: number;
}

export const SERVICE_LIMITS: ServiceLimits = {
  requestsInFlightMax: 32,
  requestsWaitingMax: 128,
  batchLinesInFlightMax: 8,
  bulkLinesInFlightMax: 512,
  bulkBytesInFlightMax: 4 * 2 ** 20,
  bulkWaitMs: 30_000,
  candidatesMax: 256,
  lookUpsMax: 4096,
  limitMax: 1000,
  sourcesPerMatchMax: 1000,
  sourceCountMax: 1000,
  sourcesReadMax: 10_000,
  excludeMax: 1000,
  passagesMax: 20,
  passagesTextBytesMax: 256 * 1024,
  putSimilarMax: 100,
  putSimilarMs: 1000,
  deadlineMsMax: 60_000,
  futureObservedMs: 24 * 3_600_000,
  metaBytesMax: 4096,
  urlBytesMax: 2048,
  collapseResultsMax: 1000,
  collapseInFlightMax: 16,
  upkeepWaitMs: 60_000,
  sliceMs: 4,
  sweepIntervalMs: 60_000,
  sweepMax: 1000,
};

/** What counts as a match where the caller does not say: half the same, or nearly all of mine in theirs. */
export const DEFAULT_THRESHOLDS: Thresholds = { resemblance: 0.5, queryInMatch: 0.8, matchInQuery: null };

/** What is asked for where the caller does not say. */
export const DEFAULT_MATCH_OPTIONS: MatchOptions = {
  thresholds: DEFAULT_THRESHOLDS,
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
  fetch: 'auto',
  deadlineMs: null,
};

/** Time to answer, from when the documents are at hand, where the caller does not say. */
export const ANSWER_MS = 1000;
