import { SERVICE_LIMITS, type ServiceLimits } from '../service/limits.ts';
import { limitSettings, row } from './limit-settings.ts';

const DAY_MS = 86_400_000;
const MIB = 2 ** 20;

/** What one call may cost, and how many are served at a time. */
export const serviceLimitSettings = limitSettings<'', ServiceLimits>('', SERVICE_LIMITS, {
  requestsInFlightMax: row(
    1,
    1024,
    'Requests worked for at a time, half of them of one caller at most. A call of collapse counts as COLLAPSE_IN_FLIGHT_MAX.',
    'More would only share the same cores.',
  ),
  requestsWaitingMax: row(
    0,
    100_000,
    'Requests of one caller that wait for that; further ones are answered 503 at once.',
    'At a few milliseconds a request the last in line waits well under a second.',
  ),
  batchLinesInFlightMax: row(
    1,
    1024,
    'Lines of one batch of queries under way at a time.',
    'One batch takes a quarter of the places, so that single queries keep flowing.',
  ),
  bulkLinesInFlightMax: row(
    1,
    10_000,
    'Lines of one bulk request under way at a time.',
    'Enough for full batches in all workers and before the committer; a document costs a tenth less than at 128.',
  ),
  bulkBytesInFlightMax: row(
    1024,
    64 * MIB,
    'Bytes of documents of one bulk request under way at a time, but for the last one; further lines wait.',
    'Eight batches of the workers: more would only wait in memory.',
  ),
  bulkWaitMs: row(
    0,
    600_000,
    'How long a bulk line waits for room in a full queue before it fails.',
    'A bulk client would rather wait than send again; a minute of silence would look like a hang.',
  ),
  candidatesMax: row(
    1,
    100_000,
    'Documents whose records are read for one query, those with most shingles in common first.',
    'A page of results is ten; the answer says so where more shared anything.',
  ),
  lookUpsMax: row(
    64,
    32_767,
    'Shingles looked up for one query.',
    'Resemblance needs at most 96 in the mean; short documents inside a long one need this many.',
  ),
  limitMax: row(1, 100_000, 'Matches, sources or versions on one page.', 'A longer list has a cursor.'),
  sourcesPerMatchMax: row(1, 100_000, 'Sources listed for one match.', 'The rest is paged through by GET /documents.'),
  sourceCountMax: row(1, MIB, 'Sources are counted so far.', 'Counting reads a row each.'),
  sourcesReadMax: row(
    100,
    10 * MIB,
    'Sources read for one answer, all matches together.',
    'Bounds an answer over families of thousands of copies.',
  ),
  excludeMax: row(
    0,
    100_000,
    'Hosts, and URLs, that one query may exclude; and hosts that it may ask for.',
    'Longer lists belong on the client.',
  ),
  passagesMax: row(1, 10_000, 'Passages shown of one match.', 'Of more the longest are shown; a person reads a few.'),
  passagesTextBytesMax: row(
    1024,
    64 * MIB,
    'Bytes of the text of a query in which passages are looked for.',
    'They are found on the event loop, which others wait for.',
  ),
  putSimilarMax: row(0, 1000, 'Nearest documents named in the answer to a put.', 'A crawler decides by a few.'),
  putSimilarMs: row(
    1,
    60_000,
    'Time for naming the nearest documents of a put.',
    'The write is acknowledged by then: the rest is a courtesy.',
  ),
  deadlineMsMax: row(
    1,
    600_000,
    'The latest deadline that a call may ask for.',
    'Proxies and clients give up after a minute.',
  ),
  futureObservedMs: row(
    0,
    366 * DAY_MS,
    'How far ahead of now a document may claim to have been seen.',
    'Clocks and time zones differ by less than a day.',
  ),
  metaBytesMax: row(0, MIB, 'Bytes of `meta` as JSON.', 'Notes beside a document, not the document.'),
  urlBytesMax: row(
    100,
    8192,
    'Bytes of a URL, as given and as normalised.',
    'Browsers and servers part ways beyond it; it is part of index keys.',
  ),
  collapseResultsMax: row(
    1,
    10_000,
    'Results in one call of collapse.',
    'A page of results, generously: pairs grow with the square.',
  ),
  collapseInFlightMax: row(
    1,
    1024,
    'Results of one call of collapse that are read or fetched at a time.',
    'Enough to hide the latency of fetching, few enough to leave room for others.',
  ),
  upkeepWaitMs: row(
    0,
    3_600_000,
    'A backup or compaction that takes longer is answered 202 and goes on; `/stats` tells the rest.',
    'Proxies wait about so long.',
  ),
  sliceMs: row(
    1,
    1000,
    'Work on the event loop makes way for others after so long.',
    'Keeps the delay of other requests under 20 ms.',
  ),
  sweepIntervalMs: row(
    1000,
    DAY_MS,
    'How often contents whose retention has run out are looked for.',
    'They are kept for months; a minute more does not matter.',
  ),
  sweepMax: row(1, MIB, 'Contents looked at in one such sweep.', 'A sweep stays under a second.'),
});
