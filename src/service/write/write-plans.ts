import { STEP_VALUES } from '../../core/memory/steps.ts';
import { coarsenBits } from '../../core/sketch/main-marks.ts';
import type { Sample } from '../../core/sketch/modulus.ts';
import { coarsen, coarsenSteps, modulusFor, RECORD_SHINGLES_LEAST } from '../../core/sketch/modulus.ts';
import { ShingledError } from '../../errors.ts';
import type { FetchedDocument } from '../../fetch/port.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { DeletePlan, GonePlan, NewContent, PutPlan, SamePlan, Store } from '../../store/port.ts';
import type { DocumentInput, ProcessedDocument } from '../../workers/port.ts';
import type { BulkOperation, DocumentBody, GoneRequest, PutRequest, SameRequest } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import { identityOf } from '../document/query.ts';
import { checkMeta, checkWhole } from '../options.ts';
import { nameSource, type SourceName } from '../url.ts';
import { checkUnless, type ReadPut, tellsOfOthers } from './unless.ts';

/*
 * From a request to the write plan that the store applies: what is checked, and what a content is made of.
 *
 * The very same bytes again are not recognised before they are read. Their digest covers the media type and charset
 * that reading decides, and a put of known words costs the store no postings anyway.
 */

/** How far ahead of now a document may claim to have been seen: clocks and time zones differ by less than a day. */
const FUTURE_OBSERVED_MS = 24 * 3_600_000;

/** A document on its way into the index, and where it came from, as far as that is known. */
export interface ObtainedDocument extends DocumentBody {
  readonly httpStatus?: FetchedDocument['httpStatus'] | null;
  readonly finalUrl?: FetchedDocument['finalUrl'] | null;
}

/** What it takes to check a put, and to read its document. */
export type CheckContext = Pick<ServiceContext, 'limits' | 'now'>;
export type PlanContext = CheckContext &
  Pick<ServiceContext, 'turns'> & {
    readonly store: Pick<Store, 'description'>;
    /** Whether plans need no digests of bytes: nobody stores them. */
    readonly isBytesDigestLeftOut?: boolean;
    /** Whether who reads a document makes what an index writes of it, too. */
    readonly isRecordMade?: boolean;
  };

/** What is known of a put before its document is read. */
export interface CheckedPut {
  readonly name: SourceName;
  readonly receivedAt: number;
  /** null: now. */
  readonly observedAt: number | null;
}

/** @throws ShingledError `invalid-url`, `observed-in-future`, `invalid-request` */
export function checkPut(context: CheckContext, request: PutRequest): CheckedPut {
  const { limits } = context;
  const name = nameSource(request.url, 'url', limits.urlBytesMax);
  checkMeta(request.meta, limits);
  checkUnless(request.unless);
  checkWhole('similar', request.similar, 0, limits.putSimilarMax, 'putSimilarMax');
  const receivedAt = context.now();
  return { name, receivedAt, observedAt: checkTime('observedAt', request.observedAt, receivedAt) };
}

/** A line that puts a document, before it is read. */
export interface CheckedLine extends CheckedPut {
  readonly request: PutRequest;
  readonly document: ObtainedDocument;
}

/** A line of many that puts a document. @throws ShingledError as {@link checkPut}, and where it does not bring its text */
export function checkPutLine(context: CheckContext, request: Extract<BulkOperation, { op: 'put' }>): CheckedLine {
  const { body, httpStatus = null, finalUrl = null } = request;
  if (body === null) {
    throw new ShingledError('invalid-request', 'A line that puts a document brings its text.', { field: 'text' });
  }
  return { ...checkPut(context, request), request, document: { ...body, httpStatus, finalUrl } };
}

/** @param readBytes at once, or many documents at a time */
export async function readPut(
  context: PlanContext,
  put: CheckedLine,
  readBytes: (input: DocumentInput) => Promise<ProcessedDocument>,
): Promise<ReadPut> {
  const processed = await readBytes(inputOf(context, put));
  const { similar, unless } = put.request;
  const plan = planPut(context, put, processed);
  return { plan: plan instanceof Promise ? await plan : plan, document: processed, similar, unless };
}

/** What is read of a put. */
export function inputOf(context: PlanContext, { request, document }: CheckedLine): DocumentInput {
  const { bytes, contentType } = document;
  const { select, remove } = request;
  // whose neighbours are asked for is wanted whole; the sample of its record is a part of that
  const isWhole = tellsOfOthers(request);
  const { indexModulusMax, recordModulusMax } = context.store.description;
  const { isBytesDigestLeftOut = false, isRecordMade = false } = context;
  return {
    ...{ bytes, contentType, select, remove, keepText: false, isBytesDigestLeftOut },
    modulusMax: isWhole ? 1 : recordModulusMax,
    recordFor: isRecordMade && !isWhole ? indexModulusMax : 0,
  };
}

/** The plan of a put that was read; without a wait, unless its sample is large. */
export function planPut(
  context: PlanContext,
  put: CheckedLine,
  processed: ProcessedDocument,
): PutPlan | Promise<PutPlan> {
  const { shingleCount, sample } = processed.sketch;
  const modulus = modulusFor(shingleCount, context.store.description.recordModulusMax, RECORD_SHINGLES_LEAST);
  if (sample.fingerprints.length <= STEP_VALUES) return planOf(put, processed, coarsen(sample, modulus));
  return inTurns(coarsenSteps(sample, modulus), context.turns).then((coarse) => planOf(put, processed, coarse));
}

/** @param sample the one that its record keeps */
function planOf(put: CheckedLine, processed: ProcessedDocument, sample: Sample): PutPlan {
  const { name, receivedAt, observedAt, request, document } = put;
  const { url, spelling } = name;
  const { httpStatus = null, finalUrl = null } = document;
  const { bytesDigest, title, language } = processed;
  const content = contentOf(processed, sample, receivedAt);
  const told = { httpStatus, finalUrl, title, language, meta: request.meta };
  return { kind: 'put', url, spelling, observedAt, receivedAt, bytesDigest, content, ...told };
}

/** @throws ShingledError `invalid-url` */
export function planDelete(context: ServiceContext, url: string): DeletePlan {
  const name = nameSource(url, 'url', context.limits.urlBytesMax);
  return { kind: 'delete', url: name.url, receivedAt: context.now() };
}

/** @throws ShingledError `invalid-url`, `observed-in-future`, `invalid-request` */
export function planGone(context: ServiceContext, request: GoneRequest): GonePlan {
  const { url } = nameSource(request.url, 'url', context.limits.urlBytesMax);
  if (request.httpStatus !== 404 && request.httpStatus !== 410) {
    throw new ShingledError('invalid-request', 'Only 404 and 410 say that a document is gone.', { field: 'status' });
  }
  const receivedAt = context.now();
  const observedAt = checkTime('observedAt', request.observedAt, receivedAt);
  return { kind: 'gone', url, httpStatus: request.httpStatus, observedAt, receivedAt };
}

/** @throws ShingledError `invalid-url`, `observed-in-future`, `invalid-request` */
export function planSame(context: ServiceContext, request: SameRequest): SamePlan {
  const { urlBytesMax } = context.limits;
  const { url, spelling } = nameSource(request.url, 'url', urlBytesMax);
  const as = nameSource(request.as, 'as', urlBytesMax).url;
  const receivedAt = context.now();
  const observedAt = checkTime('observedAt', request.observedAt, receivedAt);
  const asAt = checkTime('asAt', request.asAt, receivedAt);
  return { kind: 'same', url, spelling, as, asAt, httpStatus: request.httpStatus, observedAt, receivedAt };
}

function contentOf(processed: ProcessedDocument, sample: Sample, createdAt: number): NewContent {
  const { shingleDigest, sketch } = processed;
  const { tokenCount, shingleCount } = sketch;
  const { id, main } = identityOf(processed);
  const isWhole = main === null || sample.modulus === sketch.sample.modulus;
  const marked = isWhole ? main : { ...main, bits: coarsenBits(sketch.sample, main.bits, sample.modulus) };
  return { id, shingleDigest, tokenCount, shingleCount, createdAt, main: marked, sample };
}

function checkTime(field: 'observedAt' | 'asAt', time: number | null, receivedAt: number): number | null {
  if (time === null) return null;
  if (!Number.isSafeInteger(time) || time < 0) {
    throw new ShingledError('invalid-request', `${field} must be a time from 1970 on.`, { field });
  }
  if (time > receivedAt + FUTURE_OBSERVED_MS) {
    const detail = `${field} is later than now by more than clocks are off: leave it out, and it is now.`;
    const limit = { name: 'futureObservedMs', value: FUTURE_OBSERVED_MS };
    throw new ShingledError('observed-in-future', detail, { field, limit });
  }
  return time;
}
