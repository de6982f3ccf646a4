import type { PutPlan, SeenPlan } from '../port.ts';
import type { Draft } from './draft.ts';
import { expiredBy, readExpiryKey, TIME_MAX } from './keys.ts';
import type { Hold, PastHold, SourceRow, VersionRow } from './values.ts';

/*
 * What a source was: its dated versions, and the contents that it had and that are kept for a while. An expiry row stands
 * for every past content of every source, so that a sweep finds what has run out without looking for it.
 */

/** The present state of a source becomes a version of its own, from its last observation on. */
export async function beginVersion(draft: Draft, url: string, source: SourceRow): Promise<SourceRow> {
  const { observedAt, state, httpStatus, contentId, present } = source;
  const version = { state, httpStatus, contentId, bytesDigest: present.bytesDigest };
  const versionCount = await draft.putVersion(url, observedAt, version, source.versionCount);
  return { ...source, since: observedAt, versionCount };
}

/**
 * Adds a version from before the present observation. Where it is later than the beginning of the present version, that
 * one begins again, so that the newest version stays the present one.
 */
export async function addToHistory(
  draft: Draft,
  url: string,
  source: SourceRow,
  observedAt: number,
  version: VersionRow,
): Promise<SourceRow> {
  const versionCount = await draft.putVersion(url, observedAt, version, source.versionCount);
  const row = { ...source, versionCount };
  return observedAt >= source.since ? beginVersion(draft, url, row) : row;
}

export function liveVersion(plan: PutPlan | SeenPlan, contentId: string): VersionRow {
  return { state: 'live', httpStatus: plan.httpStatus, contentId, bytesDigest: plan.bytesDigest };
}

/** The past contents of a source with one more, which it holds already; the longest unseen go where there are too many. */
export function keepPast(
  draft: Draft,
  url: string,
  past: readonly PastHold[],
  hold: Hold,
  now: number,
): readonly PastHold[] | undefined {
  const { pastContentsMax, pastMs } = draft.settings.retention;
  if (pastContentsMax === 0 || hold.lastSeen + pastMs <= now) return undefined;
  const added = expiring(draft, hold);
  draft.putExpiry(added, url);
  const sorted = [added, ...past].sort((a, b) => b.lastSeen - a.lastSeen);
  for (const dropped of sorted.splice(pastContentsMax)) {
    draft.deleteExpiry(dropped, url);
    draft.release(dropped.content, url);
  }
  return sorted;
}

/** A past content with the time when it may go. */
export function expiring(draft: Draft, hold: Hold): PastHold {
  return { ...hold, expiresAt: Math.min(hold.lastSeen + draft.settings.retention.pastMs, TIME_MAX - 1) };
}

/** Looks at `limit` expiry rows that are due by `now`; a row that came too early (retention was lengthened) is moved. */
export async function sweepPast(
  draft: Draft,
  now: number,
  limit: number,
): Promise<{ examined: number; forgotten: number }> {
  const keys = await draft.rows.keys(expiredBy(now, limit));
  for (const key of keys) {
    const { expiresAt, content, url } = readExpiryKey(key);
    const source = await draft.source(url);
    const hold = source?.past.find((past) => past.content === content && past.expiresAt === expiresAt);
    draft.rows.delete(key);
    if (source === undefined || hold === undefined) continue;
    const again = expiring(draft, hold);
    const isDue = again.expiresAt <= now;
    if (isDue) draft.release(content, url);
    else draft.putExpiry(again, url);
    const past = source.past.flatMap((other) => (other !== hold ? [other] : isDue ? [] : [again]));
    draft.putSource(url, { ...source, past }, false);
  }
  return { examined: keys.length, forgotten: await draft.forgetUnheld() };
}
