import { contentRecord, resemblanceOfContents } from '../../contents.ts';
import { type Dated, dated } from '../../dated.ts';
import { type DeletePlan, type GonePlan, lexicalDigestOf, type WriteOutcome, type WritePlan } from '../../port.ts';
import { together } from '../format/loaded-rows.ts';
import type { Hold, PastHold, SourceRow } from '../format/values.ts';
import type { Draft } from './draft.ts';
import { holdContent, isRead, isUnreadAfter, noteRead } from './held-content.ts';
import {
  dropPast,
  goneVersion,
  isOnlySeenAt,
  keepPast,
  lastLive,
  liveVersion,
  pastFrom,
  withVersion,
} from './history.ts';
import { isRecord, type Sighting, seenAs } from './sighting.ts';

/*
 * What a plan comes to, and the rows that it changes; nothing here waits (rows.ts).
 *
 *                          | source unknown | seen before its newest observation | at it or after
 *   put, another content   | created        | history; of a gone source, where   | updated: the old content past or gone
 *                          |                | nothing is newer, what it had last |
 *   put, the same words    |                | history                            | unchanged; back where it was gone
 *   gone                   | unknown        | history                            | gone
 *   delete                 | unknown        | deleted, with all that nobody else holds
 *   the same as a source   | a put of the content that it had then; unknown where that is not known, or is forgotten
 *
 * test/support/memory-store/memory-index.ts says the same in other words.
 */

/** @param plan checked (check-plan.ts); the draft is of no use after an error */
export function resolvePlan(draft: Draft, plan: WritePlan): WriteOutcome {
  const source = draft.source(plan.url);
  switch (plan.kind) {
    case 'put': {
      const put = dated(plan, source);
      return source === undefined ? create(draft, put) : putAgain(draft, source, put);
    }
    case 'same': {
      const same = dated(plan, source);
      const seen = seenAs(draft, same, plan.asAt ?? plan.observedAt ?? Number.POSITIVE_INFINITY);
      if (seen === undefined) return outcome('unknown', null, same.observedAt);
      return source === undefined ? create(draft, seen) : putAgain(draft, source, seen);
    }
    case 'gone': {
      const gone = dated(plan, source);
      return source === undefined ? outcome('unknown', null, gone.observedAt) : goneNow(draft, source, gone);
    }
    case 'delete':
      return source === undefined ? outcome('unknown', null, plan.receivedAt) : forget(draft, source, plan);
  }
}

function create(draft: Draft, plan: Sighting): WriteOutcome {
  const { number, isNew } = holdContent(draft, plan);
  draft.putSource(plan.url, newSource(plan, number), null);
  return created(plan, isNew);
}

/** A source that is seen for the first time, with a content of this number. */
export function newSource(plan: Sighting, number: number): SourceRow {
  return {
    spelling: plan.spelling,
    state: 'live',
    httpStatus: plan.httpStatus,
    firstSeen: plan.observedAt,
    lastSeen: plan.observedAt,
    observedAt: plan.observedAt,
    finalUrl: plan.finalUrl,
    meta: plan.meta,
    contentId: plan.content.id,
    isUnread: !isRead(plan),
    present: holdOf(number, plan),
    past: [],
    since: plan.observedAt,
    sinceHttpStatus: plan.httpStatus,
    again: [],
    sinceChange: null,
    versionCount: 1,
    forgottenBefore: 0,
  };
}

/** What the plan of a new source comes to. */
export const created = ({ content, observedAt }: Sighting, contentIsNew: boolean): WriteOutcome =>
  outcome('created', content.id, observedAt, { contentIsNew });

function putAgain(draft: Draft, source: SourceRow, plan: Sighting): WriteOutcome {
  if (source.contentId === plan.content.id) return seeAgain(draft, source, plan);
  const isOlder = plan.observedAt < lastLive(draft, plan.url, source);
  return isOlder ? putIntoHistory(draft, source, plan) : update(draft, source, plan);
}

/** Another content replaces the present one; where it is known to be gone since, it is what was there last. */
function update(draft: Draft, source: SourceRow, plan: Sighting): WriteOutcome {
  const { url } = plan;
  const old = draft.changingContent(source.present.content);
  const { number, isNew } = holdContent(draft, plan);
  const returning = source.past.find((hold) => hold.content === number);
  if (returning !== undefined) draft.deletePast(returning, url);
  const content = draft.content(number);
  const present = holdOf(number, plan);
  let row: SourceRow = {
    ...source,
    ...presentOf(source, plan),
    contentId: plan.content.id,
    isUnread: !isRead(plan),
    present: { ...present, firstSeen: Math.min(present.firstSeen, returning?.firstSeen ?? present.firstSeen) },
    past: source.past.filter((hold) => hold !== returning),
  };
  const keepsOld =
    !isOnlySeenAt(source.present, plan.observedAt) &&
    resemblanceOfContents(old, content) < draft.settings.retention.pastResemblanceMax;
  const past = keepsOld ? keepPast(draft, url, row.past, source.present, plan.receivedAt) : undefined;
  if (past === undefined) draft.release(source.present.content, url);
  else row = { ...row, past };
  const version = liveVersion(plan, plan.content.id);
  draft.putSource(url, withVersion(draft, url, source, row, version, [old, content]), source);
  draft.forgetUnheld();
  // of the same words another part may be main
  const now = lexicalDigestOf(old) === lexicalDigestOf(content) ? sameAgain(source) : 'updated';
  const status = plan.observedAt < source.observedAt ? 'history' : now;
  return outcome(status, plan.content.id, plan.observedAt, { contentIsNew: isNew });
}

/** The present content once more, in the same bytes or others, now or earlier. */
function seeAgain(draft: Draft, source: SourceRow, plan: Sighting): WriteOutcome {
  const { url, observedAt } = plan;
  const present = sighted(source.present, observedAt);
  const version = liveVersion(plan, source.contentId);
  const { bytesDigest, title, language } = plan;
  const isLast = observedAt >= lastLive(draft, url, source);
  const isUnread = isUnreadAfter(source, plan);
  if (isUnread !== source.isUnread) noteRead(draft, source.present.content, plan);
  const row: SourceRow = {
    ...source,
    isUnread,
    ...(isLast ? presentOf(source, plan) : sighted(source, observedAt)),
    present: isLast ? { ...present, title, language, bytesDigest } : present,
  };
  draft.putSource(url, withVersion(draft, url, source, row, version), source);
  const status = observedAt < source.observedAt ? 'history' : sameAgain(source);
  return outcome(status, source.contentId, observedAt);
}

const sameAgain = ({ state }: SourceRow) => (state === 'gone' ? 'back' : 'unchanged');

/** An older sighting of another content: a version, and a past content where it is worth keeping. */
function putIntoHistory(draft: Draft, source: SourceRow, plan: Sighting): WriteOutcome {
  const { url, observedAt, content } = plan;
  const [number, present] = together(
    () => draft.numberOf(content.id),
    () => draft.content(source.present.content),
  );
  const record = isRecord(content) ? content : contentRecord(content, draft.description.indexModulusMax);
  const known = source.past.find((hold) => hold.content === number);
  // others of that very moment, and of no other, are not what was seen then
  const isReplaced = (hold: PastHold) => hold !== known && isOnlySeenAt(hold, observedAt);
  for (const replaced of source.past.filter(isReplaced)) dropPast(draft, url, replaced);
  const others = source.past.filter((hold) => !isReplaced(hold));
  let row: SourceRow = { ...sighted(source, observedAt), past: others };
  let contentIsNew = false;
  if (known !== undefined) {
    const { firstSeen } = sighted(known, observedAt);
    const seen = observedAt >= known.lastSeen ? holdOf(known.content, plan) : known;
    draft.deletePast(known, url);
    const extended = pastFrom({ ...seen, firstSeen }, plan.receivedAt);
    draft.putPast(extended, url);
    row = { ...row, past: others.map((hold) => (hold === known ? extended : hold)) };
  } else if (isWorthKeeping(draft, row, observedAt, resemblanceOfContents(record, present))) {
    const ensured = holdContent(draft, plan);
    row = { ...row, past: keepPast(draft, url, others, holdOf(ensured.number, plan), plan.receivedAt) ?? others };
    contentIsNew = ensured.isNew;
  }
  const version = liveVersion(plan, content.id, record);
  draft.putSource(url, withVersion(draft, url, source, row, version, [record, present]), source);
  draft.forgetUnheld();
  const contentKept = row.past.some((hold) => hold.content === draft.numberOf(content.id));
  return outcome('history', source.contentId, observedAt, { contentIsNew, contentKept });
}

/** Whether an older content, which the source does not hold, would stay among its past ones. */
function isWorthKeeping(draft: Draft, source: SourceRow, observedAt: number, resemblance: number): boolean {
  const { pastContentsMax, pastMs, pastResemblanceMax } = draft.settings.retention;
  if (pastMs === 0) return false;
  if (source.past.filter((hold) => hold.lastSeen > observedAt).length >= pastContentsMax) return false;
  return resemblance < pastResemblanceMax;
}

function goneNow(draft: Draft, source: SourceRow, plan: Dated<GonePlan>): WriteOutcome {
  const { url, observedAt, httpStatus } = plan;
  const isNewest = observedAt >= source.observedAt;
  const row: SourceRow = isNewest ? { ...source, state: 'gone', httpStatus, observedAt } : source;
  draft.putSource(url, withVersion(draft, url, source, row, goneVersion(plan)), source);
  return outcome(isNewest ? 'gone' : 'history', source.contentId, observedAt);
}

function forget(draft: Draft, source: SourceRow, { url, receivedAt }: DeletePlan): WriteOutcome {
  draft.changingContent(source.present.content);
  draft.deleteSource(url, source);
  draft.deletePastVersions(url);
  draft.release(source.present.content, url);
  for (const hold of source.past) dropPast(draft, url, hold);
  draft.forgetUnheld();
  return outcome('deleted', null, receivedAt);
}

/** What the last live sighting says of a source; that it is gone since, stays. */
function presentOf(source: SourceRow, plan: Sighting) {
  const isNewest = plan.observedAt >= source.observedAt;
  const now = { state: 'live', httpStatus: plan.httpStatus, observedAt: plan.observedAt } as const;
  const { state, httpStatus, observedAt } = isNewest ? now : source;
  const { firstSeen, lastSeen } = sighted(source, plan.observedAt);
  return {
    state,
    httpStatus,
    observedAt,
    firstSeen,
    lastSeen,
    finalUrl: plan.finalUrl,
    meta: plan.meta ?? source.meta,
  };
}

function holdOf(content: number, { observedAt, bytesDigest, title, language }: Sighting): Hold {
  return { content, firstSeen: observedAt, lastSeen: observedAt, bytesDigest, title, language };
}

function sighted<T extends { readonly firstSeen: number; readonly lastSeen: number }>(what: T, time: number): T {
  return { ...what, firstSeen: Math.min(what.firstSeen, time), lastSeen: Math.max(what.lastSeen, time) };
}

/** Unless told otherwise the content of a source that is there is one that it held before. */
function outcome(
  status: WriteOutcome['status'],
  contentId: string | null,
  observedAt: number,
  content: Partial<WriteOutcome> = {},
): WriteOutcome {
  return { status, contentId, observedAt, contentIsNew: false, contentKept: contentId !== null, ...content };
}
