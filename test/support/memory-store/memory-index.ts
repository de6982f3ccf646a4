import type { KeptSample } from '../../../src/core/sketch/narrow.ts';
import { contentRecord, resemblanceOfContents, sketchOfContent } from '../../../src/store/contents.ts';
import { dated } from '../../../src/store/dated.ts';
import {
  type Content,
  type ContentId,
  type IndexDescription,
  lexicalDigestOf,
  type WriteOutcome,
  type WritePlan,
} from '../../../src/store/port.ts';
import type { StoreSettings } from '../../../src/store/settings.ts';
import { sourceKey } from '../../../src/store/source-key.ts';
import { MemoryContents } from './memory-contents.ts';
import {
  type Gone,
  type Hold,
  holdOf,
  lastLive,
  type Put,
  type StoredSource,
  see,
  seenAs,
  setPresent,
  sightingOf,
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
    if (plan.observedAt < lastLive(known)) return this.putIntoHistory(known, plan);
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
    const hasSameWords = lexicalDigestOf(this.contents.get(old.number)) === lexicalDigestOf(plan.content);
    const again = known.state === 'gone' ? 'back' : 'unchanged';
    const status = plan.observedAt < known.observedAt ? 'history' : hasSameWords ? again : 'updated';
    known.firstSeen = Math.min(known.firstSeen, plan.observedAt);
    setPresent(known, plan);
    this.see(known, plan);
    this.forgetUnheld();
    return { status, contentId: plan.content.id, contentIsNew };
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
      sightings: [],
      forgottenBefore: 0,
    };
    this.sources.set(plan.url, created);
    this.see(created, plan);
    return { status: 'created', contentId: plan.content.id, contentIsNew };
  }

  /** The present content once more, in these bytes or others, now or earlier. */
  private seenAgain(source: StoredSource, plan: Put): Outcome {
    const contentId = this.idOfPresent(source)!;
    const { present } = source;
    const live = source.state === 'live' ? 'unchanged' : 'back';
    const status = plan.observedAt < source.observedAt ? 'history' : live;
    const isLast = plan.observedAt >= lastLive(source);
    source.firstSeen = Math.min(source.firstSeen, plan.observedAt);
    source.lastSeen = Math.max(source.lastSeen, plan.observedAt);
    present.firstSeen = Math.min(present.firstSeen, plan.observedAt);
    present.lastSeen = Math.max(present.lastSeen, plan.observedAt);
    if (isLast) {
      present.bytesDigest = plan.bytesDigest;
      Object.assign(present, { title: plan.title, language: plan.language });
      setPresent(source, plan);
    }
    this.see(source, plan);
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
    this.see(source, plan);
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
    const { observedAt: at, httpStatus } = plan;
    const { versionsMax } = this.settings.retention;
    const nothing = { contentId: null, bytesDigest: null, sketch: null };
    const record = this.contents.get(source.present.number);
    const last = { contentId, bytesDigest: source.present.bytesDigest, sketch: sketchOfContent(record) };
    see(source, { at, state: 'gone', httpStatus, ...(at < source.observedAt ? nothing : last) }, versionsMax);
    if (at < source.observedAt) return { status: 'history', contentId };
    source.state = 'gone';
    source.httpStatus = httpStatus;
    source.observedAt = at;
    return { status: 'gone', contentId };
  }

  private see(source: StoredSource, plan: Put): void {
    see(source, sightingOf(plan, this.recordOf(plan)), this.settings.retention.versionsMax);
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
