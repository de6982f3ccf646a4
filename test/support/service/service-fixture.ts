import type { CorpusClusters } from '../../../src/cluster/served/port.ts';
import { ERRORS, type ErrorCode, ShingledError } from '../../../src/errors.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../../src/extract/limits.ts';
import type { FetchedDocument, Fetcher, FetchOptions } from '../../../src/fetch/port.ts';
import { deriveIdentity } from '../../../src/identity/index-key.ts';
import type {
  Access,
  DocumentReference,
  MatchOptions,
  PutRequest,
  SimilarAnswer,
  WrittenSimilar,
} from '../../../src/service/api.ts';
import type { ServiceParts } from '../../../src/service/context.ts';
import { DEFAULT_MATCH_OPTIONS, SERVICE_LIMITS, type ServiceLimits } from '../../../src/service/limits.ts';
import { createService, type Service } from '../../../src/service/service.ts';
import { EventLoop } from '../../../src/sharing/turns.ts';
import type { IndexDescription, Store } from '../../../src/store/port.ts';
import { RETENTION_DEFAULT, type StoreSettings } from '../../../src/store/settings.ts';
import { DEFAULT_PIPELINE_LIMITS } from '../../../src/workers/limits.ts';
import { createDocumentPipeline } from '../../../src/workers/pool.ts';
import type { DocumentPipeline } from '../../../src/workers/port.ts';
import { MemoryStore } from '../memory-store/memory-store.ts';
import { crossing } from '../store/crossing.ts';

/* A whole service over the memory store and the real pipeline, with a clock and a web of its own. */

export const SHINGLE_SIZE = 5;
export const START_MS = Date.parse('2026-03-01T12:00:00Z');
export const IDENTITY = deriveIdentity(new Uint8Array(32).fill(11), SHINGLE_SIZE);

export const ALL: Access = { caller: 'somebody', mayFetch: true };
export const READ_ONLY: Access = { caller: 'somebody', mayFetch: false };

export interface FixtureOptions {
  readonly limits?: Partial<ServiceLimits>;
  readonly settings?: Partial<StoreSettings>;
  readonly description?: Partial<IndexDescription>;
  /** Another store, or one around the real one. */
  readonly wrapStore?: (store: Store) => Store;
  readonly timegatePrefix?: string;
  readonly corpus?: CorpusClusters;
  readonly wrapDocuments?: (documents: DocumentPipeline) => DocumentPipeline;
}

export interface ServiceFixture {
  readonly service: Service;
  readonly loop: EventLoop;
  readonly store: Store;
  readonly web: FakeWeb;
  readonly clock: { nowMs: number };
  readonly faults: unknown[];
  /** Indexes plain text. */
  put(url: string, text: string, more?: Partial<PutRequest>): ReturnType<Service['put']>;
  similar(reference: DocumentReference, options?: Partial<MatchOptions>): Promise<SimilarAnswer>;
  close(): Promise<void>;
}

export function createServiceFixture(options: FixtureOptions = {}): ServiceFixture {
  const clock = { nowMs: START_MS };
  const web = new FakeWeb();
  const faults: unknown[] = [];
  const { keyId, fingerprintId, rankKey } = IDENTITY;
  const description: IndexDescription = {
    formatVersion: 1,
    indexId: '00'.repeat(16),
    keyId,
    fingerprintId,
    shingleSize: SHINGLE_SIZE,
    indexModulusMax: 8,
    recordModulusMax: 4,
    createdAt: START_MS,
    ...options.description,
  };
  const memory = new MemoryStore(description, { rankKey, retention: RETENTION_DEFAULT, ...options.settings });
  const store = crossing(options.wrapStore?.(memory) ?? memory);
  const pipeline = createDocumentPipeline({
    ...DEFAULT_PIPELINE_LIMITS,
    threads: 1,
    identity: IDENTITY,
    limits: DEFAULT_EXTRACT_LIMITS,
  });
  const loop = new EventLoop(options.limits?.sliceMs ?? SERVICE_LIMITS.sliceMs);
  const parts: ServiceParts = {
    store,
    fetcher: web,
    documents: options.wrapDocuments?.(pipeline) ?? pipeline,
    ...(options.corpus === undefined ? {} : { corpus: options.corpus }),
    identity: IDENTITY,
    limits: { ...SERVICE_LIMITS, ...options.limits },
    loop,
    now: () => clock.nowMs,
    version: '1.2.3',
    timegatePrefix: options.timegatePrefix,
    onFault: (fault) => faults.push(fault),
  };
  const service = createService(parts);
  return {
    service,
    loop,
    store,
    web,
    clock,
    faults,
    put: (url, text, more = {}) => service.put({ ...putOf(url, text), ...more }, ALL),
    similar: (reference, more = {}) => said(service.similar(reference, { ...OPTIONS, ...more }, ALL)),
    async close() {
      await service.close();
      await pipeline.close();
      await memory.close();
    },
  };
}

export const OPTIONS: MatchOptions = { ...DEFAULT_MATCH_OPTIONS, sourcesPerMatch: 3, deadlineMs: 20_000 };

/** What an answer says. */
export async function said(written: Promise<WrittenSimilar>): Promise<SimilarAnswer> {
  return JSON.parse((await written).json.toString()) as SimilarAnswer;
}

export function plain(text: string): { bytes: Uint8Array; contentType: string } {
  return { bytes: Buffer.from(text), contentType: 'text/plain; charset=utf-8' };
}

export function putOf(url: string, text: string): PutRequest {
  return { url, body: plain(text), select: null, remove: null, observedAt: null, meta: null, similar: 0, unless: null };
}

export function ofText(text: string, url: string | null = null): DocumentReference {
  return { url, body: plain(text), select: null, remove: null, at: null };
}

export function ofUrl(url: string): DocumentReference {
  return { url, body: null, select: null, remove: null, at: null };
}

/** What a ShingledError must have for vitest's rejects.toMatchObject. */
export function refused(code: ErrorCode, more: { field?: string; limit?: { name: string; value: number } } = {}) {
  return { name: 'ShingledError', code, status: ERRORS[code].status, ...more };
}

type Page = string | number | ErrorCode | Promise<never>;

/** A web of a few pages: a text (html where it begins with <), a status, an error's code, or a promise that never ends. */
class FakeWeb implements Fetcher {
  readonly pages = new Map<string, Page>();
  readonly asked: { url: string; purpose: FetchOptions['purpose'] }[] = [];

  async fetch(url: string, { purpose, signal }: FetchOptions): Promise<FetchedDocument> {
    this.asked.push({ url, purpose });
    const page = this.pages.get(url);
    if (page instanceof Promise) return Promise.race([page, abortOf(signal)]);
    if (page === undefined) throw new ShingledError('fetch-failed', 'no such host');
    if (typeof page === 'string' && page in ERRORS) throw new ShingledError(page as ErrorCode, 'planted');
    if (typeof page === 'number')
      return { finalUrl: url, httpStatus: page, contentType: null, bytes: new Uint8Array() };
    const contentType = page.startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
    return { finalUrl: `${url}?final`, httpStatus: 200, contentType, bytes: Buffer.from(page) };
  }

  async close(): Promise<void> {}
}

function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(new ShingledError('fetch-timeout', 'aborted'))),
  );
}
