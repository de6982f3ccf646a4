import { evidenceOfVersions, haveSameWords, sketchOfContent } from '../../contents.ts';
import type { Dated } from '../../dated.ts';
import type { Content, GonePlan, PutPlan, SweepOutcome, VersionChange } from '../../port.ts';
import { pastSinceBefore, readPastKey } from '../format/keys.ts';
import { together } from '../format/loaded-rows.ts';
import type { Hold, PastHold, SourceRow } from '../format/values.ts';
import type { VersionRow } from '../format/version-values.ts';
import type { Draft } from './draft.ts';
import { type DatedVersion, isUnchanged, lastSeenOf, withSighting } from './version-runs.ts';

/*
 * What a source was: its dated versions, and the contents that it had and that are kept for a while. The present version
 * is part of the source; a row of its own is written when another replaces it. A row of table x stands for every past
 * content of every source, so that a sweep finds what has run out without looking for it.
 */

/**
 * The versions of a source with one more sighting, the newest or an older one: in whichever order they come, the same
 * versions come of them (version-runs.ts).
 *
 * @param before the source as its versions are so far
 * @param source what it has come to in all else
 * @param contents which versions may be of, as far as the plan has them in its hand
 */
export function withVersion(
  draft: Draft,
  url: string,
  before: SourceRow,
  source: SourceRow,
  sighting: DatedVersion,
  contents: readonly Content[] = [],
): SourceRow {
  if (sighting.observedAt < before.forgottenBefore) return source;
  const around = runsAround(draft, url, before, sighting.observedAt);
  const hasPresent = around.at(-1)!.observedAt === before.since;
  const runs = withSighting(around.map(asSeen), sighting);
  const present = hasPresent ? runs.pop()! : undefined;
  const rows = hasPresent ? around.slice(0, -1) : around;
  const past = complete(draft, runs, contents);
  for (const { observedAt } of rows) {
    if (!past.some((run) => run.observedAt === observedAt)) draft.deletePastVersion(url, observedAt);
  }
  for (const run of past) {
    if (!rows.some((row) => isUnchanged(row, run))) draft.putPastVersion(url, run.observedAt, run.row);
  }
  const versionCount = before.versionCount + past.length - rows.length;
  if (present === undefined) return limited(draft, url, { ...source, versionCount });
  // one that has grown towards the past is beside another one now
  const isBeside = past.length === 0 && present.observedAt < before.since && versionCount > 1;
  const last = isBeside ? draft.pastVersionUpTo(url, present.observedAt - 1) : past.at(-1);
  const sinceChange = changeOf(draft, before, source, last, contents);
  return limited(draft, url, { ...source, ...sinceOf(present), sinceChange, versionCount });
}

/** How the present version came about. @param last the one before it; undefined where there is none, or it is as it was */
function changeOf(
  draft: Draft,
  before: SourceRow,
  { state, contentId }: SourceRow,
  last: DatedVersion | undefined,
  contents: readonly Content[],
): VersionChange | null {
  if (state === 'gone') return null;
  if (last === undefined) return contentId === before.contentId ? before.sinceChange : null;
  const { contentId: from, sketch } = last.row;
  if (from === null || sketch === null || from === contentId) return null;
  const content = contents.find(({ id }) => id === contentId) ?? contentWith(draft, contentId);
  if (content === undefined) return null;
  const present = sketchOfContent(content);
  if (haveSameWords(sketch, present)) return null;
  return { since: lastSeenOf(last), from, evidence: evidenceOfVersions(sketch, present) };
}

/** What a sighting may change: the version that it falls into, and those beside it, the oldest first. */
function runsAround(draft: Draft, url: string, source: SourceRow, observedAt: number): DatedVersion[] {
  const { since, versionCount } = source;
  const present = { observedAt: since, row: presentVersion(source) };
  if (versionCount === 1 || (observedAt > since && source.state === 'live')) return [present];
  const isPast = observedAt < since;
  const [older, at, newer] = together(
    () => draft.pastVersionUpTo(url, Math.min(observedAt, since) - 1),
    () => (isPast ? draft.pastVersion(url, observedAt) : undefined),
    () => (isPast ? draft.pastVersionAfter(url, observedAt) : undefined),
  );
  // where it is gone then, what was there before that is another content now: that concerns the version after
  const after = newer?.row.state === 'gone' ? (draft.pastVersionAfter(url, newer.observedAt) ?? present) : undefined;
  const found = [older, at === undefined ? undefined : { observedAt, row: at }, newer ?? present, after];
  return found.filter((version) => version !== undefined);
}

/** Of what is gone, what was there before is that of the version before it, where one is known. */
export function goneAfter(gone: VersionRow, before: VersionRow | undefined): VersionRow {
  if (before === undefined) return gone;
  const { contentId, bytesDigest, sketch } = before;
  return { ...gone, contentId, bytesDigest, sketch };
}

/** What was there before it was gone is told again by the version before it: the sighting may have taken its place. */
const asSeen = (run: DatedVersion, i: number): DatedVersion =>
  run.row.state === 'gone' && i > 0
    ? { ...run, row: { ...run.row, contentId: null, bytesDigest: null, sketch: null } }
    : run;

/** Past versions with all that is kept of each: their contents may be gone with this very plan. */
function complete(draft: Draft, runs: readonly DatedVersion[], contents: readonly Content[]): DatedVersion[] {
  const past: DatedVersion[] = [];
  for (const { observedAt, row } of runs) {
    const before = past.at(-1)?.row;
    if (row.state === 'gone' && before !== undefined) past.push({ observedAt, row: goneAfter(row, before) });
    else if (row.sketch === null && row.contentId !== null) {
      const content = contents.find(({ id }) => id === row.contentId) ?? contentWith(draft, row.contentId);
      past.push({ observedAt, row: { ...row, sketch: content === undefined ? null : sketchOfContent(content) } });
    } else past.push({ observedAt, row });
  }
  return past;
}

function contentWith(draft: Draft, id: string): Content | undefined {
  const number = draft.numberOf(id);
  return number === undefined ? undefined : draft.content(number);
}

const sinceOf = ({ observedAt: since, row: { httpStatus: sinceHttpStatus, again } }: DatedVersion) => ({
  ...{ since, sinceHttpStatus, again },
});

/** The version that is the present one since `since`: its content is there, and tells what a sketch would. */
export function presentVersion({ state, sinceHttpStatus, contentId, present, again }: SourceRow): VersionRow {
  const { bytesDigest } = present;
  return { state, httpStatus: sinceHttpStatus, contentId, bytesDigest, sketch: null, again };
}

/** @param content of which only the present version may do without a sketch */
export function liveVersion(
  plan: Pick<Dated<PutPlan>, 'observedAt' | 'httpStatus' | 'bytesDigest'>,
  contentId: string,
  content?: Content,
): DatedVersion {
  const { observedAt, httpStatus, bytesDigest } = plan;
  const sketch = content === undefined ? null : sketchOfContent(content);
  return { observedAt, row: { state: 'live', httpStatus, contentId, bytesDigest, sketch, again: [] } };
}

/** What was there before is that of the version before it. */
export const goneVersion = ({ observedAt, httpStatus }: Pick<Dated<GonePlan>, 'observedAt' | 'httpStatus'>) =>
  ({
    observedAt,
    row: { state: 'gone', httpStatus, contentId: null, bytesDigest: null, sketch: null, again: [] },
  }) satisfies DatedVersion;

/** The newest version at `observedAt` or before. */
export function versionAt(draft: Draft, url: string, source: SourceRow, observedAt: number): VersionRow | undefined {
  if (observedAt < source.since) return draft.pastVersionUpTo(url, observedAt)?.row;
  const present = presentVersion(source);
  if (source.state === 'live' || source.versionCount === 1) return present;
  return goneAfter(present, draft.pastVersionUpTo(url, source.since - 1)?.row);
}

/** When a source was live last, as its versions say it; of those that are forgotten the latest that it may have been. */
export function lastLive(draft: Draft, url: string, source: SourceRow): number {
  if (source.state === 'live') return source.observedAt;
  const before = source.versionCount === 1 ? undefined : draft.pastVersionUpTo(url, source.since - 1);
  return before === undefined ? source.forgottenBefore - 1 : lastSeenOf(before);
}

function limited(draft: Draft, url: string, source: SourceRow): SourceRow {
  const excess = source.versionCount - draft.settings.retention.versionsMax;
  if (excess <= 0) return source;
  const forgottenBefore = draft.dropPastVersions(url, excess) + 1;
  const versionCount = source.versionCount - excess;
  return { ...source, versionCount, forgottenBefore, sinceChange: versionCount === 1 ? null : source.sinceChange };
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
    draft.putSource(url, { ...source, past: source.past.filter((other) => other !== hold) }, source);
  }
  return { examined: keys.length, forgotten: draft.forgetUnheld() };
}
