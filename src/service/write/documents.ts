import { ShingledError } from '../../errors.ts';
import type { ContentHead, PutPlan, WriteOutcome, WritePlan } from '../../store/port.ts';
import type { ContentDescription, GoneRequest, PutAnswer, PutRequest } from '../api.ts';
import { BegunWrite } from '../begun-writes.ts';
import { elapsedMs, type ServiceContext } from '../context.ts';
import { throwIfGivenUp, withDeadline } from '../deadline.ts';
import { fromDocument, isShort, unknownUrl } from '../document/query.ts';
import { inPlace } from '../place.ts';
import { nameSource } from '../url.ts';
import { type LookUp, neighboursOf, type ReadPut, type WrittenPut, writeUnless } from './unless.ts';
import { type CheckedPut, checkPut, isWantedWhole, type ObtainedDocument, planGone, planPut } from './write-plans.ts';

/* Single writes: a document was seen, a URL is gone, a URL is to be forgotten. */

/**
 * @throws ShingledError `invalid-url`, `invalid-request`, `observed-in-future`, `not-fetchable`, and whatever
 *   fetching, reading and storing throw
 */
export async function putDocument(
  context: ServiceContext,
  request: PutRequest,
  signal?: AbortSignal,
): Promise<PutAnswer> {
  const startedAt = performance.now();
  const checked = checkPut(context, request);
  const obtained = request.body === null ? await fetchToIndex(context, checked, signal) : fromBody(request.body);
  if (isGone(obtained.httpStatus)) return putGone(context, checked, obtained.httpStatus, startedAt);
  const { select, remove, meta } = request;
  const { bytes, contentType } = obtained;
  const modulusMax = isWantedWhole(request) ? 1 : context.store.description.recordModulusMax;
  const input = { bytes, contentType, select, remove, modulusMax, keepText: false };
  // small documents are read on the event loop
  if (context.turns.spent()) await context.turns.next();
  const processed = await context.documents.process(input, { caller: context.caller, signal });
  // a large one comes from a worker, in no turn
  if (context.turns.spent()) await context.turns.next();
  throwIfGivenUp(signal);
  const plan = await planPut(context, checked, meta, obtained, processed);
  const put = { ...request, plan, query: fromDocument('body', plan.url, processed) };
  const lookUp: LookUp = (work) =>
    withDeadline(context.limits.putSimilarMs, signal, (deadline) =>
      inPlace(context, () => work(deadline), { until: deadline }),
    );
  const written = await writeAlone(context, put, lookUp, signal);
  const { outcome } = written;
  const told = outcome === null ? describeSkipped(plan) : await describeWrite(context, plan, outcome);
  const neighbours = await neighboursOf(context, put, written, lookUp);
  return { ...told, ...neighbours, elapsedMs: elapsedMs(startedAt) };
}

function writeAlone(
  context: ServiceContext,
  put: ReadPut,
  lookUp: LookUp,
  signal: AbortSignal | undefined,
): Promise<WrittenPut> {
  const write = new BegunWrite(put.plan.url, put.unless);
  write.know(put.plan.content);
  if (put.unless !== null) write.enter(context.conditional);
  const apply = { caller: context.caller };
  return write.run(() => writeUnless(context, put, write, { lookUp, ofRequest: null, apply, signal }));
}

/** @throws ShingledError `unknown-url` where the URL is not in the index */
export async function putGoneUrl(context: ServiceContext, request: GoneRequest): Promise<PutAnswer> {
  const startedAt = performance.now();
  const plan = planGone(context, request);
  const outcome = await context.store.apply(plan, { caller: context.caller });
  return { ...(await describeWrite(context, plan, outcome)), elapsedMs: elapsedMs(startedAt) };
}

/** @throws ShingledError `unknown-url` where the URL is not in the index */
export async function forgetUrl(context: ServiceContext, url: string): Promise<PutAnswer> {
  const startedAt = performance.now();
  const plan = {
    kind: 'delete',
    url: nameSource(url, 'url', context.limits.urlBytesMax).url,
    receivedAt: context.now(),
  } as const;
  const outcome = await context.store.apply(plan, { caller: context.caller });
  return { ...(await describeWrite(context, plan, outcome)), elapsedMs: elapsedMs(startedAt) };
}

export function describeContent({ id, tokenCount, shingleCount, createdAt }: ContentHead): ContentDescription {
  return {
    id,
    tokens: tokenCount,
    shingles: shingleCount,
    short: isShort(shingleCount),
    createdAt: new Date(createdAt).toISOString(),
  };
}

/**
 * What became of a plan, with the content that the document has, or that its URL has kept.
 *
 * @throws ShingledError `unknown-url` where the URL is not in the index
 */
async function describeWrite(
  context: ServiceContext,
  plan: WritePlan,
  outcome: WriteOutcome,
): Promise<Omit<PutAnswer, 'elapsedMs'>> {
  const { status } = outcome;
  if (status === 'unknown') throw unknownUrl('url');
  const content = await contentAfter(context, plan, outcome);
  return {
    url: plan.url,
    status,
    newContent: outcome.contentIsNew,
    contentKept: outcome.contentKept,
    observedAt: new Date(outcome.observedAt).toISOString(),
    content: content === undefined ? null : describeContent(content),
  };
}

function describeSkipped({ url, observedAt, receivedAt }: PutPlan): Omit<PutAnswer, 'elapsedMs'> {
  return {
    url,
    status: 'skipped',
    newContent: false,
    contentKept: false,
    observedAt: new Date(observedAt ?? receivedAt).toISOString(),
    content: null,
  };
}

async function contentAfter(
  { store }: ServiceContext,
  plan: WritePlan,
  { contentId, contentIsNew }: WriteOutcome,
): Promise<ContentHead | undefined> {
  if (plan.kind !== 'put') return contentId === null ? undefined : store.contentHead(contentId);
  // what was just written need not be read: that would take a tenth of the time of the whole request
  if (contentIsNew) return plan.content;
  // an old version may have brought a content that is not kept: then there is none to describe
  return store.contentHead(plan.content.id);
}

async function fetchToIndex(
  context: ServiceContext,
  { name }: CheckedPut,
  signal: AbortSignal | undefined,
): Promise<ObtainedDocument> {
  if (!name.fetchable) {
    throw new ShingledError('not-fetchable', 'Only http and https URLs can be fetched.', { field: 'url' });
  }
  const options = { purpose: 'crawl', caller: context.caller, requestId: context.requestId } as const;
  return context.fetcher.fetch(name.url, signal === undefined ? options : { ...options, signal });
}

function fromBody(body: { bytes: Uint8Array; contentType: string | null }): ObtainedDocument {
  return { ...body, httpStatus: null, finalUrl: null };
}

function isGone(httpStatus: number | null): httpStatus is 404 | 410 {
  return httpStatus === 404 || httpStatus === 410;
}

/** The URL was fetched and is not there any more: its source says so from now on. */
async function putGone(
  context: ServiceContext,
  { name, observedAt, receivedAt }: CheckedPut,
  httpStatus: 404 | 410,
  startedAt: number,
): Promise<PutAnswer> {
  const plan = { kind: 'gone', url: name.url, httpStatus, observedAt, receivedAt } as const;
  const outcome = await context.store.apply(plan, { caller: context.caller });
  if (outcome.status === 'unknown') {
    const detail = `The server of the URL answered ${httpStatus}, and the index does not know the URL.`;
    throw new ShingledError('fetch-status', detail, { field: 'url' });
  }
  return { ...(await describeWrite(context, plan, outcome)), elapsedMs: elapsedMs(startedAt) };
}
