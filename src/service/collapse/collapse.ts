import { ShingledError } from '../../errors.ts';
import { type Deadline, endsWithin, withDeadline } from '../../sharing/deadline.ts';
import type { CollapseAnswer, CollapseRequest } from '../api.ts';
import { elapsedMs, type ServiceContext, type TimedContext } from '../context.ts';
import { checkCount, checkDeadline, checkThresholds, checkWhole } from '../options.ts';
import { printAnswer, type ShownGroups, showGroups } from './collapse-answer.ts';
import { formGroups } from './groups.ts';
import { listResults, preferenceBy } from './listed-result.ts';
import { ResultReader } from './result-reader.ts';

/*
 * A list of results -> what is shown of it, without near-copies.
 *
 *   results ─┬─ index, bodies, captions ─ groups ─ shown ─ answer
 *            └─ fetched: what is missing ─ groups ─ shown ─ answer           where that is asked for, and in time
 *
 * What is known is always grouped and answered. The deadline bounds what is read and fetched beside it: what it cuts off
 * stands alone, is named in `unknown` and counted in `limits`. Fetching waits outside of the places for queries.
 */

/** How long a process for selectors and files may take to begin: on a machine that has time it takes 0.2 s. */
const BEGIN_MS = 5000;
/** How long after the deadline what is always done may take. It takes milliseconds, unless the disk hangs. */
const GRACE_MS = 1000;
/** More than this, and hardly a page would be held by another. */
const MINIMUM_SHINGLES_MAX = 10_000;
/** Titles and snippets are read whatever the deadline says: search pages show some 60 and 300 bytes. */
const TITLE_BYTES_MAX = 2000;
const SNIPPET_BYTES_MAX = 10_000;
/** Each is said again in the answer. */
const ID_CHARACTERS_MAX = 1000;

/** @throws ShingledError `invalid-request`, `forbidden`, `overloaded`; `deadline-exceeded` where nothing was known yet */
export async function collapse(
  context: ServiceContext,
  request: CollapseRequest,
  signal?: AbortSignal,
): Promise<CollapseAnswer> {
  const startedAt = performance.now();
  check(context, request);
  const { limits, turns, places, caller } = context;
  const { deadlineMs, fetch, urls } = request;
  await beginReading(context, request);
  return withDeadline(deadlineMs + GRACE_MS, signal, (last) =>
    withDeadline(deadlineMs, signal, async (deadline) => {
      const timed = { ...context, deadline };
      const reader = new ResultReader(timed, await listResults(request.results, urls, limits.urlBytesMax, turns));
      const cost = Math.min(request.results.length, limits.collapseInFlightMax);
      const first = await places.run(caller, { until: deadline, cost }, () =>
        readAndGroup(timed, request, reader, last),
      );
      const isMore = fetch === 'auto' && reader.isAnyMissing;
      const shown = isMore ? ((await groupFetched(timed, request, reader, last)) ?? first) : first;
      const answer = await printAnswer(reader.results, shown, request.minimumShingles, turns);
      const left = reader.limits;
      return { ...answer, complete: left.length === 0, limits: left, elapsedMs: elapsedMs(startedAt) };
    }),
  );
}

/** To begin what reads large documents, selections and files takes longer than results may wait: it counts for no deadline. */
async function beginReading({ documents }: ServiceContext, { results, fetch }: CollapseRequest): Promise<void> {
  const given = results.flatMap(({ body, select, remove }) => {
    const isRead = body !== null || (fetch === 'auto' && (select ?? remove) !== null);
    return isRead ? [{ ...(body ?? NOT_FETCHED_YET), select, remove }] : [];
  });
  const apart = given.filter((input) => documents.isReadApart(input));
  if (apart.length > 0) await endsWithin(BEGIN_MS, documents.begunApart(apart));
}

const NOT_FETCHED_YET = { bytes: new Uint8Array(), contentType: null };

function check({ limits, mayFetch }: ServiceContext, request: CollapseRequest): void {
  const { results, thresholds, minimumShingles, perHost, want, deadlineMs, fetch } = request;
  const { collapseResultsMax: most } = limits;
  checkThresholds({ ...thresholds });
  checkDeadline(deadlineMs, limits);
  checkCount('results', results.length, most, 'collapseResultsMax');
  checkWhole('minimumShingles', minimumShingles, 0, MINIMUM_SHINGLES_MAX, 'minimumShinglesMax');
  if (perHost !== null) checkWhole('perHost', perHost, 1, most, 'collapseResultsMax');
  if (want !== null) checkWhole('want', want, 1, most, 'collapseResultsMax');
  for (const [i, { title, snippet, id }] of results.entries()) {
    const ofId = `results[${i}].id`;
    checkCount(`results[${i}].title`, title?.length ?? 0, TITLE_BYTES_MAX, 'titleBytesMax', 'bytes');
    checkCount(`results[${i}].snippet`, snippet?.length ?? 0, SNIPPET_BYTES_MAX, 'snippetBytesMax', 'bytes');
    if (typeof id === 'string') checkCount(ofId, id.length, ID_CHARACTERS_MAX, 'idCharactersMax', 'characters');
  }
  if (fetch === 'auto' && !mayFetch) {
    throw new ShingledError('forbidden', 'Fetching needs the scope fetch.', { field: 'fetch' });
  }
}

async function readAndGroup(
  context: TimedContext,
  request: CollapseRequest,
  reader: ResultReader,
  last: Deadline,
): Promise<ShownGroups> {
  const { deadline } = context;
  try {
    await reader.readIndex(request.prefer === 'oldest', last);
    await reader.readBodies();
    await reader.readIndexForLate(last);
  } catch (error) {
    throw last.passed ? deadline.error : error;
  }
  await reader.readCaptions();
  if (reader.isNothingInTime) throw deadline.error;
  return group(context, request, reader, last);
}

/** What to show with what was fetched in time; null where there is no place by then. */
async function groupFetched(
  context: TimedContext,
  request: CollapseRequest,
  reader: ResultReader,
  last: Deadline,
): Promise<ShownGroups | null> {
  await reader.fetchMissing();
  try {
    const wish = { until: last, patient: true };
    return await context.places.run(context.caller, wish, () => group(context, request, reader, last));
  } catch (error) {
    context.deadline.throwIfGivenUp();
    if (error instanceof ShingledError && error.code === 'deadline-exceeded') return null;
    throw error;
  }
}

async function group(
  context: TimedContext,
  request: CollapseRequest,
  reader: ResultReader,
  last: Deadline,
): Promise<ShownGroups> {
  const { results } = reader;
  if (request.content !== 'page') await reader.readContents(last);
  const preferenceOf = preferenceBy(request.prefer, request.urls);
  return showGroups(await formGroups(context, results, preferenceOf, request), results, request);
}
