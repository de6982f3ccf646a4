import { countOverlaps, type OverlapSelection, type PostingList } from '../../../src/core/query/overlap.ts';
import { overlapNeeded } from '../../../src/core/query/overlap-needed.ts';
import { postedKey } from '../../../src/core/query/posted-key.ts';
import { postingRank } from '../../../src/core/query/rank.ts';
import type { KeptSample } from '../../../src/core/sketch/narrow.ts';
import { ShingledError } from '../../../src/errors.ts';
import { checkPlan } from '../../../src/store/check-plan.ts';
import { postedFingerprints, shingleDigestKey, tieOrderFor } from '../../../src/store/contents.ts';
import { deepPostings, keptPostings } from '../../../src/store/list-depth.ts';
import type {
  CandidateQuery,
  CandidateSet,
  Content,
  ContentHead,
  ContentId,
  ContentRef,
  Holder,
  HolderCounts,
  HostContents,
  IndexDescription,
  KnownSource,
  NeighbourQuery,
  NeighbourSet,
  Source,
  SourcePage,
  SourceRange,
  Store,
  StoreStats,
  UrlPage,
  Version,
  WriteOutcome,
  WritePlan,
} from '../../../src/store/port.ts';
import { LIST_POSTINGS_MAX, type StoreSettings } from '../../../src/store/settings.ts';
import { headOf } from './memory-contents.ts';
import { hostContentsOf } from './memory-host.ts';
import { MemoryIndex } from './memory-index.ts';
import { firstWithin, oneByOne } from './memory-neighbours.ts';
import { holderOf, inOrder, isListed, versionsOf, withOverlaps } from './memory-source.ts';

interface ListRead extends PostingList {
  /** The part of the list that was read, 1 where that is all of it. */
  readonly share: number;
}

const NO_LIST: ListRead = { contents: new Uint32Array(0), cut: false, share: 1 };

/** An index in memory: the oracle of every test of a store. Gone when the process ends. */
export class MemoryStore implements Store {
  readonly description: IndexDescription;
  readonly writable = true;
  readonly damaged = false;
  readonly relaxedLosses = 0;
  private readonly settings: StoreSettings;
  private readonly index: MemoryIndex;
  private closed = false;
  readonly edition = async (): Promise<string> => String(this.index.contents.given);

  constructor(description: IndexDescription, settings: StoreSettings) {
    this.description = description;
    this.settings = settings;
    this.index = new MemoryIndex(description, settings);
  }

  async apply(plan: WritePlan): Promise<WriteOutcome> {
    this.checkOpen();
    checkPlan(plan, this.description);
    return this.index.apply(plan);
  }

  async candidates(query: CandidateQuery): Promise<CandidateSet> {
    this.checkOpen();
    const { keys, thresholds, undecidedAt, candidatesMax, valuesMax, drawnMax, drawnValuesMax, isDeep, shingleDigest } =
      query;
    const [{ indexModulusMax, recordModulusMax }, { contents }] = [this.description, this.index];
    const { listPostingsMax = LIST_POSTINGS_MAX } = this.settings;
    const most = isDeep ? deepPostings(listPostingsMax, keptPostings(listPostingsMax), keys.length) : listPostingsMax;
    const listOf = (key: number) => this.firstByRank(key, contents.postings.get(key) ?? [], most);
    const lists = Array.from(keys, (fingerprint) => listOf(postedKey(fingerprint)));
    const twins = shingleDigest === null ? NO_LIST : this.twins(shingleDigest, most);
    const shares = Float64Array.from(lists, ({ share }) => share);
    const selection: OverlapSelection = {
      twins: twins.contents,
      needed: overlapNeeded(query, thresholds, { indexModulusMax, recordModulusMax, shares, undecidedAt }),
      shingleCountOf: (number) => contents.get(number).shingleCount,
      orderOf: tieOrderFor(this.settings.rankKey, shingleDigest),
    };
    const all = countOverlaps(lists, candidatesMax, selection, drawnMax);
    const valuesOf = (number: number) => contents.get(number).sample.values.length;
    const within = firstWithin(all.contents, valuesMax, valuesOf);
    const counted = within === all.contents.length ? all : countOverlaps(lists, within, selection, drawnMax);
    const drawn = counted.drawn.subarray(0, firstWithin(counted.drawn, drawnValuesMax, valuesOf));
    const candidates = Array.from(counted.contents, (number, i) => ({
      record: contents.get(number),
      overlap: counted.overlaps[i]!,
      cappedOverlap: counted.cappedOverlaps[i]!,
    }));
    const { found, passedOver, passedOverHits, cut } = counted;
    return {
      ...{ candidates, found, passedOver, passedOverHits, cut },
      drawn: [...drawn].map((number) => contents.get(number)),
      twinsCut: twins.cut || twins.contents.length > Math.min(candidatesMax, within),
      shares,
      unreadable: 0,
    };
  }

  async neighbours(query: NeighbourQuery): Promise<NeighbourSet> {
    return oneByOne(query, this, (id) => this.index.contents.withId(id)!);
  }

  private twins(shingleDigest: string, most: number): ListRead {
    const all = [...this.index.contents.records].filter(([, content]) => content.shingleDigest === shingleDigest);
    return this.firstByRank(shingleDigestKey(shingleDigest), new Map(all).keys(), most);
  }

  /** The first of a posting list by rank, then age, and the share of the list that they are. */
  private firstByRank(key: number, numbers: Iterable<number>, kept: number): ListRead {
    const byRank = Array.from(numbers, (number) => ({
      number,
      rank: postingRank(this.settings.rankKey, key, number),
    })).sort((a, b) => a.rank - b.rank || a.number - b.number);
    const cut = byRank.length > kept;
    const contents = Uint32Array.from(byRank.slice(0, kept), ({ number }) => number);
    return { contents, cut, share: cut ? kept / byRank.length : 1 };
  }

  async content(id: ContentId): Promise<Content<KeptSample> | undefined> {
    this.checkOpen();
    return this.index.contents.withId(id);
  }

  async contentHead(id: ContentId): Promise<ContentHead | undefined> {
    const content = await this.content(id);
    return content && headOf(content);
  }

  async source(url: string): Promise<Source | undefined> {
    this.checkOpen();
    const source = this.index.sources.get(url);
    if (source === undefined) return undefined;
    const { sightings: _, forgottenBefore: _to, past: __, present, ...rest } = source;
    const { bytesDigest, title, language } = present;
    return { ...rest, contentId: this.index.contents.get(present.number).id, bytesDigest, title, language };
  }

  async getMany(urls: readonly string[]): Promise<readonly (KnownSource | undefined)[]> {
    const sources = await Promise.all(urls.map((url) => this.source(url)));
    return sources.map((source) => source && { source, content: this.index.contents.withId(source.contentId)! });
  }

  async versions(url: string, { limit, before }: { limit: number; before?: number }): Promise<readonly Version[]> {
    this.checkOpen();
    const source = this.index.sources.get(url);
    const versions = source === undefined ? [] : versionsOf(source);
    const listed = versions.filter(({ observedAt }) => before === undefined || observedAt < before).slice(0, limit);
    return withOverlaps(listed).map((version) => ({ ...version, contentKept: this.isKept(version.contentId) }));
  }

  private isKept(id: ContentId | null): boolean {
    return id !== null && this.index.contents.withId(id) !== undefined;
  }

  async holders({ id }: ContentRef, { limit, after }: { limit: number; after?: string }): Promise<readonly Holder[]> {
    this.checkOpen();
    const holders: Holder[] = [];
    for (const source of this.index.sources.values()) {
      const holds = [source.present, ...source.past];
      const hold = holds.find(({ number }) => this.index.contents.get(number).id === id);
      if (hold !== undefined) holders.push(holderOf(source, hold));
    }
    return holders
      .sort((a, b) => inOrder(a.url, b.url))
      .filter(({ url }) => after === undefined || inOrder(url, after) > 0)
      .slice(0, limit);
  }

  async holderCounts(of: ContentRef, except: readonly string[]): Promise<HolderCounts> {
    const counts = { live: 0, gone: 0, past: 0 };
    const all = await this.holders(of, { limit: Number.MAX_SAFE_INTEGER });
    for (const { url, state } of all) if (!except.includes(url)) counts[state]++;
    return counts;
  }

  async hostContents(host: string, known: string | null): Promise<HostContents> {
    this.checkOpen();
    return hostContentsOf(this.index, host, known, this.settings.rankKey);
  }

  async sources(range: SourceRange, { versionsMax }: { versionsMax: number }): Promise<SourcePage> {
    const { urls, after } = await this.sourceUrls(range);
    const listed = urls.map(async (url) => ({
      url,
      source: (await this.source(url))!,
      versions: await this.versions(url, { limit: versionsMax }),
    }));
    return { listed: await Promise.all(listed), after };
  }

  async sourceUrls({ limit, ...range }: SourceRange): Promise<UrlPage> {
    this.checkOpen();
    const urls = [...this.index.sources.keys()].filter((url) => isListed(url, range)).sort(inOrder);
    return { urls: urls.slice(0, limit), after: urls.length > limit ? urls[limit - 1]! : null };
  }

  async sweep(now: number, limit: number): Promise<{ examined: number; forgotten: number }> {
    this.checkOpen();
    return this.index.sweep(now, limit);
  }

  async newestContentAt(): Promise<number | null> {
    this.checkOpen();
    return [...this.index.contents.records.values()].at(-1)?.createdAt ?? null;
  }

  async stats(): Promise<StoreStats> {
    this.checkOpen();
    let postings = 0;
    for (const content of this.index.contents.records.values()) {
      postings += postedFingerprints(content, this.description.indexModulusMax).length;
    }
    const { sources, contents } = this.index;
    const counts = { sources: sources.size, contents: contents.records.size, postings };
    return { ...counts, diskBytes: null, freeBytes: null, queued: 0, queueAgeMs: 0, index: null, damage: [] };
  }

  async sync(): Promise<void> {
    this.checkOpen();
  }

  compact = this.sync;
  warm = this.sync;

  async backup(): Promise<never> {
    throw new ShingledError('backup-not-configured', 'An index in memory has no files to copy.');
  }

  backups(): Promise<never> {
    return this.backup();
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  private checkOpen(): void {
    if (this.closed) throw new ShingledError('draining', 'The index is closed.');
  }
}
