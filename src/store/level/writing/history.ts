import type { Dated } from '../../dated.ts';
import type { ContentRecord, PutPlan } from '../../port.ts';
import { pastSinceBefore, readPastKey } from '../format/keys.ts';
import type { Hold, PastHold, SourceRow, VersionRow } from '../format/values.ts';
import { changeFrom } from './changes.ts';
import type { DatedVersion, Draft } from './draft.ts';

/*
 * What a source was: its dated versions, and the contents that it had and that are kept for a while. The present version
 * is part of the source; a row of its own is written when another replaces it. A row of table x stands for every past
 * content of every source, so that a sweep finds what has run out without looking for it.
 */

/** A source that had no version yet. */
function firstVersion(source: SourceRow): SourceRow {
  return {
    ...source,
    since: source.observedAt,
    sinceHttpStatus: source.httpStatus,
    sinceChange: null,
    versionCount: 1,
  };
}

/** What a source has come to is a version of its own, from its last observation on. @param atHand see changes.ts */
export function beginVersion(
  draft: Draft,
  url: string,
  before: SourceRow,
  source: SourceRow,
  atHand: readonly ContentRecord[] = [],
): SourceRow {
  const begun = firstVersion(source);
  const { versionCount } = before;
  if (source.observedAt !== before.since) {
    draft.putPastVersion(url, before.since, presentVersion(before));
    const sinceChange = changeFrom(draft, presentSince(before), source.contentId, null, atHand);
    return limited(draft, url, { ...begun, sinceChange, versionCount: versionCount + 1 });
  }
  // the later plan wins where two speak of the same moment
  const known = source.contentId === before.contentId ? before.sinceChange : null;
  const older = versionCount === 1 ? undefined : draft.pastVersionBefore(url, before.since);
  return { ...begun, sinceChange: changeFrom(draft, older, source.contentId, known, atHand), versionCount };
}

/**
 * Adds a version from before the present observation. Where it is later than the beginning of the present version, that
 * one begins again, so that the newest version stays the present one.
 *
 * @param atHand see changes.ts
 */
export function addToHistory(
  draft: Draft,
  url: string,
  source: SourceRow,
  added: DatedVersion,
  atHand: readonly ContentRecord[] = [],
): SourceRow {
  const { observedAt } = added;
  let { versionCount } = source;
  if (observedAt < source.since) {
    const replaced = draft.pastVersion(url, observedAt);
    if (replaced === undefined) versionCount++;
    const older = draft.pastVersionBefore(url, observedAt);
    draft.putPastVersion(url, observedAt, following(draft, older, added.row, replaced, atHand));
    const stays = older !== undefined || versionCount <= draft.settings.retention.versionsMax;
    return limited(draft, url, { ...preceded(draft, url, source, added, stays, atHand), versionCount });
  }
  versionCount++;
  const present = presentSince(source);
  let older: DatedVersion | undefined = present;
  if (observedAt > source.since) {
    draft.putPastVersion(url, source.since, present.row);
    versionCount++;
  } else older = draft.pastVersionBefore(url, observedAt);
  const replaced = observedAt === source.since ? present.row : undefined;
  draft.putPastVersion(url, observedAt, following(draft, older, added.row, replaced, atHand));
  const sinceChange = changeFrom(draft, added, source.contentId, null, atHand);
  return limited(draft, url, { ...firstVersion(source), sinceChange, versionCount });
}

/** An added version with its change; what is known stays where it takes the place of one with the same content. */
function following(
  draft: Draft,
  older: DatedVersion | undefined,
  added: VersionRow,
  replaced: VersionRow | undefined,
  atHand: readonly ContentRecord[],
): VersionRow {
  const known = replaced?.contentId === added.contentId ? replaced.change : null;
  return { ...added, change: changeFrom(draft, older, added.contentId, known, atHand) };
}

/** The version after an added one, which may be the present one, has changed from that now. @param stays or is too old */
function preceded(
  draft: Draft,
  url: string,
  source: SourceRow,
  added: DatedVersion,
  stays: boolean,
  atHand: readonly ContentRecord[],
): SourceRow {
  const newer = draft.pastVersionAfter(url, added.observedAt) ?? presentSince(source);
  const { contentId, change: known } = newer.row;
  // a version that was before it, and is listed no longer, is nearer
  if (known === null ? !stays : added.observedAt < known.since) return source;
  const change = changeFrom(draft, added, contentId, known, atHand);
  if (newer.observedAt === source.since) return { ...source, sinceChange: change };
  draft.putPastVersion(url, newer.observedAt, { ...newer.row, change });
  return source;
}

/** The version that is the present one since `since`. */
export function presentVersion({ state, sinceHttpStatus, contentId, present, sinceChange }: SourceRow): VersionRow {
  return { state, httpStatus: sinceHttpStatus, contentId, bytesDigest: present.bytesDigest, change: sinceChange };
}

const presentSince = (source: SourceRow): DatedVersion => ({ observedAt: source.since, row: presentVersion(source) });

/** How it changed is seen once it is beside others. */
export function liveVersion(plan: Dated<PutPlan>, contentId: string): DatedVersion {
  const { observedAt, httpStatus, bytesDigest } = plan;
  return { observedAt, row: { state: 'live', httpStatus, contentId, bytesDigest, change: null } };
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
