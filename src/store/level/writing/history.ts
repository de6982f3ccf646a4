import type { Dated } from '../../dated.ts';
import type { Content, PutPlan, SweepOutcome, VersionChange } from '../../port.ts';
import { pastSinceBefore, readPastKey } from '../format/keys.ts';
import { together } from '../format/rows.ts';
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

/**
 * What a source has come to is a version of its own, from its last observation on.
 *
 * @param contents of the versions before and after, as far as the plan has them in its hand
 */
export function beginVersion(
  draft: Draft,
  url: string,
  before: SourceRow,
  source: SourceRow,
  contents: readonly Content[] = [],
): SourceRow {
  const begun = firstVersion(source);
  const { versionCount } = before;
  if (source.observedAt !== before.since) {
    draft.putPastVersion(url, before.since, presentVersion(before));
    const sinceChange = changeFrom(presentSince(before), source.contentId, null, contents);
    return limited(draft, url, { ...begun, sinceChange, versionCount: versionCount + 1 });
  }
  // the later plan wins where two speak of the same moment
  const around = versionsAround(draft, url, before, before.since, source.contentId, contents);
  const sinceChange = changeIn(around, source.contentId, contents);
  return { ...begun, sinceChange, versionCount };
}

/**
 * Adds a version from before the present observation. Where it is later than the beginning of the present version, that
 * one begins again, so that the newest version stays the present one.
 *
 * @param around what is there so far
 * @param contents as for {@link beginVersion}
 */
export function addToHistory(
  draft: Draft,
  url: string,
  source: SourceRow,
  { observedAt, row }: DatedVersion,
  around: Around = versionsAround(draft, url, source, observedAt, row.contentId),
  contents: readonly Content[] = [],
): SourceRow {
  const change = changeIn(around, row.contentId, contents);
  const added = { observedAt, row: { ...row, change } };
  const isNew = Number(observedAt === source.since || around.replaced === undefined);
  const versionCount = source.versionCount + isNew;
  if (around.newer !== undefined) {
    const stays = around.older !== undefined || versionCount <= draft.settings.retention.versionsMax;
    draft.putPastVersion(url, observedAt, added.row);
    const after = preceded(draft, url, source, added, around.newer, [...contents, ...around.contents], stays);
    return limited(draft, url, { ...after, versionCount });
  }
  if (observedAt > source.since) draft.putPastVersion(url, source.since, presentVersion(source));
  draft.putPastVersion(url, observedAt, added.row);
  const sinceChange = changeFrom(added, source.contentId, null, [...contents, ...around.contents]);
  const begun = versionCount + Number(observedAt > source.since);
  return limited(draft, url, { ...firstVersion(source), sinceChange, versionCount: begun });
}

/** The version after an added one, which may be the present one, has changed from that now. @param stays or is too old */
function preceded(
  draft: Draft,
  url: string,
  source: SourceRow,
  added: DatedVersion,
  newer: DatedVersion,
  contents: readonly Content[],
  stays: boolean,
): SourceRow {
  const { contentId, change: known } = newer.row;
  // a version that was before it, and is listed no longer, is nearer
  if (known === null ? !stays : added.observedAt < known.since) return source;
  const change = changeFrom(added, contentId, known, contents);
  if (newer.observedAt === source.since) return { ...source, sinceChange: change };
  draft.putPastVersion(url, newer.observedAt, { ...newer.row, change });
  return source;
}

/** What is there at a moment, and the versions beside it. */
export interface Around {
  readonly replaced: VersionRow | undefined;
  readonly older: DatedVersion | undefined;
  /** The present version, too; undefined where the moment is not before it. */
  readonly newer: DatedVersion | undefined;
  /** Of all of them, as far as they are in the index. */
  readonly contents: readonly Content[];
}

/**
 * @param observedAt not after the last observation
 * @param contentId of the version that is to come there
 * @param inHand contents that need not be read
 */
export function versionsAround(
  draft: Draft,
  url: string,
  source: SourceRow,
  observedAt: number,
  contentId: string | null,
  inHand: readonly { readonly id: string }[] = [],
): Around {
  const { versionCount } = source;
  const present = { observedAt: source.since, row: presentVersion(source) };
  const isPast = observedAt < source.since;
  const ofPast = <T>(ask: () => T) => (versionCount === 1 ? undefined : ask());
  const [past, before, after] = together(
    () => ofPast(() => (isPast ? draft.pastVersion(url, observedAt) : undefined)),
    () => ofPast(() => (observedAt > source.since ? undefined : draft.pastVersionUpTo(url, observedAt - 1))),
    () => ofPast(() => (isPast ? draft.pastVersionAfter(url, observedAt) : undefined)),
  );
  const older = observedAt > source.since ? present : before;
  const newer = isPast ? (after ?? present) : undefined;
  const replaced = observedAt === source.since ? present.row : past;
  const others = [older, newer ?? present].flatMap((version) => version?.row.contentId ?? []);
  // nothing is compared where all of them have one content
  const compared = new Set(others.some((id) => id !== contentId) ? [...others, contentId] : []);
  const asks = [...compared].filter((id) => id !== null && !inHand.some((content) => content.id === id));
  const contents = together(...asks.map((id) => () => contentWith(draft, id!)));
  return { replaced, older, newer, contents: contents.filter((content) => content !== undefined) };
}

function contentWith(draft: Draft, id: string): Content | undefined {
  const number = draft.numberOf(id);
  return number === undefined ? undefined : draft.content(number);
}

/** The change of a version that comes there; what is known stays where it takes the place of one with the same content. */
function changeIn(
  { replaced, older, contents }: Around,
  contentId: string | null,
  inHand: readonly Content[],
): VersionChange | null {
  const known = replaced?.contentId === contentId ? replaced.change : null;
  return older === undefined ? known : changeFrom(older, contentId, known, [...inHand, ...contents]);
}

/** The version that is the present one since `since`. */
export function presentVersion({ state, sinceHttpStatus, contentId, present, sinceChange }: SourceRow): VersionRow {
  return { state, httpStatus: sinceHttpStatus, contentId, bytesDigest: present.bytesDigest, change: sinceChange };
}

const presentSince = (source: SourceRow): DatedVersion => ({ observedAt: source.since, row: presentVersion(source) });

/** How it changed is seen once it is beside others. */
export function liveVersion(
  plan: Pick<Dated<PutPlan>, 'observedAt' | 'httpStatus' | 'bytesDigest'>,
  contentId: string,
): DatedVersion {
  const { observedAt, httpStatus, bytesDigest } = plan;
  return { observedAt, row: { state: 'live', httpStatus, contentId, bytesDigest, change: null } };
}

/** The newest version at `observedAt` or before. */
export function versionAt(draft: Draft, url: string, source: SourceRow, observedAt: number): VersionRow | undefined {
  return observedAt >= source.since ? presentVersion(source) : draft.pastVersionUpTo(url, observedAt)?.row;
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
export function sweepPast(draft: Draft, now: number, limit: number): SweepOutcome {
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
