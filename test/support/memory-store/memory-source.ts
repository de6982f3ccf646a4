import type { Sample } from '../../../src/core/sketch/modulus.ts';
import type { KeptSample } from '../../../src/core/sketch/narrow.ts';
import { evidenceOfContents } from '../../../src/store/contents.ts';
import type { Dated } from '../../../src/store/dated.ts';
import type { Content, ContentId, Holder, Source, Version, WritePlan } from '../../../src/store/port.ts';
import type { MemoryContents } from './memory-contents.ts';

/** A content that a source has or had. */
export interface Hold {
  number: number;
  firstSeen: number;
  lastSeen: number;
  bytesDigest: string;
  title: string | null;
  language: string | null;
}

export interface PastHold extends Hold {
  /** When it became a past one here. */
  pastSince: number;
}

export type StoredVersion = Omit<Version, 'contentKept' | 'change'> & { change: Version['change'] };

export interface StoredSource {
  readonly url: string;
  readonly spelling: string;
  state: Source['state'];
  httpStatus: number | null;
  firstSeen: number;
  lastSeen: number;
  observedAt: number;
  finalUrl: string | null;
  meta: Source['meta'];
  present: Hold;
  past: PastHold[];
  /** By observedAt, newest first. */
  versions: StoredVersion[];
}

/** A put, or what comes of a source that said the same: its content is there already. */
export type Put = Omit<Dated<Extract<WritePlan, { kind: 'put' }>>, 'kind' | 'content'> & {
  readonly content: Content<Sample> | Content<KeptSample>;
};
type Same = Dated<Extract<WritePlan, { kind: 'same' }>>;
export type Gone = Dated<Extract<WritePlan, { kind: 'gone' }>>;

/** What was seen, by what the other source said then; undefined where that is not known. */
export function seenAs(
  plan: Same,
  at: number,
  as: StoredSource | undefined,
  contents: MemoryContents,
): Put | undefined {
  const version = as?.versions.find(({ observedAt }) => observedAt <= at);
  const content = version?.contentId == null ? undefined : contents.withId(version.contentId);
  if (as === undefined || version === undefined || content === undefined) return undefined;
  const hold = [as.present, ...as.past].find(({ number }) => contents.get(number) === content);
  const { title = null, language = null } = hold ?? {};
  const knownStatus = version.state === 'live' ? version.httpStatus : null;
  const httpStatus = plan.httpStatus ?? knownStatus;
  const finalUrl = as.url === plan.url ? as.finalUrl : null;
  return { ...plan, content, bytesDigest: version.bytesDigest!, httpStatus, finalUrl, title, language, meta: null };
}

export function setPresent(source: StoredSource, plan: Put): void {
  source.state = 'live';
  source.httpStatus = plan.httpStatus;
  source.finalUrl = plan.finalUrl;
  source.meta = plan.meta ?? source.meta;
  source.observedAt = plan.observedAt;
  source.lastSeen = Math.max(source.lastSeen, plan.observedAt);
}

/** What a source was is told by these: contents at hand, by their ids, held or not. */
export interface VersionRules {
  readonly versionsMax: number;
  readonly recordOf: (id: ContentId) => Content<KeptSample> | undefined;
}

/** The present state of a source is a new version, from its last observation on. */
export function beginVersion(source: StoredSource, contentId: ContentId, rules: VersionRules): void {
  const { observedAt, state, httpStatus, present } = source;
  const { bytesDigest } = present;
  addVersion(source, { observedAt, state, httpStatus, contentId, bytesDigest, change: null }, rules);
}

/** An older version; where it is newer than the present one's beginning, the present one begins again after it. */
export function addToHistory(
  source: StoredSource,
  version: StoredVersion,
  presentId: ContentId,
  rules: VersionRules,
): void {
  const { observedAt: since } = source.versions[0]!;
  addVersion(source, version, rules);
  if (version.observedAt >= since) beginVersion(source, presentId, rules);
}

function addVersion(source: StoredSource, version: StoredVersion, rules: VersionRules): void {
  const replaced = source.versions.find(({ observedAt }) => observedAt === version.observedAt);
  const all = source.versions.filter((other) => other !== replaced).concat(version);
  all.sort((a, b) => b.observedAt - a.observedAt);
  const place = all.indexOf(version);
  const [newer, older] = [all[place - 1], all[place + 1]];
  if (replaced?.contentId === version.contentId) version.change = replaced.change;
  if (older !== undefined) version.change = changeFrom(older, version, rules);
  // one that is dropped at once says something only where it is nearer than another that was dropped
  const isNearest = newer?.change == null ? place < rules.versionsMax : version.observedAt >= newer.change.since;
  if (newer !== undefined && isNearest) newer.change = changeFrom(version, newer, rules);
  source.versions = all.slice(0, rules.versionsMax);
}

function changeFrom(older: StoredVersion, { contentId, change }: StoredVersion, rules: VersionRules) {
  const { contentId: from, observedAt: since } = older;
  if (from === null || contentId === null || from === contentId) return null;
  if (change?.from === from) return { ...change, since };
  const [a, b] = [rules.recordOf(from), rules.recordOf(contentId)];
  return a === undefined || b === undefined ? null : { since, from, evidence: evidenceOfContents(a, b) };
}

export const liveVersion = (plan: Put, contentId: ContentId): StoredVersion => ({
  observedAt: plan.observedAt,
  state: 'live',
  httpStatus: plan.httpStatus,
  contentId,
  bytesDigest: plan.bytesDigest,
  change: null,
});

export const holdOf = (number: number, plan: Put): Hold => ({
  number,
  firstSeen: plan.observedAt,
  lastSeen: plan.observedAt,
  bytesDigest: plan.bytesDigest,
  title: plan.title,
  language: plan.language,
});

/** What a source is as one of a content that it has or had. */
export function holderOf(source: StoredSource, hold: Hold): Holder {
  const { firstSeen, lastSeen, bytesDigest, title, language } = hold;
  const isPresent = hold === source.present;
  const change = isPresent ? source.versions[0]!.change : null;
  const before = source.past.filter((past) => past.firstSeen < firstSeen).length;
  return {
    ...{ url: source.url, state: isPresent ? source.state : 'past' },
    ...{ firstSeen, lastSeen, bytesDigest, title, language, meta: source.meta, knownSince: source.firstSeen },
    ...{
      contentsBefore: Math.max(before, change === null ? 0 : 1),
      change,
      finalUrl: isPresent ? source.finalUrl : null,
    },
  };
}
