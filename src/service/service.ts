import { createSketcher } from '../core/sketch/sketch.ts';
import { ShingledError } from '../errors.ts';
import { Places } from '../sharing/places.ts';
import { DAMAGE_ADVICE } from '../store/port.ts';
import type { Access, Service, StatsAnswer } from './api.ts';
import { BegunWrites } from './begun-writes.ts';
import { collapse } from './collapse/collapse.ts';
import { compare } from './compare/compare.ts';
import type { ServiceContext, ServiceParts } from './context.ts';
import { knownDocument, knownVersions } from './known.ts';
import type { ServiceLimits } from './limits.ts';
import { similar } from './similar/similar.ts';
import { createSweep } from './sweep.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';
import { bulkAnswers } from './write/bulk.ts';
import { forgetUrl, putDocument, putGoneUrl } from './write/documents.ts';
import { similarLines } from './write/lines.ts';

/** Puts the uses together: one file each, over the same parts. Keeps nothing that a second process would need to know. */
export function createService(parts: ServiceParts): Service {
  const { identity, documents, loop } = parts;
  const places = placesFor(parts.limits);
  const shared = { ...parts, places, sketcher: createSketcher(identity.fingerprint), conditional: new BegunWrites() };
  const contextOf = ({ caller, requestId }: Access): ServiceContext => ({
    ...{ ...shared, caller, requestId, turns: loop.turnsOf(caller) },
    onFault: (fault) => parts.onFault?.(fault, requestId),
  });
  const sweep = createSweep(parts);
  const upkeep = createUpkeep(parts);
  const startedAt = parts.now();
  return {
    similar: (reference, options, access, signal) =>
      similar(contextOf(access), reference, options, access, 'refuse', signal),
    similarBatch: (lines, access) => similarLines(contextOf(access), lines, access),
    put: (request, access, signal) => putDocument(contextOf(access), request, signal),
    gone: (request, access) => putGoneUrl(contextOf(access), request),
    forget: (url, access) => forgetUrl(contextOf(access), url),
    document: (url, page, access) => places.run(access.caller, {}, () => knownDocument(parts, url, page)),
    versions: (url, page, access) => places.run(access.caller, {}, () => knownVersions(parts, url, page)),
    bulk: (lines, access, options) => bulkAnswers(contextOf(access), lines, options),
    compare: (request, access, signal) => compare(contextOf(access), request, access, signal),
    collapse: (request, access, signal) => collapse(contextOf(access), request, access, signal),
    stats: () => stats(parts, startedAt, upkeep),
    backup: (name) => upkeep.backup(name),
    compact: () => upkeep.compact(),
    backups: () => upkeep.backups(),
    get load() {
      return {
        requestsInFlight: places.taken,
        requestsWaiting: places.waiting,
        documentsWaiting: documents.queued,
      };
    },
    start: () => sweep.start(),
    close: () => sweep.stop(),
  };
}

function placesFor({ requestsInFlightMax, requestsWaitingMax }: ServiceLimits): Places {
  const refusal = () =>
    new ShingledError('overloaded', 'Too many requests of this caller are waiting.', {
      limit: { name: 'requestsWaitingMax', value: requestsWaitingMax },
      retryAfterS: 1,
    });
  return new Places({ size: requestsInFlightMax, waitingMax: requestsWaitingMax, refusal });
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
