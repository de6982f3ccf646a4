import type { Dated } from '../../../src/store/dated.ts';
import type { ContentId, Source, Version, WritePlan } from '../../../src/store/port.ts';

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

export type StoredVersion = Omit<Version, 'contentKept'>;

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

export type Put = Dated<Extract<WritePlan, { kind: 'put' }>>;
export type Gone = Dated<Extract<WritePlan, { kind: 'gone' }>>;

export function setPresent(source: StoredSource, plan: Put): void {
  source.state = 'live';
  source.httpStatus = plan.httpStatus;
  source.finalUrl = plan.finalUrl;
  source.meta = plan.meta ?? source.meta;
  source.observedAt = plan.observedAt;
  source.lastSeen = Math.max(source.lastSeen, plan.observedAt);
}

/** The present state of a source is a new version, from its last observation on. */
export function beginVersion(source: StoredSource, contentId: ContentId, versionsMax: number): void {
  const { observedAt, state, httpStatus, present } = source;
  addVersion(source, { observedAt, state, httpStatus, contentId, bytesDigest: present.bytesDigest }, versionsMax);
}

/** An older version; where it is newer than the present one's beginning, the present one begins again after it. */
export function addToHistory(
  source: StoredSource,
  version: StoredVersion,
  presentId: ContentId,
  versionsMax: number,
): void {
  const { observedAt: since } = source.versions[0]!;
  addVersion(source, version, versionsMax);
  if (version.observedAt >= since) beginVersion(source, presentId, versionsMax);
}

function addVersion(source: StoredSource, version: StoredVersion, versionsMax: number): void {
  source.versions = [version, ...source.versions.filter(({ observedAt }) => observedAt !== version.observedAt)]
    .sort((a, b) => b.observedAt - a.observedAt)
    .slice(0, versionsMax);
}

export const liveVersion = (plan: Put, contentId: ContentId): StoredVersion => ({
  observedAt: plan.observedAt,
  state: 'live',
  httpStatus: plan.httpStatus,
  contentId,
  bytesDigest: plan.bytesDigest,
});

export const holdOf = (number: number, plan: Put): Hold => ({
  number,
  firstSeen: plan.observedAt,
  lastSeen: plan.observedAt,
  bytesDigest: plan.bytesDigest,
  title: plan.title,
  language: plan.language,
});
