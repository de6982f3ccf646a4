import { ShingledError } from '../../errors.ts';
import type { CollapseAnswer, CollapseRequest } from '../api.ts';
import { elapsedMs, type ServiceContext } from '../context.ts';
import { type Deadline, withDeadline } from '../deadline.ts';
import { checkCount, checkDeadline, checkThresholds, checkWhole } from '../options.ts';
import { inPlace } from '../place.ts';
import { printAnswer, type ShownGroups, showGroups } from './collapse-answer.ts';
import { formGroups } from './groups.ts';
import { listResults, preferenceBy } from './listed-result.ts';
import { ResultReader } from './result-reader.ts';

/*
 * A list of results -> what is shown of it, without near-copies.
 *
 *   results ─┬─ index, bodies, snippets ─ groups ─ shown ─ answer
 *            └─ fetched: what is missing ─ groups ─ shown ─ answer           where that is asked for, and in time
 *
 * What is known is always grouped and answered. The deadline bounds what is read and fetched beside it: what it cuts off
 * stands alone, is named in `unknown` and counted in `limits`. Fetching waits outside of the places for queries.
 */

/** How long after the deadline what is always done may take. It takes milliseconds, unless the disk hangs. */
const GRACE_MS = 1000;
/** More than this, and hardly a page would be held by another. */
const MINIMUM_SHINGLES_MAX = 10_000;
/** Snippets are read whatever the deadline says: search pages show some 300 bytes. */
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
  const { deadlineMs, fetch } = request;
  return withDeadline(deadlineMs + GRACE_MS, signal, (last) =>
    withDeadline(deadlineMs, signal, async (deadline) => {
      const listed = await listResults(request.results, request.urls, context.limits.urlBytesMax, context.turns);
      const reader = new ResultReader(context, listed);
      const first = await inPlace(context, () => readAndGroup(context, request, reader, deadline, last), {
        until: deadline,
        cost: Math.min(request.results.length, context.limits.collapseInFlightMax),
      });
      const isMore = fetch === 'auto' && reader.isAnyMissing;
      const shown = isMore ? ((await groupFetched(context, request, reader, deadline, last)) ?? first) : first;
      const { limits } = reader;
      const answer = await printAnswer(reader.results, shown, request.minimumShingles, context.turns);
      return { ...answer, complete: limits.length === 0, limits, elapsedMs: elapsedMs(startedAt) };
    }),
  );
}

function check({ limits, mayFetch }: ServiceContext, request: CollapseRequest): void {
  const { results, thresholds, minimumShingles, perHost, want, deadlineMs, fetch } = request;
  const { collapseResultsMax: most } = limits;
  checkThresholds({ ...thresholds });
  checkDeadline(deadlineMs, limits);
  checkCount('results', results.length, most, 'collapseResultsMax');
  checkWhole('minimumShingles', minimumShingles, 0, MINIMUM_SHINGLES_MAX, 'minimumShinglesMax');
  if (perHost !== null) checkWhole('perHost', perHost, 1, most, 'collapseResultsMax');
  if (want !== null) checkWhole('want', want, 1, most, 'collapseResultsMax');
  for (const [i, { snippet, id }] of results.entries()) {
    const [ofSnippet, ofId] = [`results[${i}].snippet`, `results[${i}].id`];
    checkCount(ofSnippet, snippet?.bytes.length ?? 0, SNIPPET_BYTES_MAX, 'snippetBytesMax', 'bytes');
    if (typeof id === 'string') checkCount(ofId, id.length, ID_CHARACTERS_MAX, 'idCharactersMax', 'characters');
  }
  if (fetch === 'auto' && !mayFetch) {
    throw new ShingledError('forbidden', 'Fetching needs the scope fetch.', { field: 'fetch' });
  }
}

async function readAndGroup(
  context: ServiceContext,
  request: CollapseRequest,
  reader: ResultReader,
  deadline: Deadline,
  last: Deadline,
): Promise<ShownGroups> {
  try {
    await reader.readIndex(request.prefer === 'oldest', last);
  } catch (error) {
    throw last.passed ? deadline.error : error;
  }
  await reader.readBodies(deadline);
  if (reader.isNothingInTime) throw deadline.error;
  await reader.readSnippets(deadline);
  return group(context, request, reader, deadline);
}

/** What to show with what was fetched in time; null where there is no place by then. */
async function groupFetched(
  context: ServiceContext,
  request: CollapseRequest,
  reader: ResultReader,
  deadline: Deadline,
  last: Deadline,
): Promise<ShownGroups | null> {
  await reader.fetchMissing(deadline);
  try {
    return await inPlace(context, () => group(context, request, reader, last), { until: last, isPatient: true });
  } catch (error) {
    deadline.throwIfGivenUp();
    if (error instanceof ShingledError && error.code === 'deadline-exceeded') return null;
    throw error;
  }
}

async function group(
  { turns }: ServiceContext,
  request: CollapseRequest,
  { results }: ResultReader,
  deadline: Deadline,
): Promise<ShownGroups> {
  const preferenceOf = preferenceBy(request.prefer, request.urls);
  return showGroups(await formGroups(results, preferenceOf, request, turns, deadline), results, request);
}
