import type { PutPlan, SeenPlan } from '../port.ts';
import type { Draft } from './draft.ts';
import { expiredBy, readExpiryKey, TIME_MAX } from './keys.ts';
import type { Hold, PastHold, SourceRow, VersionRow } from './values.ts';

/*
 * What a source was: its dated versions, and the contents that it had and that are kept for a while. The present version
 * is part of the source; a row of its own is written when another takes its place. An expiry row stands for every past
 * content of every source, so that a sweep finds what has run out without looking for it.
 */

/** A source that had no version yet. */
export function firstVersion(source: SourceRow): SourceRow {
  return { ...source, since: source.observedAt, sinceHttpStatus: source.httpStatus, versionCount: 1 };
}

/** What a source has come to is a version of its own, from its last observation on. */
export function beginVersion(draft: Draft, url: string, before: SourceRow, source: SourceRow): SourceRow {
  let { versionCount } = before;
  // the later plan wins where two speak of the same moment
  if (source.observedAt !== before.since) {
    draft.putPastVersion(url, before.since, presentVersion(before));
    versionCount++;
  }
  return limited(draft, url, { ...firstVersion(source), versionCount });
}

/**
 * Adds a version from before the present observation. Where it is later than the beginning of the present version, that
 * one begins again, so that the newest version stays the present one.
 */
export function addToHistory(
  draft: Draft,
  url: string,
  source: SourceRow,
  observedAt: number,
  version: VersionRow,
): SourceRow {
  let { versionCount } = source;
  if (observedAt < source.since) {
    if (!draft.hasPastVersion(url, observedAt)) versionCount++;
    draft.putPastVersion(url, observedAt, version);
    return limited(draft, url, { ...source, versionCount });
  }
  versionCount++;
  if (observedAt > source.since) {
    draft.putPastVersion(url, source.since, presentVersion(source));
    versionCount++;
  }
  draft.putPastVersion(url, observedAt, version);
  return limited(draft, url, { ...firstVersion(source), versionCount });
}

/** The version that is the present one since `since`. */
export function presentVersion({ state, sinceHttpStatus, contentId, present }: SourceRow): VersionRow {
  return { state, httpStatus: sinceHttpStatus, contentId, bytesDigest: present.bytesDigest };
}

export function liveVersion(plan: PutPlan | SeenPlan, contentId: string): VersionRow {
  return { state: 'live', httpStatus: plan.httpStatus, contentId, bytesDigest: plan.bytesDigest };
}

/** The newest version at `observedAt` or before. */
export function versionAt(draft: Draft, url: string, source: SourceRow, observedAt: number): VersionRow | undefined {
  return observedAt >= source.since ? presentVersion(source) : draft.pastVersionAt(url, observedAt);
}

function limited(draft: Draft, url: string, source: SourceRow): SourceRow {
  const excess = source.versionCount - draft.settings.retention.versionsMax;
  if (excess <= 0) return source;
  draft.dropPastVersions(url, excess);
  return { ...source, versionCount: source.versionCount - excess };
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
export function sweepPast(draft: Draft, now: number, limit: number): { examined: number; forgotten: number } {
  const keys = draft.rows.expiries.keys(expiredBy(now, limit));
  for (const key of keys) {
    const { expiresAt, content, url } = readExpiryKey(key);
    const source = draft.source(url);
    const hold = source?.past.find((past) => past.content === content && past.expiresAt === expiresAt);
    draft.rows.expiries.delete(key);
    if (source === undefined || hold === undefined) continue;
    const again = expiring(draft, hold);
    const isDue = again.expiresAt <= now;
    if (isDue) draft.release(content, url);
    else draft.putExpiry(again, url);
    const past = source.past.flatMap((other) => (other !== hold ? [other] : isDue ? [] : [again]));
    draft.putSource(url, { ...source, past }, false);
  }
  return { examined: keys.length, forgotten: draft.forgetUnheld() };
}
