import { join } from 'node:path';
import { ShingledError } from '../../errors.ts';
import { checkPlan } from '../check-plan.ts';
import type {
  ApplyOptions,
  CandidateQuery,
  CandidateSet,
  ContentId,
  ContentRecord,
  Holder,
  IndexDescription,
  Source,
  Store,
  StoreStats,
  Version,
  WriteOutcome,
  WritePlan,
} from '../port.ts';
import { CandidateReader } from './candidates.ts';
import { Committer } from './committer.ts';
import type { Database, LevelDatabase } from './database.ts';
import { Disk } from './disk.ts';
import type { HighWater } from './high-water.ts';
import { readContent, readContentsByShingleDigest, readHolders, readSource, readVersions } from './reads.ts';
import type { Trail } from './trail.ts';
import { type SweepOutcome, type WriteRequest, Writer, type WriterParts } from './writer.ts';

/** Plans in one batch: one sync of the disk serves so many clients. */
const BATCH_PLANS_MAX = 64;
/** A sweep goes in parts, so that no batch is held up by a thousand contents. */
const SWEEP_PART = 32;
const SWEEP_WAIT_MS = 10_000;

export interface LevelStoreParts extends Omit<WriterParts, 'highWater'> {
  readonly highWater: HighWater;
  /** DATA_DIR. */
  readonly folder: string;
  readonly queueMax: number;
  /** Gives the folder back, last of all. */
  release(): Promise<void>;
}

/** The index in LevelDB behind the port of the store: reads as they come, all writes through one committer. */
export class LevelStore implements Store {
  readonly description: IndexDescription;
  private readonly parts: LevelStoreParts;
  private readonly database: Database;
  private readonly writer: Writer;
  private readonly committer: Committer<WriteRequest, WriteOutcome | SweepOutcome>;
  private readonly reader: CandidateReader;
  private wasDamaged = false;
  private closing: Promise<void> | undefined;

  constructor(parts: LevelStoreParts, trail: Trail) {
    this.parts = parts;
    this.description = parts.description;
    this.database = parts.database;
    this.writer = new Writer(parts, trail);
    this.committer = new Committer({
      commit: (batch) => this.writer.commit(batch),
      batchMax: BATCH_PLANS_MAX,
      queueMax: parts.queueMax,
    });
    this.reader = new CandidateReader(parts.settings);
  }

  get writable(): boolean {
    return this.writer.writable;
  }

  get damaged(): boolean {
    return this.wasDamaged;
  }

  async apply(plan: WritePlan, { roomWaitMs = 0 }: ApplyOptions = {}): Promise<WriteOutcome> {
    checkPlan(plan, this.description);
    return (await this.noticing(this.committer.submit(plan, roomWaitMs))) as WriteOutcome;
  }

  async candidates(query: CandidateQuery): Promise<CandidateSet> {
    const found = await this.read((level) => this.reader.read(level, query));
    if (found.unreadable > 0) this.wasDamaged = true;
    return found;
  }

  content(id: ContentId): Promise<ContentRecord | undefined> {
    return this.read((level) => readContent(level, id));
  }

  contentsByShingleDigest(shingleDigest: string): Promise<readonly ContentId[]> {
    return this.read((level) => readContentsByShingleDigest(level, shingleDigest));
  }

  source(url: string): Promise<Source | undefined> {
    return this.read((level) => readSource(level, url));
  }

  versions(url: string, page: { limit: number; before?: number }): Promise<readonly Version[]> {
    return this.read((level) => readVersions(level, url, page));
  }

  holders(id: ContentId, page: { limit: number; after?: string }): Promise<readonly Holder[]> {
    return this.read((level) => readHolders(level, id, page));
  }

  async sweep(now: number, limit: number): Promise<SweepOutcome> {
    let [examined, forgotten] = [0, 0];
    for (let left = limit; left > 0; left -= SWEEP_PART) {
      const part = Math.min(left, SWEEP_PART);
      const swept = (await this.noticing(
        this.committer.submit({ kind: 'sweep', now, limit: part }, SWEEP_WAIT_MS),
      )) as SweepOutcome;
      examined += swept.examined;
      forgotten += swept.forgotten;
      if (swept.examined < part) break;
    }
    return { examined, forgotten };
  }

  async stats(): Promise<StoreStats> {
    const { sources, contents, postings } = this.writer.totals;
    const [diskBytes, freeBytes] = await Promise.all([
      Disk.bytesIn(join(this.parts.folder, 'db')),
      this.parts.disk.freeBytes(),
    ]);
    const { queued, queueAgeMs } = this.committer;
    return { sources, contents, postings, diskBytes, freeBytes, queued, queueAgeMs };
  }

  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    await this.committer.close();
    await this.writer.close();
    await this.parts.highWater.close();
    await this.database.close();
    await this.parts.release();
  }

  private read<T>(work: (level: LevelDatabase) => Promise<T>): Promise<T> {
    return this.noticing(this.database.read(work));
  }

  private async noticing<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      if (error instanceof ShingledError && error.code === 'index-unreadable') this.wasDamaged = true;
      throw error;
    }
  }
}
