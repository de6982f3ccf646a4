import type { CompareAnswer, CompareRequest } from '../api.ts';
import { elapsedMs, type ServiceContext } from '../context.ts';
import { type Deadline, obtainAndAnswer } from '../deadline.ts';
import { checkWish, obtainReference } from '../document/obtain.ts';
import { comparePairInTurns, equivalenceOf, falseMatchesOf, printPair, WHOLE_SHINGLES_MAX } from '../document/pair.ts';
import { describeQuery, readObtained } from '../document/query.ts';
import { ANSWER_MS } from '../limits.ts';
import { checkDeadline, checkThresholds } from '../options.ts';
import { inPlace } from '../place.ts';
import { passagesBetween } from '../similar/match-passages.ts';
import { whyNot } from './why-not.ts';

const NO_PASSAGES = { passages: null, limits: [] };

/**
 * Two documents side by side: exact where both are in hand, or so short that the index keeps all of them; else estimated.
 * Stores nothing.
 *
 * @throws ShingledError as `similar` does; fields begin with `a.` or `b.`
 */
export async function compare(
  context: ServiceContext,
  request: CompareRequest,
  signal?: AbortSignal,
): Promise<CompareAnswer> {
  const startedAt = performance.now();
  const { fetch, deadlineMs } = request;
  const { resemblance, aInB, bInA } = request.thresholds;
  const thresholds = { resemblance, queryInMatch: aInB, matchInQuery: bInA };
  checkThresholds({ ...request.thresholds });
  checkDeadline(deadlineMs, context.limits);
  checkWish(fetch, [request.a, request.b]);
  // texts are wanted for a's passages, and to tell how two given documents differ that have the same words
  const bothGiven = request.a.body !== null && request.b.body !== null;
  const patience = { obtainMs: context.limits.deadlineMsMax, answerMs: ANSWER_MS };
  const obtain = (deadline: Deadline) =>
    Promise.all([
      obtainReference(context, request.a, 'a.', fetch, deadline),
      obtainReference(context, request.b, 'b.', fetch, deadline),
    ]);
  return obtainAndAnswer(deadlineMs, patience, signal, obtain, ([obtainedA, obtainedB], deadline) => {
    const answer = async (): Promise<CompareAnswer> => {
      const read = { keepText: bothGiven, modulusMax: 1, wholeMax: WHOLE_SHINGLES_MAX };
      const [a, b] = await Promise.all([
        readObtained(context, obtainedA, { ...read, keepText: bothGiven || request.passages }, deadline),
        readObtained(context, obtainedB, read, deadline),
      ]);
      const pair = await comparePairInTurns(a, b, context.turns);
      const { passages, limits } = request.passages ? await passagesBetween(context, a, b) : NO_PASSAGES;
      const { fingerprintId } = context.identity;
      if (context.turns.spent()) await context.turns.next();
      const printed = printPair(pair, thresholds, falseMatchesOf(pair));
      const isExact = 'exact' in printed.resemblance;
      return {
        a: describeQuery(a, fingerprintId),
        b: describeQuery(b, fingerprintId),
        equivalence: equivalenceOf(a.bytesDigest === b.bytesDigest, a, b),
        ...printed,
        ...(passages === null ? {} : { passages }),
        whyNot: await whyNot(context, a, b, pair, thresholds, isExact),
        limits,
        elapsedMs: elapsedMs(startedAt),
      };
    };
    return inPlace(context, answer, { until: deadline, cost: 2 });
  });
}
