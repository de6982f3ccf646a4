import type { Version } from '../../store/port.ts';
import type { ChangeCounts, ChangeKind, ChangeRate } from '../api.ts';
import { kindOf } from './version-change.ts';

/*
 * How often documents change, as far as it was seen: changes by kind, over the time between first and last sighting.
 *
 *   a day = changes / days       of many documents: the sum of their changes over the sum of their days
 *
 * A page that changes between two visits and back again has not changed for us; one that changes ten times has once.
 */

const DAY_MS = 86_400_000;
const CHANGE_KINDS: readonly ChangeKind[] = [
  'identical',
  'formatting',
  'template',
  'edited',
  'replaced',
  'gone',
  'back',
];
const DIGITS = 6;

/** What is counted, and added up over documents. */
export interface ChangeTally {
  readonly ms: number;
  readonly changes: ChangeCounts;
}

const none = () => ({ identical: 0, formatting: 0, template: 0, edited: 0, replaced: 0, gone: 0, back: 0, unknown: 0 });

export const NO_CHANGES: ChangeTally = { ms: 0, changes: none() };

/** @param versions of one source, the newest first, without a gap */
export function withChanges(tally: ChangeTally, versions: readonly Version[]): ChangeTally {
  const [newest, oldest] = [versions[0], versions.at(-1)];
  if (newest === undefined || oldest === undefined) return tally;
  const changes = { ...tally.changes };
  for (const [i, version] of versions.entries()) {
    const before = versions[i + 1];
    if (before !== undefined) changes[kindOf(before, version) ?? 'unknown']++;
  }
  return { ms: tally.ms + newest.lastSeen - oldest.observedAt, changes };
}

export const rateOf = (all: readonly (readonly Version[])[]): ChangeRate =>
  rateOfTally(all.reduce(withChanges, NO_CHANGES));

export function rateOfTally({ ms, changes }: ChangeTally): ChangeRate {
  const days = ms / DAY_MS;
  if (ms === 0) return { days, changes, perDay: null };
  const perDay = none();
  for (const kind of [...CHANGE_KINDS, 'unknown'] as const) perDay[kind] = rounded(changes[kind] / days);
  return { days: rounded(days), changes, perDay };
}

const rounded = (value: number) => Number(value.toPrecision(DIGITS));
