import type { Dated } from '../../dated.ts';
import type { PutPlan } from '../../port.ts';
import { pastSinceBefore, readPastKey } from '../format/keys.ts';
import type { Hold, PastHold, SourceRow, VersionRow } from '../format/values.ts';
import type { Draft } from './draft.ts';

/*
 * What a source was: its dated versions, and the contents that it had and that are kept for a while. The present version
 * is part of the source; a row of its own is written when another replaces it. A row of table x stands for every past
 * content of every source, so that a sweep finds what has run out without looking for it.
 */

/** A source that had no version yet. */
function firstVersion(source: SourceRow): SourceRow {
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

export function liveVersion(plan: Dated<PutPlan>, contentId: string): VersionRow {
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

/**
 * The past contents of a source with one more, which it holds already; the longest unseen go where there are too many.
 *
 * @param now when it is told that the content is a past one
 * @returns undefined where none are kept
 */
export function keepPast(
  draft: Draft,
  url: string,
  past: readonly PastHold[],
  hold: Hold,
  now: number,
): readonly PastHold[] | undefined {
  const { pastContentsMax, pastMs } = draft.settings.retention;
  if (pastContentsMax === 0 || pastMs === 0) return undefined;
  const added = pastFrom(hold, now);
  draft.putPast(added, url);
  const sorted = [added, ...past].sort((a, b) => b.lastSeen - a.lastSeen);
  for (const dropped of sorted.splice(pastContentsMax)) dropPast(draft, url, dropped);
  return sorted;
}

/** A content that is past from now on: never before it was last seen, where a clock was set back since. */
export const pastFrom = (hold: Hold, now: number): PastHold => ({ ...hold, pastSince: Math.max(hold.lastSeen, now) });

/** The source holds a past content no longer. */
export function dropPast(draft: Draft, url: string, hold: PastHold): void {
  draft.deletePast(hold, url);
  draft.release(hold.content, url);
}

/** Whether a content was seen at that one moment only: where another takes that, no version names it any more. */
export const isOnlySeenAt = ({ firstSeen, lastSeen }: Hold, time: number) => firstSeen === time && lastSeen === time;

/** Looks at `limit` past contents whose time is up by `now`. */
export function sweepPast(draft: Draft, now: number, limit: number): { examined: number; forgotten: number } {
  const { pastMs } = draft.settings.retention;
  const keys = now < pastMs ? [] : draft.rows.pasts.keys(pastSinceBefore(now - pastMs, limit));
  for (const key of keys) {
    const { pastSince, content, url } = readPastKey(key);
    const source = draft.source(url);
    const hold = source?.past.find((past) => past.content === content && past.pastSince === pastSince);
    draft.rows.pasts.delete(key);
    if (source === undefined || hold === undefined) continue;
    draft.release(content, url);
    draft.putSource(url, { ...source, past: source.past.filter((other) => other !== hold) }, false);
  }
  return { examined: keys.length, forgotten: draft.forgetUnheld() };
}
