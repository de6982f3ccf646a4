import { STEP_VALUES } from '../../core/compare/fingerprint-index.ts';
import { overlapSteps, type SampleComparer, sampleComparerSteps } from '../../core/compare/sample-comparer.ts';
import { wholeSample } from '../../core/sketch/narrow.ts';
import { ShingledError } from '../../errors.ts';
import { type Deadline, throwIfGivenUp } from '../../sharing/deadline.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { ApplyOptions, PutPlan, WriteOutcome } from '../../store/port.ts';
import type { ProcessedDocument } from '../../workers/port.ts';
import type { Direction, Match, PutAnswer, PutRequest, SimilarAnswer, Unless } from '../api.ts';
import type { BegunWrite, BegunWrites, WriteEnd } from '../begun-writes.ts';
import type { ServiceContext, TimedContext } from '../context.ts';
import { fromDocument, hasSameWords, type Query } from '../document/query.ts';
import { checkThresholds, DIRECTIONS } from '../options.ts';
import { findMatches, SIMILAR_OF_PUT } from '../similar/similar.ts';

/*
 * Insert unless similar: a put is skipped where a live document of another URL meets one of its thresholds. Two things
 * are looked at: the index, and what is on its way there:
 *
 *   lines of the same request    all before it: each comes to what it would, were they sent one after the other
 *   other requests               those that are inserted unless similar too, in the order in which they were read
 *
 * So of near-copies that are sent at the same moment the first is kept and the others are skipped. Nobody waits for the
 * others to be written, with one exception. Where one of them may stand against him, or may take away what does, its
 * end is waited for, and the index is asked again. Everybody waits only for those before him, so nobody waits for
 * himself.
 *
 * A URL that says already what is put is written, whatever stands against it. It is in the index, and a write that is
 * sent again is answered as one that was done.
 */

/** A put as it was read, and what is asked beside it. */
export interface ReadPut {
  readonly plan: PutPlan;
  readonly document: ProcessedDocument;
  readonly unless: Unless | null;
  readonly similar: number;
}

type ConditionalPut = ReadPut & { readonly unless: Unless; readonly query: Query };

/** Whether the answer to a put names other documents. */
export function tellsOfOthers({ similar, unless }: Pick<PutRequest, 'similar' | 'unless'>): boolean {
  return similar > 0 || unless !== null;
}

/** `outcome` is null where it was skipped, `standing` where nothing could stand against it. */
export interface WrittenPut {
  readonly outcome: WriteOutcome | null;
  readonly standing: Standing | null;
}

export interface WriteOptions {
  readonly lookUp: LookUp;
  /** The lines of its request, where it is one: the write is among them. */
  readonly ofRequest: BegunWrites | null;
  readonly apply: ApplyOptions;
  /** When a put that nothing stands against may be written; null: at once. */
  readonly mayWrite?: (write: BegunWrite) => Promise<void> | null;
  readonly signal?: AbortSignal | undefined;
}

/** What stands against a put, the nearest first; none: it may be written. Not complete where something may not be found. */
type Standing = Pick<SimilarAnswer, 'matches' | 'complete'>;

/** How the index is asked: where there is room, and until when. */
export type LookUp = <T>(work: (deadline: Deadline) => Promise<T>) => Promise<T>;

/** Where the caller does not say how many matches he wants to see. */
const MATCHES_SHOWN = 3;
/**
 * What is on its way is compared in haste, by plain shares of what was sampled; its record is estimated with care, and decides.
 * What seems to share so much less than it must is waited for too.
 */
const NEARLY = 0.2;
/** What may take a match away that was found, and what may bring one that was not. */
const TAKING: ReadonlySet<WriteEnd> = new Set(['updated', 'gone', 'deleted']);
const BRINGING: ReadonlySet<WriteEnd> = new Set(['created', 'updated', 'back']);

/** @throws ShingledError `invalid-request` for thresholds that ask for nothing, or that everything meets */
export function checkUnless(unless: Unless | null): void {
  if (unless === null) return;
  const { resemblance, queryInMatch, matchInQuery } = unless;
  checkThresholds({ resemblance, queryInMatch, matchInQuery });
  const given = DIRECTIONS.map((name) => [name, unless[name]] as const).filter(([, threshold]) => threshold !== null);
  if (given.length === 0) {
    const detail =
      'unless=similar needs a threshold: resemblance, queryInMatch or matchInQuery, such as resemblance 0.9.';
    throw new ShingledError('invalid-request', detail, { field: 'unless' });
  }
  const all = given.find(([, threshold]) => threshold === 0);
  if (all === undefined) return;
  throw new ShingledError('invalid-request', 'Everything is as similar as 0: a threshold of unless is above it.', {
    field: `thresholds.${all[0]}`,
  });
}

/**
 * Writes a put, unless something stands against it.
 *
 * @param write the put as others see it; where it is conditional it is among `context.conditional`
 * @throws the deadline's error where it could not be told in time, and whatever asking and storing throw; nothing is
 * written then
 */
export async function writeUnless(
  context: ServiceContext,
  put: ReadPut,
  write: BegunWrite,
  options: WriteOptions,
): Promise<WrittenPut> {
  const { unless } = put;
  const standing =
    unless === null ? null : await standingAgainst(context, { ...put, unless, query: queryOf(put) }, write, options);
  write.judged.happen();
  throwIfGivenUp(options.signal);
  if (standing !== null && standing.matches.length > 0) return { outcome: null, standing };
  const ahead = options.mayWrite?.(write) ?? null;
  if (ahead !== null) await ahead;
  return { outcome: await context.store.apply(put.plan, options.apply), standing };
}

/**
 * The neighbours of a put that was done, or those that stand against it. The write is done: whatever keeps its neighbours from
 * being named must not turn it into an error.
 */
export async function neighboursOf(
  context: ServiceContext,
  put: ReadPut,
  { outcome, standing }: WrittenPut,
  lookUp: LookUp,
): Promise<Pick<PutAnswer, 'similar' | 'similarComplete'>> {
  const { similar } = put;
  const isSure = standing?.complete ?? true;
  if (outcome === null) return { similar: standing!.matches, similarComplete: isSure };
  if (similar === 0) return isSure ? {} : { similarComplete: false };
  try {
    const options = { ...SIMILAR_OF_PUT, limit: similar };
    const { matches, complete } = await lookUp((deadline) =>
      findMatches({ ...context, deadline }, queryOf(put), options),
    );
    return { similar: matches, similarComplete: complete && isSure };
  } catch (error) {
    if (!(error instanceof ShingledError)) context.onFault?.(error);
    return { similar: [], similarComplete: false };
  }
}

const queryOf = ({ plan, document }: ReadPut) => fromDocument('body', plan.url, document);

async function standingAgainst(
  context: ServiceContext,
  put: ConditionalPut,
  write: BegunWrite,
  { ofRequest, lookUp }: WriteOptions,
): Promise<Standing> {
  const { plan } = put;
  const isEqual = ({ url, content }: BegunWrite) =>
    url !== plan.url && content?.shingleDigest === plan.content.shingleDigest;
  const underWay = () => ({ mine: ofRequest?.before(write) ?? [], others: context.conditional.before(write) });
  if (context.turns.spent()) await context.turns.next(); // a hundred lines may become known at once
  for (const equal of Object.values(underWay()).flatMap((begun) => begun.filter(isEqual))) {
    // what is new will not be found before its end
    if ((await context.store.source(equal.url)) === undefined) await equal.ended;
  }
  for (;;) {
    const { found, mine, others } = await lookUp(async (deadline) => {
      // before the index is asked: what ends meanwhile may have been met or not
      return { ...underWay(), found: await findStanding({ ...context, deadline }, put) };
    });
    if (found.matches.length === 0) {
      if (await isBrought(context, put, new Set([...mine, ...others]))) continue;
      return found;
    }
    const unequal = mine.filter((earlier) => !isEqual(earlier));
    const ends = await Promise.all(mayTakeAway(found.matches, unequal).map(({ ended }) => ended));
    if (ends.some((end) => TAKING.has(end))) continue;
    return (await saysSo(context, plan)) ? { matches: [], complete: true } : found;
  }
}

/** Whether the source of a plan says those words already. */
async function saysSo({ store }: ServiceContext, { url, content }: ReadPut['plan']): Promise<boolean> {
  const source = await store.source(url);
  if (source === undefined || source.contentId === content.id) return source !== undefined;
  const present = await store.contentHead(source.contentId);
  return present !== undefined && hasSameWords(present, content);
}

async function findStanding(context: TimedContext, { query, unless, similar }: ConditionalPut): Promise<Standing> {
  const options = {
    ...SIMILAR_OF_PUT,
    thresholds: unless,
    content: unless.content ?? 'page',
    include: ['live'],
    limit: similar > 0 ? similar : MATCHES_SHOWN,
  } as const;
  const { matches, complete, limits } = await findMatches(context, query, options);
  // asked again, it may be told
  if (matches.length === 0 && limits.some(({ code }) => code === 'deadline')) throw context.deadline.error;
  return { matches, complete };
}

/** Of what is on its way that which may take away all that was met; none where some of it is not touched. */
function mayTakeAway(matches: readonly Match[], writes: readonly BegunWrite[]): BegunWrite[] {
  const met = new Set(matches.flatMap(({ sources }) => sources.map(({ url }) => url)));
  const touching = writes.filter(({ url }) => met.has(url));
  return new Set(touching.map(({ url }) => url)).size < met.size ? [] : touching;
}

/**
 * Whether something has come into the index that may stand against the put, or that the put may stand against: of what was on
 * its way. Its end is waited for, one after the other. Of a family the first is in all likelihood the one that stays, and
 * nothing more needs to be compared.
 */
async function isBrought(
  { turns }: ServiceContext,
  { plan, query, unless }: ConditionalPut,
  writes: Iterable<BegunWrite>,
): Promise<boolean> {
  let compare: SampleComparer | null = null;
  for (const write of writes) {
    const { content, url } = write;
    if (content === null || url === plan.url) continue;
    if (turns.spent()) await turns.next();
    compare ??= await inTurns(sampleComparerSteps(query.sample), turns);
    const sample = wholeSample(content.sample);
    const isLong = sample.values.length > STEP_VALUES;
    const counts = isLong ? await inTurns(overlapSteps(compare, sample), turns) : compare(sample);
    const { sampledA, sampledB, shared } = counts;
    const resemblance = shared / Math.max(1, sampledA + sampledB - shared);
    const [aInB, bInA] = [shared / Math.max(1, sampledA), shared / Math.max(1, sampledB)];
    const isNear = isNearly({ resemblance, queryInMatch: aInB, matchInQuery: bInA }, unless, shared);
    const isNearIt =
      write.unless !== null && isNearly({ resemblance, queryInMatch: bInA, matchInQuery: aInB }, write.unless, shared);
    if ((isNear || isNearIt) && BRINGING.has(await write.ended)) return true;
  }
  return false;
}

/** Of contents the pages tell little: whatever is shared may be all that counts. */
function isNearly(
  shares: { readonly [direction in Direction]: number },
  { content = 'page', ...thresholds }: Unless,
  shared: number,
): boolean {
  if (content !== 'page') return shared > 0;
  return DIRECTIONS.some(
    (direction) => shares[direction] >= (thresholds[direction] ?? Number.POSITIVE_INFINITY) - NEARLY,
  );
}
