import { ShingledError } from '../errors.ts';
import type { Access, CollapseAnswer, CollapseMember, CollapseRequest, DocumentReference } from './api.ts';
import { elapsedMs, type ServiceContext } from './context.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import { createGroups } from './groups.ts';
import { checkAsked, checkDeadline, checkWhole } from './options.ts';
import { equivalenceOf, falseMatchesOf, type Pair, printPair } from './pair.ts';
import { obtainReference, type Query, readObtained } from './query.ts';

/*
 * A page of results -> groups of near-copies, in the order of the page.
 *
 *   for each result in order: join the first representative that it meets directly, else become one
 *
 * No chaining: every member meets its own representative, not just another member. Each result is in exactly one group; one
 * that cannot be compared (not indexed, no words, not read by the deadline) stands alone and is named in `unknown`.
 */

type Reason = CollapseAnswer['unknown'][number]['reason'];
type Resolved = Query | Reason;

/** @throws ShingledError `invalid-request`, `forbidden`, `overloaded` */
export async function collapse(
  context: ServiceContext,
  request: CollapseRequest,
  access: Access,
  signal?: AbortSignal,
): Promise<CollapseAnswer> {
  const startedAt = performance.now();
  const { results, thresholds, deadlineMs } = request;
  checkAsked(thresholds);
  checkDeadline(deadlineMs, context.limits);
  checkWhole('results', results.length, 0, context.limits.collapseResultsMax, 'collapseResultsMax');
  if (request.fetch && !access.mayFetch) {
    throw new ShingledError('forbidden', 'Fetching needs the scope fetch.', { field: 'fetch' });
  }
  return withDeadline(deadlineMs, signal, (deadline) => {
    const answer = async (): Promise<CollapseAnswer> => {
      const resolved = await resolveResults(context, results, request.fetch, deadline);
      const grouped = await groupInOrder(context, resolved, request, deadline);
      const complete = grouped.unknown.every(({ reason }) => reason !== 'deadline');
      return { ...grouped, complete, elapsedMs: elapsedMs(startedAt) };
    };
    return context.queries.run(answer, deadline, 'refuse');
  });
}

/** What is known of each result, or why nothing is; some at a time, in order, until the deadline. */
async function resolveResults(
  context: ServiceContext,
  results: readonly DocumentReference[],
  mayFetch: boolean,
  deadline: Deadline,
): Promise<Resolved[]> {
  const resolved = new Array<Resolved>(results.length).fill('deadline');
  // a record's sample is enough: a page of long documents known whole would be hundreds of megabytes
  const { recordModulusMax: modulusMax } = context.store.description;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < results.length && !deadline.passed) {
      const index = next++;
      try {
        const access = { caller: context.caller, mayFetch, refresh: false };
        const obtained = await obtainReference(context, results[index]!, access, `results[${index}].`, deadline);
        resolved[index] = await readObtained(context, obtained, { keepText: false, modulusMax, wholeMax: 0 }, deadline);
      } catch (error) {
        deadline.throwIfGivenUp();
        resolved[index] = deadline.passed ? 'deadline' : reasonOf(error);
      }
    }
  };
  await Promise.all(Array.from({ length: context.limits.collapseInFlightMax }, work));
  return resolved;
}

/** @throws what is a fault of ours and not the result's */
function reasonOf(error: unknown): Reason {
  if (!(error instanceof ShingledError)) throw error;
  switch (error.code) {
    case 'unknown-url':
      return 'not-indexed';
    case 'empty-document':
      return 'empty-document';
    case 'fetch-failed':
    case 'fetch-status':
    case 'fetch-timeout':
    case 'fetch-too-large':
    case 'robots-disallowed':
      return 'fetch-failed';
    case 'internal':
    case 'index-unreadable':
    case 'overloaded':
    case 'draining':
      throw error;
    default:
      return 'unusable';
  }
}

async function groupInOrder(
  { turns }: ServiceContext,
  resolved: readonly Resolved[],
  { thresholds }: CollapseRequest,
  deadline: Deadline,
): Promise<Pick<CollapseAnswer, 'groups' | 'unknown'>> {
  const groups = createGroups(thresholds);
  const members = new Map<number, CollapseMember[]>();
  const unknown: CollapseAnswer['unknown'][number][] = [];
  for (const [result, query] of resolved.entries()) {
    if (turns.spent()) await turns.next();
    deadline.throwIfGivenUp();
    const reason = typeof query === 'string' ? query : deadline.passed ? 'deadline' : null;
    if (typeof query === 'string' || reason !== null) {
      unknown.push({ result, reason: reason ?? 'deadline' });
      members.set(result, []);
      continue;
    }
    const joined = groups.join(query, result);
    if (joined === null) members.set(result, []);
    else members.get(joined.representative)!.push(printMember(result, query, joined, thresholds));
  }
  return { groups: Array.from(members, ([representative, of]) => ({ representative, members: of })), unknown };
}

function printMember(
  result: number,
  query: Query,
  { of, pair }: { readonly of: Query; readonly pair: Pair },
  thresholds: CollapseRequest['thresholds'],
): CollapseMember {
  const { resemblance, aInB, bInA } = printPair(pair, thresholds, falseMatchesOf(pair));
  return {
    result,
    equivalence: equivalenceOf(query.bytesDigest === of.bytesDigest, query, of),
    resemblance,
    resultInRepresentative: aInB,
    representativeInResult: bInA,
  };
}
