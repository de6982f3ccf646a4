import type { KeptSample } from '../../../src/core/sketch/narrow.ts';
import { contentRecord, resemblanceOfContents } from '../../../src/store/contents.ts';
import { dated } from '../../../src/store/dated.ts';
import type { Content, ContentId, IndexDescription, WriteOutcome, WritePlan } from '../../../src/store/port.ts';
import type { StoreSettings } from '../../../src/store/settings.ts';
import { sourceKey } from '../../../src/store/source-key.ts';
import { MemoryContents } from './memory-contents.ts';
import {
  addToHistory,
  beginVersion,
  type Gone,
  type Hold,
  holdOf,
  liveVersion,
  type Put,
  type StoredSource,
  type StoredVersion,
  seenAs,
  setPresent,
  type VersionRules,
} from './memory-source.ts';

/** What a plan comes to, without what follows from that: no content is new, and the one that is named is held. */
type Outcome = Pick<WriteOutcome, 'status' | 'contentId'> & Partial<WriteOutcome>;

/**
 * What an index holds, in Maps, and what every plan and sweep means for it, in the plainest way: the reference that other
 * stores are tested against. Nothing in it is fast.
 */
export class MemoryIndex {
  readonly sources = new Map<string, StoredSource>();
  readonly contents: MemoryContents;
  private readonly settings: StoreSettings;
  private readonly indexModulusMax: number;

  constructor({ indexModulusMax }: IndexDescription, settings: StoreSettings) {
    this.indexModulusMax = indexModulusMax;
    this.contents = new MemoryContents(indexModulusMax);
    this.settings = settings;
  }

  /** What the plan comes to, at once. The plan has been checked. */
  apply(plan: WritePlan): WriteOutcome {
    const source = this.sources.get(plan.url);
    const observedAt = plan.kind === 'delete' ? plan.receivedAt : dated(plan, source).observedAt;
    const { contentIsNew = false, contentKept, ...rest } = this.resolve(source, plan, observedAt);
    return { ...rest, observedAt, contentIsNew, contentKept: contentKept ?? rest.contentId !== null };
  }

  private resolve(source: StoredSource | undefined, plan: WritePlan, observedAt: number): Outcome {
    if (plan.kind === 'put') return this.put({ ...plan, observedAt });
    if (plan.kind === 'same') {
      const at = plan.asAt ?? plan.observedAt ?? Number.POSITIVE_INFINITY;
      const seen = seenAs({ ...plan, observedAt }, at, this.sources.get(plan.as), this.contents);
      return seen === undefined ? { status: 'unknown', contentId: null } : this.put(seen);
    }
    if (source === undefined) return { status: 'unknown', contentId: null };
    if (plan.kind === 'gone') return this.gone(source, { ...plan, observedAt });
    this.sources.delete(plan.url);
    this.forgetUnheld();
    return { status: 'deleted', contentId: null };
  }

  private put(plan: Put): Outcome {
    const known = this.sources.get(plan.url);
    if (known === undefined) return this.create(plan);
    if (this.idOfPresent(known) === plan.content.id) return this.seenAgain(known, plan);
    if (plan.observedAt < known.observedAt) return this.putIntoHistory(known, plan);
    const successor = known.past.find((hold) => this.contents.get(hold.number).id === plan.content.id);
    const contentIsNew = !this.contents.has(plan.content.id);
    const old = known.present;
    const { pastResemblanceMax } = this.settings.retention;
    // where it was seen at that one moment only, this is what was seen then
    const isReplaced = old.firstSeen === plan.observedAt && old.lastSeen === plan.observedAt;
    const keepsOld =
      !isReplaced && resemblanceOfContents(this.contents.get(old.number), this.recordOf(plan)) < pastResemblanceMax;
    known.past = known.past.filter((hold) => hold !== successor);
    known.present = {
      ...holdOf(this.contents.add(plan.content), plan),
      firstSeen: Math.min(successor?.firstSeen ?? plan.observedAt, plan.observedAt),
    };
    if (keepsOld) this.keepPast(known, old, plan.receivedAt);
    setPresent(known, plan);
    beginVersion(known, plan.content.id, this.versionRules());
    this.forgetUnheld();
    return { status: 'updated', contentId: plan.content.id, contentIsNew };
  }

  private create(plan: Put): Outcome {
    const contentIsNew = !this.contents.has(plan.content.id);
    const created: StoredSource = {
      url: plan.url,
      spelling: plan.spelling,
      state: 'live',
      httpStatus: plan.httpStatus,
      firstSeen: plan.observedAt,
      lastSeen: plan.observedAt,
      observedAt: plan.observedAt,
      finalUrl: plan.finalUrl,
      meta: plan.meta,
      present: holdOf(this.contents.add(plan.content), plan),
      past: [],
      versions: [],
    };
    this.sources.set(plan.url, created);
    beginVersion(created, plan.content.id, this.versionRules());
    return { status: 'created', contentId: plan.content.id, contentIsNew };
  }

  /** The present content once more, in these bytes or others, now or earlier. */
  private seenAgain(source: StoredSource, plan: Put): Outcome {
    const contentId = this.idOfPresent(source)!;
    const { present } = source;
    const isOlder = plan.observedAt < source.observedAt;
    const status = source.state === 'live' ? 'unchanged' : 'back';
    const sameBytes = status === 'unchanged' && present.bytesDigest === plan.bytesDigest;
    const since = source.versions[0]!.observedAt;
    source.firstSeen = Math.min(source.firstSeen, plan.observedAt);
    source.lastSeen = Math.max(source.lastSeen, plan.observedAt);
    present.firstSeen = Math.min(present.firstSeen, plan.observedAt);
    present.lastSeen = Math.max(present.lastSeen, plan.observedAt);
    if (isOlder) {
      const isNews = !sameBytes || plan.observedAt < since;
      if (isNews) this.addToHistory(source, liveVersion(plan, contentId));
      return { status: 'history', contentId };
    }
    present.bytesDigest = plan.bytesDigest;
    Object.assign(present, { title: plan.title, language: plan.language });
    setPresent(source, plan);
    if (!sameBytes) beginVersion(source, contentId, this.versionRules());
    return { status, contentId };
  }

  private putIntoHistory(source: StoredSource, plan: Put): Outcome {
    const contentId = this.idOfPresent(source)!;
    const wasKnown = this.contents.has(plan.content.id);
    source.firstSeen = Math.min(source.firstSeen, plan.observedAt);
    source.lastSeen = Math.max(source.lastSeen, plan.observedAt);
    const isThis = (past: Hold) => this.contents.get(past.number).id === plan.content.id;
    const { observedAt } = plan;
    source.past = source.past.filter(
      (past) => isThis(past) || past.firstSeen !== observedAt || past.lastSeen !== observedAt,
    );
    const hold = source.past.find(isThis);
    if (hold !== undefined) {
      const firstSeen = Math.min(hold.firstSeen, observedAt);
      Object.assign(hold, observedAt >= hold.lastSeen ? holdOf(hold.number, plan) : {}, { firstSeen });
      hold.pastSince = Math.max(hold.lastSeen, plan.receivedAt);
    } else if (this.isWorthKeeping(source, plan)) {
      this.keepPast(source, holdOf(this.contents.add(plan.content), plan), plan.receivedAt);
    }
    this.addToHistory(source, liveVersion(plan, plan.content.id), this.recordOf(plan));
    this.forgetUnheld();
    const contentKept = source.past.some(isThis);
    return { status: 'history', contentId, contentIsNew: contentKept && !wasKnown, contentKept };
  }

  /** Whether an older content that the source does not hold would stay among its past ones. */
  private isWorthKeeping(source: StoredSource, plan: Put): boolean {
    const { pastContentsMax, pastMs, pastResemblanceMax } = this.settings.retention;
    const later = source.past.filter((hold) => hold.lastSeen > plan.observedAt);
    return (
      later.length < pastContentsMax &&
      pastMs > 0 &&
      resemblanceOfContents(this.recordOf(plan), this.contents.get(source.present.number)) < pastResemblanceMax
    );
  }

  private keepPast(source: StoredSource, hold: Hold, now: number): void {
    const { pastContentsMax, pastMs } = this.settings.retention;
    if (pastMs === 0) return;
    const pastSince = Math.max(hold.lastSeen, now);
    // of equally old ones the one that became past last stays
    source.past = [{ ...hold, pastSince }, ...source.past]
      .sort((a, b) => b.lastSeen - a.lastSeen)
      .slice(0, pastContentsMax);
  }

  private gone(source: StoredSource, plan: Gone): Outcome {
    const contentId = this.idOfPresent(source)!;
    const since = source.versions[0]!.observedAt;
    const wasGone = source.state === 'gone';
    if (plan.observedAt < source.observedAt) {
      if (!wasGone || plan.observedAt < since) {
        const before = source.versions.find((version) => version.observedAt <= plan.observedAt);
        this.addToHistory(source, {
          observedAt: plan.observedAt,
          state: 'gone',
          httpStatus: plan.httpStatus,
          contentId: before?.contentId ?? null,
          bytesDigest: before?.bytesDigest ?? null,
          change: null,
        });
      }
      return { status: 'history', contentId };
    }
    source.state = 'gone';
    source.httpStatus = plan.httpStatus;
    source.observedAt = plan.observedAt;
    if (!wasGone) beginVersion(source, contentId, this.versionRules());
    return { status: 'gone', contentId };
  }

  private addToHistory(source: StoredSource, version: StoredVersion, atHand?: Content<KeptSample>): void {
    addToHistory(source, version, this.idOfPresent(source)!, this.versionRules(atHand));
  }

  private versionRules(atHand?: Content<KeptSample>): VersionRules {
    return {
      versionsMax: this.settings.retention.versionsMax,
      recordOf: (id) => (id === atHand?.id ? atHand : this.contents.withId(id)),
    };
  }

  private recordOf({ content }: Put): Content<KeptSample> {
    const { sample } = content;
    return 'exact' in sample ? { ...content, sample } : contentRecord({ ...content, sample }, this.indexModulusMax);
  }

  private idOfPresent(source: StoredSource | undefined): ContentId | null {
    return source === undefined ? null : this.contents.get(source.present.number).id;
  }

  private forgetUnheld(): number {
    const held = new Set<number>();
    for (const { present, past } of this.sources.values()) {
      held.add(present.number);
      for (const hold of past) held.add(hold.number);
    }
    return this.contents.keepOnly(held);
  }

  /** Past contents whose time is up, the longest past first, as many as are to be looked at. */
  sweep(now: number, limit: number): { examined: number; forgotten: number } {
    const { pastMs } = this.settings.retention;
    const expired = [...this.sources.values()]
      .flatMap((source) => source.past.map((hold) => ({ source, hold })))
      .filter(({ hold }) => hold.pastSince + pastMs <= now)
      .sort(
        (a, b) => a.hold.pastSince - b.hold.pastSince || a.hold.number - b.hold.number || bySource(a.source, b.source),
      )
      .slice(0, limit);
    for (const { source, hold } of expired) source.past = source.past.filter((past) => past !== hold);
    return { examined: expired.length, forgotten: this.forgetUnheld() };
  }
}

const bySource = (a: StoredSource, b: StoredSource) => (sourceKey(a.url) < sourceKey(b.url) ? -1 : 1);
