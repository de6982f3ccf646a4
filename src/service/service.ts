import { createSketcher } from '../core/sketch/sketch.ts';
import { ShingledError } from '../errors.ts';
import { Crowd } from '../sharing/crowd.ts';
import { withDeadline } from '../sharing/deadline.ts';
import { Places } from '../sharing/places.ts';
import { DAMAGE_ADVICE } from '../store/port.ts';
import type {
  Access,
  BulkLine,
  BulkOptions,
  CollapseRequest,
  CompareRequest,
  DocumentReference,
  ForgetOptions,
  GoneRequest,
  MatchOptions,
  PageRequest,
  PutRequest,
  Selection,
  SimilarLine,
  StatsAnswer,
} from './api.ts';
import { BegunWrites } from './begun-writes.ts';
import type { ClusterRequest } from './clusters/cluster-api.ts';
import { clusters } from './clusters/clusters.ts';
import { collapse } from './collapse/collapse.ts';
import { compare } from './compare/compare.ts';
import { compose } from './composition/composition.ts';
import type { CompositionOptions } from './composition/composition-shapes.ts';
import type { ServiceContext, ServiceParts } from './context.ts';
import { knownDocument, knownVersions } from './known.ts';
import type { ServiceLimits } from './limits.ts';
import { forgetSelected } from './list/forget.ts';
import { changesByHost } from './list/host-changes.ts';
import { countByHost } from './list/host-counts.ts';
import { exported, list } from './list/listed-documents.ts';
import { moved } from './moved/moved.ts';
import type { MovedLine, MovedRequest } from './moved/moved-api.ts';
import { movedLines } from './moved/moved-lines.ts';
import { similar } from './similar/similar.ts';
import { Templates } from './templates.ts';
import { createSweep } from './upkeep/sweep.ts';
import { createUpkeep, type Upkeep } from './upkeep/upkeep.ts';
import { createWarmUp } from './upkeep/warm-up.ts';
import { bulkAnswers, similarLines } from './write/bulk.ts';
import { forgetUrl, putDocument, putGoneUrl } from './write/documents.ts';

/**
 * Every use of the index, whoever asks: one file each, over the same parts. Keeps nothing that a second process would need
 * to know. Throws nothing but ShingledError, with the codes that docs/errors.md lists.
 *
 * Where a `signal` is given its abort ends the work as soon as it can; a write that reached the index stays.
 */
export type Service = ReturnType<typeof createService>;

export function createService(parts: ServiceParts) {
  const { identity, documents, loop } = parts;
  const places = placesFor(parts.limits, parts.limits.requestsInFlightMax);
  const scans = placesFor(parts.limits, parts.limits.scansMax);
  const sketcher = createSketcher(identity.fingerprint);
  const own = { crowd: new Crowd(), templates: new Templates(), conditional: new BegunWrites() };
  const shared = { ...parts, places, scans, sketcher, ...own };
  const contextOf = (access: Access): ServiceContext => ({
    ...{ ...shared, ...access, turns: loop.turnsOf(access.caller) },
    onFault: (fault) => parts.onFault?.(fault, access.requestId),
  });
  /** Work that no time ends: only who has asked for it may give it up. */
  const inPlace = <T>({ caller }: Access, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> =>
    withDeadline(Number.POSITIVE_INFINITY, signal, (until) => places.run(caller, { until }, work));
  const sweep = createSweep(parts);
  const upkeep = createUpkeep(parts);
  const warmUp = createWarmUp({
    store: parts.store,
    similar: (reference, options, access) => similar(contextOf(access), reference, options, 'refuse'),
  });
  const startedAt = parts.now();
  return {
    /** Which known URLs say the same, contain it or are contained in it. Stores nothing. */
    similar: (reference: DocumentReference, options: MatchOptions, access: Access, signal?: AbortSignal) =>
      similar(contextOf(access), reference, options, 'refuse', signal),
    /** The same for many: answers in the order of the lines, each as soon as it and those before it are there. */
    similarBatch: (lines: AsyncIterable<SimilarLine>, access: Access) => similarLines(contextOf(access), lines),
    /** Indexes a document from its body, or by fetching it where there is none. */
    put: (request: PutRequest, access: Access, signal?: AbortSignal) => putDocument(contextOf(access), request, signal),
    /** Notes that a URL is gone; its content stays findable. Throws `unknown-url`. */
    gone: (request: GoneRequest, access: Access) => putGoneUrl(contextOf(access), request),
    /** Forgets a URL and what only it held. Throws `unknown-url`. */
    forget: (url: string, access: Access) => forgetUrl(contextOf(access), url),
    /** Throws `unknown-url`. */
    document: (url: string, page: PageRequest, access: Access) =>
      places.run(access.caller, {}, () => knownDocument(parts, url, page)),
    /** Newest first. Throws `unknown-url`. */
    versions: (url: string, page: PageRequest, access: Access) =>
      places.run(access.caller, {}, () => knownVersions(parts, url, page)),
    /** A page of the documents of a selection, by reversed host, then by URL. */
    list: (selection: Selection, page: PageRequest, access: Access, signal?: AbortSignal) =>
      inPlace(access, signal, () => list(contextOf(access), selection, page, signal)),
    /** How many documents of a selection each host has. */
    countByHost: (selection: Selection, page: PageRequest, access: Access, signal?: AbortSignal) =>
      inPlace(access, signal, () => countByHost(contextOf(access), selection, page, signal)),
    /** How often the documents of a selection change, by host. */
    changesByHost: (selection: Selection, page: PageRequest, access: Access, signal?: AbortSignal) =>
      inPlace(access, signal, () => changesByHost(contextOf(access), selection, page, signal)),
    /** All documents of a selection, after a URL where one is given, each with its versions. */
    export: (selection: Selection, after: string | null, access: Access, signal?: AbortSignal) =>
      exported(contextOf(access), selection, after, signal),
    /** Counts the documents of a selection, or forgets as many as were counted before. */
    forgetSelected: (selection: Selection, options: ForgetOptions, access: Access, signal?: AbortSignal) =>
      forgetSelected(contextOf(access), selection, options, signal),
    bulk: (lines: AsyncIterable<BulkLine>, access: Access, options: BulkOptions = { relaxed: false }) =>
      bulkAnswers(contextOf(access), lines, options),
    compare: (request: CompareRequest, access: Access, signal?: AbortSignal) =>
      compare(contextOf(access), request, signal),
    /** Which contents of the index explain a text, and what none does. Stores nothing. */
    compose: (reference: DocumentReference, options: CompositionOptions, access: Access, signal?: AbortSignal) =>
      compose(contextOf(access), reference, options, signal),
    collapse: (request: CollapseRequest, access: Access, signal?: AbortSignal) =>
      collapse(contextOf(access), request, signal),
    /** Where the document of a URL lives now that is dead, or shows something else. Stores nothing. Throws `unknown-url`. */
    moved: (request: MovedRequest, access: Access, signal?: AbortSignal) =>
      moved(contextOf(access), request, 'refuse', signal),
    /** The same for many, as {@link similarBatch} answers. */
    movedBatch: (lines: AsyncIterable<MovedLine>, access: Access) => movedLines(contextOf(access), lines),
    /** Which contents hang together with that of a URL, and which URLs say them. Throws `unknown-url`. */
    clusters: (request: ClusterRequest, access: Access, signal?: AbortSignal) =>
      clusters(contextOf(access), request, signal),
    stats: () => stats(parts, startedAt, upkeep),
    backup: upkeep.backup,
    compact: upkeep.compact,
    /** Throws `backup-not-configured`. */
    backups: () => parts.store.backups(),
    /** What waits and works inside, for metrics. */
    get load() {
      return {
        requestsInFlight: places.taken,
        requestsWaiting: places.waiting,
        documentsWaiting: documents.queued,
      };
    },
    /** Begins the sweep of expired contents. */
    start: sweep.start,
    /** Does what the first callers would wait for. Never throws. */
    warmUp: warmUp.run,
    /** Ends sweep and warm-up, and waits for what is under way. Store, fetcher and pipeline belong to the caller. */
    close: () => Promise.all([sweep.stop(), warmUp.stop()]),
  };
}

function placesFor({ requestsWaitingMax }: ServiceLimits, size: number): Places {
  const refusal = () =>
    new ShingledError('overloaded', 'Too many requests of this caller are waiting.', {
      limit: { name: 'requestsWaitingMax', value: requestsWaitingMax },
      retryAfterS: 1,
    });
  return new Places({ size, waitingMax: requestsWaitingMax, refusal });
}

async function stats(
  { store, documents, version, now }: ServiceParts,
  startedAt: number,
  upkeep: Upkeep,
): Promise<StatsAnswer> {
  const { description } = store;
  const { sources, contents, postings, diskBytes, freeBytes, index, damage } = await store.stats();
  const longest = index?.longestLists.map((list) => ({ contents: list, share: rounded(list / contents) }));
  return {
    version,
    fingerprintId: description.fingerprintId,
    kernel: documents.kernel.name,
    shingleSize: description.shingleSize,
    indexModulusMax: description.indexModulusMax,
    recordModulusMax: description.recordModulusMax,
    createdAt: new Date(description.createdAt).toISOString(),
    sources,
    contents,
    postings,
    diskBytes,
    freeBytes,
    writable: store.writable,
    // the clock may have been set back
    uptimeS: Math.max(0, Math.floor((now() - startedAt) / 1000)),
    index: index === null ? null : { ...index, longestLists: longest ?? [] },
    damage: damage.length === 0 ? null : { parts: damage, advice: DAMAGE_ADVICE },
    upkeep: upkeep.last,
  };
}

/** To six decimals; a list may have forgotten contents in it. */
const rounded = (share: number) => Math.min(1, Math.round(share * 1e6) / 1e6);
