import type { Sample } from '../../../src/core/sketch/modulus.ts';
import type { KeptSample } from '../../../src/core/sketch/narrow.ts';
import type { VersionSketch } from '../../../src/core/sketch/version-sketch.ts';
import { evidenceOfVersions, haveSameMain, haveSameWords, sketchOfContent } from '../../../src/store/contents.ts';
import type { Dated } from '../../../src/store/dated.ts';
import type {
  Content,
  ContentId,
  Holder,
  Source,
  SourceRange,
  Version,
  VersionChange,
  WritePlan,
} from '../../../src/store/port.ts';
import { sourceKey } from '../../../src/store/source-key.ts';
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

/** That a source was seen, and what was seen. All of them are kept: versions are told from them. */
export interface Sighting {
  readonly at: number;
  readonly state: Source['state'];
  readonly httpStatus: number | null;
  readonly contentId: ContentId | null;
  readonly bytesDigest: string | null;
  readonly sketch: VersionSketch | null;
}

export type StoredVersion = Omit<Version, 'contentKept' | 'overlap' | 'hasSameWords' | 'hasSameMain'> &
  Pick<Sighting, 'sketch'>;

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
  /** By their times, the oldest first. */
  sightings: Sighting[];
  /** Older ones are forgotten, and so is what is told of that time. */
  forgottenBefore: number;
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
  const version = as && versionsOf(as).find(({ observedAt }) => observedAt <= at);
  const content = version?.contentId == null ? undefined : contents.withId(version.contentId);
  if (as === undefined || version === undefined || content === undefined) return undefined;
  const hold = [as.present, ...as.past].find(({ number }) => contents.get(number) === content);
  const { title = null, language = null } = hold ?? {};
  const knownStatus = version.state === 'live' ? version.httpStatus : null;
  const httpStatus = plan.httpStatus ?? knownStatus;
  const finalUrl = as.url === plan.url ? as.finalUrl : null;
  return { ...plan, content, bytesDigest: version.bytesDigest!, httpStatus, finalUrl, title, language, meta: null };
}

/** What was seen last while it was live; that it is gone since, stays. */
export function setPresent(source: StoredSource, plan: Put): void {
  source.finalUrl = plan.finalUrl;
  source.meta = plan.meta ?? source.meta;
  source.lastSeen = Math.max(source.lastSeen, plan.observedAt);
  if (plan.observedAt < source.observedAt) return;
  source.state = 'live';
  source.httpStatus = plan.httpStatus;
  source.observedAt = plan.observedAt;
}

/** When it was live last; of what is forgotten the latest that it may have been. */
export function lastLive({ sightings, forgottenBefore }: StoredSource): number {
  return sightings.findLast(({ state }) => state === 'live')?.at ?? forgottenBefore - 1;
}

/** What was seen at a moment: what is told of it later wins. The oldest versions go where there are too many. */
export function see(source: StoredSource, sighting: Sighting, versionsMax: number): void {
  if (sighting.at < source.forgottenBefore) return;
  source.sightings = source.sightings
    .filter(({ at }) => at !== sighting.at)
    .concat(sighting)
    .sort((a, b) => a.at - b.at);
  const versions = versionsOf(source);
  const [forgotten] = versions.slice(versionsMax);
  const oldest = versions[versionsMax - 1];
  if (forgotten === undefined || oldest === undefined) return;
  source.forgottenBefore = forgotten.lastSeen + 1;
  const { contentId, bytesDigest, sketch } = oldest;
  source.sightings = source.sightings
    .filter(({ at }) => at > forgotten.lastSeen)
    .map((each) => (each.at <= oldest.lastSeen ? { ...each, contentId, bytesDigest, sketch } : each));
}

/** The newest first: sightings of one thing in a row are one. Of a gone one, what was there before it. */
export function versionsOf({ sightings }: StoredSource): StoredVersion[] {
  const versions: StoredVersion[] = [];
  for (const { at, ...seen } of sightings) {
    const last = versions.at(-1);
    const isSame =
      last?.state === seen.state &&
      (seen.state === 'gone' || (last.contentId === seen.contentId && last.bytesDigest === seen.bytesDigest));
    if (isSame && last.contentId !== null) versions[versions.length - 1] = { ...last, lastSeen: at };
    else if (isSame) {
      const { observedAt, httpStatus } = last;
      versions[versions.length - 1] = { ...seen, observedAt, httpStatus, lastSeen: at };
    } else {
      const { contentId, bytesDigest, sketch } = seen.state === 'gone' && last !== undefined ? last : seen;
      versions.push({ ...seen, observedAt: at, lastSeen: at, contentId, bytesDigest, sketch });
    }
  }
  return versions.reverse();
}

/** What each shares with the next older one. */
export function withOverlaps(versions: readonly StoredVersion[]): Omit<Version, 'contentKept'>[] {
  return versions.map(({ sketch, ...version }, i) => {
    const older = versions[i + 1];
    if (older === undefined || older.contentId === version.contentId) {
      return {
        ...{ ...version, overlap: null, hasSameMain: false },
        hasSameWords: older !== undefined && version.state === 'live',
      };
    }
    const pair = older.sketch !== null && sketch !== null ? ([older.sketch, sketch] as const) : null;
    return {
      ...version,
      overlap: pair && evidenceOfVersions(...pair),
      hasSameWords: version.state === 'live' && pair !== null && haveSameWords(...pair),
      hasSameMain: version.state === 'live' && pair !== null && !haveSameWords(...pair) && haveSameMain(...pair),
    };
  });
}

export const sightingOf = (plan: Put, content: Content): Sighting => ({
  ...{ at: plan.observedAt, state: 'live', httpStatus: plan.httpStatus, contentId: content.id },
  ...{ bytesDigest: plan.bytesDigest, sketch: sketchOfContent(content) },
});

export const holdOf = (number: number, plan: Put): Hold => ({
  number,
  firstSeen: plan.observedAt,
  lastSeen: plan.observedAt,
  bytesDigest: plan.bytesDigest,
  title: plan.title,
  language: plan.language,
});

function presentChange(source: StoredSource): VersionChange | null {
  const [present, before] = versionsOf(source);
  if (present?.state !== 'live' || before === undefined || before.contentId === present.contentId) return null;
  const { contentId: from, sketch, lastSeen: since } = before;
  if (from === null || sketch === null || present.sketch === null) return null;
  if (haveSameWords(sketch, present.sketch)) return null;
  return { since, from, evidence: evidenceOfVersions(sketch, present.sketch) };
}

/** What a source is as one of a content that it has or had. */
export function holderOf(source: StoredSource, hold: Hold): Holder {
  const { firstSeen, lastSeen, bytesDigest, title, language } = hold;
  const isPresent = hold === source.present;
  const change = isPresent ? presentChange(source) : null;
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

/** As the port says it, one condition after the other. */
export function isListed(url: string, { host, subdomains, prefix, after }: Omit<SourceRange, 'limit'>): boolean {
  const own = /^https?:/.test(url) ? new URL(url).hostname : '';
  const isOfHost = host === undefined || own === host || (subdomains === true && own.endsWith(`.${host}`));
  return (
    isOfHost && (prefix === undefined || url.startsWith(prefix)) && (after === undefined || inOrder(url, after) > 0)
  );
}

export function inOrder(a: string, b: string): number {
  const [first, second] = [sourceKey(a), sourceKey(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}
