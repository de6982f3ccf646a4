import { STEP_VALUES } from '../../core/memory/steps.ts';
import type { Sample } from '../../core/sketch/fingerprint-sets.ts';
import { coarsen, coarsenSteps, modulusFor, RECORD_SHINGLES_LEAST } from '../../core/sketch/modulus.ts';
import { ShingledError } from '../../errors.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { Content, GonePlan, Meta, PutPlan } from '../../store/port.ts';
import type { ProcessedDocument } from '../../workers/port.ts';
import type { DocumentBody, GoneRequest, PutRequest } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import { checkMeta } from '../document/meta.ts';
import { checkWhole } from '../options.ts';
import { nameSource, type SourceName } from '../url.ts';
import { checkUnless } from './unless.ts';

/*
 * From a request to the write plan that the store applies: what is checked, and what a content is made of.
 *
 * The very same bytes again are not recognised before they are read. Their digest covers the media type and charset
 * that reading decides, and a put of known words costs the store no postings anyway.
 */

/** How far ahead of now a document may claim to have been seen: clocks and time zones differ by less than a day. */
const FUTURE_OBSERVED_MS = 24 * 3_600_000;

/** A document on its way into the index, and where it came from. */
export interface ObtainedDocument extends DocumentBody {
  readonly httpStatus: number | null;
  readonly finalUrl: string | null;
}

/** What is known of a put before its document is read. */
export interface CheckedPut {
  readonly name: SourceName;
  readonly receivedAt: number;
  /** null: now. */
  readonly observedAt: number | null;
}

/** A document whose neighbours are asked for is wanted whole; its record's sample is a part of that. */
export function isWantedWhole({ similar, unless }: Pick<PutRequest, 'similar' | 'unless'>): boolean {
  return similar > 0 || unless !== null;
}

/** @throws ShingledError `invalid-url`, `observed-in-future`, `invalid-request` */
export function checkPut(context: ServiceContext, request: PutRequest): CheckedPut {
  const { limits } = context;
  const name = nameSource(request.url, 'url', limits.urlBytesMax);
  checkMeta(request.meta, limits.metaBytesMax);
  checkUnless(request.unless);
  checkWhole('similar', request.similar, 0, limits.putSimilarMax, 'putSimilarMax');
  const receivedAt = context.now();
  return { name, receivedAt, observedAt: checkObservedAt(request.observedAt, receivedAt) };
}

export async function planPut(
  context: ServiceContext,
  { name, receivedAt, observedAt }: CheckedPut,
  meta: Meta | null,
  obtained: ObtainedDocument,
  processed: ProcessedDocument,
): Promise<PutPlan> {
  return {
    kind: 'put',
    url: name.url,
    spelling: name.spelling,
    observedAt,
    receivedAt,
    bytesDigest: processed.bytesDigest,
    content: await newContent(context, processed, receivedAt),
    httpStatus: obtained.httpStatus,
    finalUrl: obtained.finalUrl,
    title: processed.title,
    language: processed.language,
    meta,
  };
}

/** @throws ShingledError `invalid-url`, `observed-in-future`, `invalid-request` */
export function planGone(context: ServiceContext, request: GoneRequest): GonePlan {
  const { url } = nameSource(request.url, 'url', context.limits.urlBytesMax);
  if (request.httpStatus !== 404 && request.httpStatus !== 410) {
    throw new ShingledError('invalid-request', 'Only 404 and 410 say that a document is gone.', { field: 'status' });
  }
  const receivedAt = context.now();
  const observedAt = checkObservedAt(request.observedAt, receivedAt);
  return { kind: 'gone', url, httpStatus: request.httpStatus, observedAt, receivedAt };
}

/** A content with the sample that its record keeps, from a sketch at that modulus or a finer one. */
async function newContent(
  { store, turns }: ServiceContext,
  processed: ProcessedDocument,
  createdAt: number,
): Promise<Content<Sample>> {
  const { lexicalDigest, shingleDigest } = processed;
  const { tokenCount, shingleCount, sample } = processed.sketch;
  const modulus = modulusFor(shingleCount, store.description.recordModulusMax, RECORD_SHINGLES_LEAST);
  const isOneStep = sample.fingerprints.length <= STEP_VALUES;
  const kept = isOneStep ? coarsen(sample, modulus) : await inTurns(coarsenSteps(sample, modulus), turns);
  return { id: lexicalDigest, shingleDigest, tokenCount, shingleCount, createdAt, sample: kept };
}

function checkObservedAt(observedAt: number | null, receivedAt: number): number | null {
  if (observedAt === null) return null;
  if (!Number.isSafeInteger(observedAt) || observedAt < 0) {
    throw new ShingledError('invalid-request', 'observedAt must be a time from 1970 on.', { field: 'observedAt' });
  }
  if (observedAt > receivedAt + FUTURE_OBSERVED_MS) {
    throw new ShingledError(
      'observed-in-future',
      'observedAt is later than now by more than clocks are off: leave it out, and it is now.',
      {
        field: 'observedAt',
        limit: { name: 'futureObservedMs', value: FUTURE_OBSERVED_MS },
      },
    );
  }
  return observedAt;
}
