import { ShingledError } from '../errors.ts';
import type { Turns } from '../sharing/turns.ts';
import type { Direction, MatchOptions, PageRequest, Thresholds } from './api.ts';
import type { ServiceLimits } from './limits.ts';
import { nameHost, nameSource } from './url.ts';

/* The ranges of options: http checks them by its schemas too, other callers only here. */

export const DIRECTIONS: readonly Direction[] = ['resemblance', 'queryInMatch', 'matchInQuery'];

/** @throws ShingledError `invalid-request` or `invalid-url`, with the field and the limit */
export function checkMatchOptions(options: MatchOptions, limits: ServiceLimits): void {
  checkAsked(options.thresholds);
  checkPageLimit(options.limit, limits);
  checkWhole('sourcesPerMatch', options.sourcesPerMatch, 1, limits.sourcesPerMatchMax, 'sourcesPerMatchMax');
  checkDeadline(options.deadlineMs, limits);
  if (options.include.length === 0) {
    throw new ShingledError('invalid-request', 'include names no state, so nothing could match.', { field: 'include' });
  }
  for (const [field, excluded] of Object.entries(options.exclude)) {
    checkCount(`exclude.${field}`, excluded.length, limits.excludeMax, 'excludeMax');
  }
}

/** Each threshold by its name; null = none. */
export function checkThresholds(thresholds: { readonly [name: string]: number | null }): void {
  for (const [name, threshold] of Object.entries(thresholds)) {
    if (threshold === null || (threshold >= 0 && threshold <= 1)) continue;
    const field = `thresholds.${name}`;
    throw new ShingledError('invalid-request', 'A threshold is a share from 0 to 1.', { field });
  }
}

/** For calls that look for something. */
export function checkAsked(thresholds: Thresholds): void {
  checkThresholds(thresholds);
  if (DIRECTIONS.some((direction) => thresholds[direction] !== null)) return;
  throw new ShingledError('invalid-request', 'No threshold is on, so nothing is asked for: give at least one.', {
    field: 'thresholds',
  });
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

/** For lists. */
export function checkCount(field: string, count: number, most: number, limitName: string): void {
  if (count <= most) return;
  const detail = `${field} has ${count} entries; at most ${most} are taken.`;
  throw new ShingledError('invalid-request', detail, { field, limit: { name: limitName, value: most } });
}

/** Which sources of a match may be shown. */
export interface SourceFilter {
  readonly states: ReadonlySet<string>;
  readonly hosts: ReadonlySet<string>;
  /** The excluded URLs and the query's own. */
  readonly urls: ReadonlySet<string>;
  readonly groupByHost: boolean;
}

/** @throws ShingledError `invalid-request` or `invalid-url` for an excluded host or URL that is none */
export async function sourceFilter(
  { exclude, include, groupBy }: MatchOptions,
  ownUrl: string | null,
  limits: ServiceLimits,
  turns: Turns,
): Promise<SourceFilter> {
  const hosts = new Set<string>();
  const urls = new Set<string>(ownUrl === null ? [] : [ownUrl]);
  // to read a URL takes up to 200 us, a host of other scripts more
  for (const [index, host] of exclude.hosts.entries()) {
    if (turns.spent()) await turns.next();
    hosts.add(nameHost(host, `exclude.hosts[${index}]`));
  }
  for (const [index, url] of exclude.urls.entries()) {
    if (turns.spent()) await turns.next();
    urls.add(nameSource(url, `exclude.urls[${index}]`, limits.urlBytesMax).url);
  }
  return { states: new Set<string>(include), hosts, urls, groupByHost: groupBy === 'host' };
}
