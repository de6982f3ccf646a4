import { ShingledError } from '../errors.ts';
import type { Meta } from '../store/port.ts';
import type { ContentWish, Direction, MatchOptions, PageRequest } from './api.ts';
import type { ServiceLimits } from './limits.ts';

/* The ranges of options: http checks them by its schemas too, other callers only here. */

export const DIRECTIONS: readonly Direction[] = ['resemblance', 'queryInMatch', 'matchInQuery'];

export const CONTENT_WISHES: readonly ContentWish[] = ['page', 'main', 'auto'];

/** @throws ShingledError `invalid-request` or `invalid-url`, with the field and the limit */
export function checkMatchOptions(options: MatchOptions, limits: ServiceLimits): void {
  checkThresholds(options.thresholds);
  if (DIRECTIONS.every((direction) => options.thresholds[direction] === null)) {
    const detail = 'No threshold is on, so nothing is asked for: give at least one.';
    throw new ShingledError('invalid-request', detail, { field: 'thresholds' });
  }
  checkPageLimit(options.limit, limits);
  const sourcesMax = options.thorough ? 'copiesMax' : 'sourcesPerMatchMax';
  checkWhole('sourcesPerMatch', options.sourcesPerMatch, 1, limits[sourcesMax], sourcesMax);
  checkDeadline(options.deadlineMs, limits);
  if (options.include.length === 0) {
    throw new ShingledError('invalid-request', 'include names no state, so nothing could match.', { field: 'include' });
  }
  for (const [field, excluded] of Object.entries(options.exclude)) {
    checkCount(`exclude.${field}`, excluded.length, limits.excludeMax, 'excludeMax');
  }
  checkOnly(options.only, limits);
}

function checkOnly({ hosts, meta, seenAfter }: MatchOptions['only'], limits: ServiceLimits): void {
  if (hosts?.length === 0) {
    throw new ShingledError('invalid-request', 'hosts names no host, so nothing could match.', { field: 'hosts' });
  }
  checkCount('hosts', hosts?.length ?? 0, limits.excludeMax, 'excludeMax');
  checkMeta(meta, limits);
  if (seenAfter === null || (Number.isSafeInteger(seenAfter) && seenAfter >= 0)) return;
  throw new ShingledError('invalid-request', 'seenAfter is a time from 1970 on.', { field: 'seenAfter' });
}

/** Each threshold by its name; null = none. */
export function checkThresholds(thresholds: { readonly [name: string]: number | null }): void {
  for (const [name, threshold] of Object.entries(thresholds)) {
    if (threshold === null || (threshold >= 0 && threshold <= 1)) continue;
    const field = `thresholds.${name}`;
    throw new ShingledError('invalid-request', 'A threshold is a share from 0 to 1.', { field });
  }
}

/** A threshold at which everything would be one cluster is none. @throws ShingledError `invalid-request` */
export function checkShareAboveZero(field: string, share: number): void {
  if (share > 0 && share <= 1) return;
  throw new ShingledError('invalid-request', `${field} is a share above 0, up to 1; it is ${share}.`, { field });
}

export function checkPageLimit(limit: PageRequest['limit'], limits: ServiceLimits): void {
  checkWhole('limit', limit, 1, limits.limitMax, 'limitMax');
}

export function checkDeadline(deadlineMs: number | null, limits: ServiceLimits): void {
  if (deadlineMs === null) return;
  checkWhole('deadlineMs', deadlineMs, 1, limits.deadlineMsMax, 'deadlineMsMax');
}

export function checkWhole(field: string, value: number, least: number, most: number, limitName: string): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const detail = `${field} must be a whole number from ${least} to ${most}; it is ${value}.`;
  throw new ShingledError('invalid-request', detail, { field, limit: { name: limitName, value: most } });
}

/** For lists, and other units for other things. */
export function checkCount(field: string, count: number, most: number, limitName: string, unit = 'entries'): void {
  if (count <= most) return;
  const detail = `${field} has ${count} ${unit}; at most ${most} are taken.`;
  throw new ShingledError('invalid-request', detail, { field, limit: { name: limitName, value: most } });
}

/** @throws ShingledError `invalid-request` */
export function checkMeta(meta: Meta | null, { metaBytesMax }: ServiceLimits): void {
  if (meta === null || jsonBytes(meta) <= metaBytesMax) return;
  const detail = `meta is too large: at most ${metaBytesMax} bytes of JSON are taken.`;
  const limit = { name: 'metaBytesMax', value: metaBytesMax };
  throw new ShingledError('invalid-request', detail, { field: 'meta', limit });
}

function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    // nested so deeply that it overflows the stack of the printer
    return Number.POSITIVE_INFINITY;
  }
}
