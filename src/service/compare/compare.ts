import { ShingledError } from '../../errors.ts';
import { type Deadline, inTime } from '../../sharing/deadline.ts';
import { turnsUntil } from '../../sharing/turns.ts';
import type { CompareAnswer, CompareRequest, DocumentReference, LimitReached } from '../api.ts';
import { type ContentOutcome, decidingShares, printCompared } from '../content/content-pair.ts';
import { contentsBetween } from '../content/match-contents.ts';
import { elapsedMs, type ServiceContext } from '../context.ts';
import { refuseOfFeatures } from '../document/feature-sets.ts';
import { checkWish, obtainAndAnswer, obtainReference } from '../document/obtain.ts';
import { comparePairInTurns, equivalenceOf, falseMatchesOf, printPair, WHOLE_SHINGLES_MAX } from '../document/pair.ts';
import { describeQuery, readApart, readObtained } from '../document/query.ts';
import { ANSWER_MS } from '../limits.ts';
import { checkDeadline, checkThresholds } from '../options.ts';
import { passagesBetween } from '../similar/match-passages.ts';
import { AnswerTemplates } from '../templates.ts';
import { explain } from './explain.ts';
import { differencesBetween } from './text-differences.ts';
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
  const { fetch, deadlineMs, content = 'page' } = request;
  const { resemblance, aInB, bInA } = request.thresholds;
  const thresholds = { resemblance, queryInMatch: aInB, matchInQuery: bInA };
  checkThresholds({ ...request.thresholds });
  checkDeadline(deadlineMs, context.limits);
  checkWish(fetch, [request.a, request.b]);
  checkTexts(request);
  refuseOfFeatures([request.a, request.b], {
    passages: request.passages ? 'passages' : null,
    differences: request.differences === true ? 'differences in words' : null,
  });
  // texts are wanted for a's passages, for differences, and to tell how two given documents differ that have the same words
  const needTexts =
    (request.a.body !== null && request.b.body !== null) || request.differences === true || request.explain === true;
  const patience = { obtainMs: context.limits.deadlineMsMax, answerMs: ANSWER_MS };
  const read = { keepText: needTexts, modulusMax: 1, wholeMax: WHOLE_SHINGLES_MAX };
  const readA = { ...read, keepText: needTexts || request.passages };
  const obtain = (deadline: Deadline) => {
    const timed = { ...context, deadline };
    const one = async (reference: DocumentReference, options: typeof read) =>
      readApart(timed, await obtainReference(timed, reference, fetch), options);
    return Promise.all([one({ ...request.a, field: 'a.' }, readA), one({ ...request.b, field: 'b.' }, read)]);
  };
  return obtainAndAnswer(deadlineMs, patience, signal, obtain, ([obtainedA, obtainedB], deadline) => {
    const answer = async (): Promise<CompareAnswer> => {
      const templates = new AnswerTemplates(context.templates);
      const timed = { ...context, templates, deadline, turns: turnsUntil(deadline, context.turns) };
      const [a, b] = await Promise.all([readObtained(timed, obtainedA, readA), readObtained(timed, obtainedB, read)]);
      const pair = await comparePairInTurns(a, b, timed.turns);
      const contents = (await inTime(() => contentsBetween(timed, a, b), deadline)) ?? 'deadline';
      const { passages, limits } = request.passages ? await passagesBetween(timed, a, b) : NO_PASSAGES;
      const { fingerprintId } = context.identity;
      if (timed.turns.spent()) await timed.turns.next();
      const printed = printPair(pair, thresholds, falseMatchesOf(pair));
      const isExact = 'exact' in printed.resemblance;
      const why = await whyNot(timed, a, b, pair, request.thresholds, isExact);
      const explanation =
        request.explain === true
          ? await explain(
              timed,
              { reference: request.a, obtained: obtainedA, query: a },
              { reference: request.b, obtained: obtainedB, query: b },
              ...([pair, request.thresholds, isExact] as const),
            )
          : null;
      // last, since an answer may do without them by the deadline, but not without what was asked of the index
      const told = request.differences
        ? await differencesBetween({ ...context, deadline }, a, b, request)
        : { differences: null, limits: [] };
      return {
        a: describeQuery(a, fingerprintId),
        b: describeQuery(b, fingerprintId),
        equivalence: equivalenceOf(a.bytesDigest === b.bytesDigest, a, b),
        ...printed,
        ...printCompared(contents, thresholds),
        ...(content === 'page' ? {} : { decidedBy: decidingShares(content, pair, contents)?.by ?? null }),
        ...(passages === null ? {} : { passages }),
        ...(request.differences ? { differences: told.differences } : {}),
        whyNot: why,
        ...(explanation === null ? {} : { explanation }),
        limits: [...limits, ...told.limits, ...untoldOf(contents, told.limits), ...templates.limits],
        elapsedMs: elapsedMs(startedAt),
      };
    };
    return context.places.run(context.caller, { until: deadline, cost: 2 }, answer);
  });
}

/** A deadline is said once. */
function untoldOf(contents: ContentOutcome, limits: readonly LimitReached[]): LimitReached[] {
  const isSaid = contents !== 'deadline' || limits.some(({ code }) => code === 'deadline');
  return isSaid ? [] : [{ code: 'deadline', affected: 1, of: 1 }];
}

/** @throws ShingledError `invalid-request` where texts are asked for that nothing would be told of */
function checkTexts({ differences = false, texts = false }: CompareRequest): void {
  if (differences || !texts) return;
  throw new ShingledError('invalid-request', 'Texts come with differences: ask for these, too.', { field: 'texts' });
}
