import { ShingledError } from '../../errors.ts';
import { throwIfGivenUp, withDeadline } from '../../sharing/deadline.ts';
import type { DeletePlan, GonePlan, PutPlan, WriteOutcome } from '../../store/port.ts';
import type { GoneRequest, PutAnswer, PutRequest } from '../api.ts';
import { BegunWrite } from '../begun-writes.ts';
import { elapsedMs, type ServiceContext } from '../context.ts';
import { type DescribedContent, describeContent, unknownUrl } from '../document/query.ts';
import { type LookUp, neighboursOf, writeUnless } from './unless.ts';
import { type CheckedPut, checkPut, type ObtainedDocument, planDelete, planGone, readPut } from './write-plans.ts';

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
  const { documents, turns, caller, limits } = context;
  const checked = checkPut(context, request);
  const obtained: ObtainedDocument = request.body ?? (await fetchToIndex(context, checked, signal));
  if (isGone(obtained.httpStatus)) return putGone(context, checked, obtained.httpStatus, startedAt);
  const put = await readPut(context, { ...checked, request, document: obtained }, async (input) => {
    // small documents are read on the event loop
    if (turns.spent()) await turns.next();
    const processed = await documents.process(input, { caller, signal });
    // a large one comes from a worker, in no turn
    if (turns.spent()) await turns.next();
    throwIfGivenUp(signal);
    return processed;
  });
  const lookUp: LookUp = (work) =>
    withDeadline(limits.putSimilarMs, signal, (deadline) =>
      context.places.run(context.caller, { until: deadline }, () => work(deadline)),
    );
  const { plan, unless } = put;
  const write = new BegunWrite(plan.url, unless);
  write.know(plan.content);
  if (unless !== null) write.enter(context.conditional);
  const options = { lookUp, ofRequest: null, apply: { caller }, signal };
  const written = await write.run(() => writeUnless(context, put, write, options));
  const skipped = { status: 'skipped', contentIsNew: false, contentKept: false } as const;
  const { outcome } = written;
  const told =
    outcome === null
      ? describeWrite(plan.url, { ...skipped, observedAt: plan.observedAt ?? plan.receivedAt }, undefined)
      : describeWrite(plan.url, outcome, await contentOfPut(context, plan, outcome));
  const neighbours = await neighboursOf(context, put, written, lookUp);
  return { ...told, ...neighbours, elapsedMs: elapsedMs(startedAt) };
}

/** @throws ShingledError `unknown-url` where the URL is not in the index */
export async function putGoneUrl(context: ServiceContext, request: GoneRequest): Promise<PutAnswer> {
  const startedAt = performance.now();
  return applyPlan(context, planGone(context, request), startedAt);
}

/** @throws ShingledError `unknown-url` where the URL is not in the index */
export async function forgetUrl(context: ServiceContext, url: string): Promise<PutAnswer> {
  const startedAt = performance.now();
  return applyPlan(context, planDelete(context, url), startedAt);
}

/** The URL was fetched and is not there any more: its source says so from now on. */
async function putGone(
  context: ServiceContext,
  { name, observedAt, receivedAt }: CheckedPut,
  httpStatus: 404 | 410,
  startedAt: number,
): Promise<PutAnswer> {
  const plan = { kind: 'gone', url: name.url, httpStatus, observedAt, receivedAt } as const;
  return applyPlan(context, plan, startedAt, () => {
    const detail = `The server of the URL answered ${httpStatus}, and the index does not know the URL.`;
    return new ShingledError('fetch-status', detail, { field: 'url' });
  });
}

/** @param unknown what is thrown where the URL is not in the index */
async function applyPlan(
  { store, caller }: ServiceContext,
  plan: GonePlan | DeletePlan,
  startedAt: number,
  unknown = () => unknownUrl('url'),
): Promise<PutAnswer> {
  const outcome = await store.apply(plan, { caller });
  if (outcome.status === 'unknown') throw unknown();
  const content = outcome.contentId === null ? undefined : await store.contentHead(outcome.contentId);
  return { ...describeWrite(plan.url, outcome, content), elapsedMs: elapsedMs(startedAt) };
}

/** @param content what the document has, or what its URL has kept */
function describeWrite(
  url: string,
  outcome: Omit<WriteOutcome, 'contentId' | 'status'> & { readonly status: WriteOutcome['status'] | 'skipped' },
  content: DescribedContent | undefined,
): Omit<PutAnswer, 'elapsedMs'> {
  const { status } = outcome;
  if (status === 'unknown') throw unknownUrl('url');
  return {
    url,
    status,
    newContent: outcome.contentIsNew,
    contentKept: outcome.contentKept,
    observedAt: new Date(outcome.observedAt).toISOString(),
    content: content === undefined ? null : describeContent(content),
  };
}

async function contentOfPut(
  { store }: ServiceContext,
  { content, receivedAt }: PutPlan,
  { contentIsNew }: WriteOutcome,
): Promise<DescribedContent | undefined> {
  // what was just written need not be read: that would take a tenth of the time of the whole request
  if (contentIsNew) return { ...content, createdAt: receivedAt };
  // an old version may have brought a content that is not kept: then there is none to describe
  return store.contentHead(content.id);
}

async function fetchToIndex(
  { fetcher, caller, requestId }: ServiceContext,
  { name }: CheckedPut,
  signal: AbortSignal | undefined,
): Promise<ObtainedDocument> {
  if (!name.fetchable) {
    throw new ShingledError('not-fetchable', 'Only http and https URLs can be fetched.', { field: 'url' });
  }
  const options = { purpose: 'crawl', caller, requestId } as const;
  return fetcher.fetch(name.url, signal === undefined ? options : { ...options, signal });
}

function isGone(httpStatus: number | null | undefined): httpStatus is 404 | 410 {
  return httpStatus === 404 || httpStatus === 410;
}
