import type { KeptSample } from '../../../core/sketch/narrow.ts';
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
  ReadStore,
  Source,
  Version,
} from '../../port.ts';
import type { HostMarks } from '../database/host-marks.ts';
import type { KnownHolders } from '../database/known-holders.ts';
import type { LevelDatabase, LevelReader } from '../database/level-handle.ts';
import type { PostingSource } from '../segments/read/list-reader.ts';
import { readCandidates } from './counted-candidates.ts';
import { FamilyRecords } from './family-records.ts';
import { FoundHolders } from './found-holders.ts';
import { readHolderCounts } from './held-by.ts';
import { readHostContents } from './host-contents.ts';
import { readNeighbours } from './neighbours.ts';
import { readContent, readHead, readHolders, readMany, readSource, readVersions } from './reads.ts';

export interface StoreReadsParts {
  readonly description: IndexDescription;
  readonly reader: LevelReader;
  readonly index: PostingSource;
  readonly holders: KnownHolders;
  readonly marks: HostMarks;
  /** What records of families may take. */
  readonly familyBytesMax: number;
  /** Whether the deletion of a content is under way. */
  isBeingForgotten(content: number): boolean;
  /** Told that values were left out which cannot be read; it may throw. */
  onUnreadable(what: string): void;
  /** Told of what a read was refused with. */
  onFailure(error: unknown): void;
}

/** The reads of an index, whichever thread asks. */
export class StoreReads implements ReadStore {
  readonly description: IndexDescription;
  protected readonly families: FamilyRecords;
  private readonly from: StoreReadsParts;
  private readonly found: FoundHolders;

  constructor(parts: StoreReadsParts) {
    this.from = parts;
    this.description = parts.description;
    this.families = new FamilyRecords(parts.familyBytesMax);
    this.found = new FoundHolders(parts.reader, parts.holders);
  }

  async candidates(query: CandidateQuery): Promise<CandidateSet> {
    const { description, index, isBeingForgotten } = this.from;
    const surroundings = { description, families: this.families, isBeingForgotten };
    const found = await this.read((level) => readCandidates(index, level, query, surroundings));
    if (found.unreadable > 0) this.from.onUnreadable('A query met values that cannot be read.');
    return found;
  }

  async neighbours(query: NeighbourQuery): Promise<NeighbourSet> {
    const { description, index, isBeingForgotten } = this.from;
    const found = await this.read((level) => readNeighbours(index, level, query, { description, isBeingForgotten }));
    if (found.unreadable > 0) this.from.onUnreadable('A query met values that cannot be read.');
    return found;
  }

  async edition(): Promise<string> {
    return this.from.index.edition();
  }

  content(id: ContentId): Promise<Content<KeptSample> | undefined> {
    return this.read((level) => readContent(level, id));
  }

  contentHead(id: ContentId): Promise<ContentHead | undefined> {
    return this.read((level) => readHead(level, id));
  }

  source(url: string): Promise<Source | undefined> {
    return this.read((level) => readSource(level, url));
  }

  async getMany(urls: readonly string[]): Promise<readonly (KnownSource | 'unreadable' | undefined)[]> {
    const known = await this.read((level) => readMany(level, urls, this.families));
    if (known.includes('unreadable')) this.from.onUnreadable('A look-up of URLs met values that cannot be read.');
    return known;
  }

  versions(url: string, page: { limit: number; before?: number }): Promise<readonly Version[]> {
    return this.read((level) => readVersions(level, url, page));
  }

  async holders(of: ContentRef, page: { limit: number; after?: string }): Promise<readonly Holder[]> {
    const isNear = of.locator !== undefined && page.after === undefined && page.limit > 0;
    const near = isNear ? await this.found.first(of, page.limit) : undefined;
    return near ?? this.read((level) => readHolders(level, of.id, page));
  }

  holderCounts({ id }: ContentRef, except: readonly string[]): Promise<HolderCounts> {
    return this.read((level) => readHolderCounts(level, id, except));
  }

  async hostContents(host: string, known: string | null): Promise<HostContents> {
    const { marks, index } = this.from;
    const { rankKey } = index.limits;
    const found = await this.read((level) => readHostContents(level, host, known, { marks, rankKey }));
    if (found.unreadable > 0) this.from.onUnreadable('The contents of a host cannot all be read.');
    return found;
  }

  protected async read<T>(work: (level: LevelDatabase) => Promise<T>): Promise<T> {
    try {
      return await this.from.reader.read(work);
    } catch (error) {
      this.from.onFailure(error);
      throw error;
    }
  }
}
