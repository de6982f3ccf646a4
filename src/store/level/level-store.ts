import { join } from 'node:path';
import { encodeSampleSteps } from '../../core/coding/sample-codec.ts';
import type { Sample } from '../../core/sketch/modulus.ts';
import { resumed } from '../../sharing/served.ts';
import { checkPlan } from '../check-plan.ts';
import { recordSteps, takesSteps } from '../contents.ts';
import type {
  ApplyOptions,
  BackupList,
  BackupOutcome,
  Content,
  SourcePage,
  SourceRange,
  Store,
  StoreStats,
  SweepOutcome,
  UrlPage,
  WriteOutcome,
  WritePlan,
} from '../port.ts';
import { backupOpen, backupsOf, type OpenIndex } from './backups/while-open.ts';
import { leaveNothing } from './compact.ts';
import { inSteps } from './next-turn.ts';
import { Disk } from './outage/disk.ts';
import { indexStats } from './reading/index-stats.ts';
import { readSources, readSourceUrls } from './reading/listed-sources.ts';
import { readNewestContentAt } from './reading/reads.ts';
import { StoreReads } from './reading/store-reads.ts';
import type { Feed } from './threads/feed.ts';
import { Committer } from './writing/committer.ts';
import type { WriteRequest } from './writing/resolver.ts';
import type { WriterParts } from './writing/writer.ts';

/** Plans in one batch: one sync of the disk serves so many clients. */
const BATCH_PLANS_MAX = 512;
/** A sweep goes in parts, so that no batch is held up by a thousand contents. */
const SWEEP_PART = 32;
const SWEEP_WAIT_MS = 10_000;

export interface LevelStoreParts extends WriterParts, OpenIndex {
  readonly feed: Feed;
  readonly queueMax: number;
  /** What records of families may take. */
  readonly familyBytesMax: number;
  /** Gives the folder back, last of all. */
  release(): Promise<void>;
}

/** The index in LevelDB behind the port of the store: reads as they come, all writes through one committer. */
export class LevelStore extends StoreReads implements Store {
  /** For threads that read the same index. */
  readonly feed: Feed;
  private readonly parts: LevelStoreParts;
  private readonly committer: Committer<WriteRequest, WriteOutcome | SweepOutcome>;
  /** Of each caller what is made ready for a batch, and comes before all that he hands over later. */
  private readonly preparing = new Map<string, Promise<void>>();
  private closing: Promise<void> | undefined;

  constructor(parts: LevelStoreParts) {
    super({
      ...{ description: parts.description, index: parts.index, familyBytesMax: parts.familyBytesMax },
      ...{ reader: parts.database, holders: parts.known.holders, marks: parts.marks },
      isBeingForgotten: (content) => parts.writer.isBeingForgotten(content),
      onUnreadable: (what) => parts.damage.note(what),
      onFailure: (error) => parts.damage.noteError(error),
    });
    this.parts = parts;
    this.feed = parts.feed;
    this.committer = new Committer({
      commit: (batch) => this.parts.writer.commit(batch),
      idle: () => this.parts.writer.idle(),
      batchMax: BATCH_PLANS_MAX,
      queueMax: parts.queueMax,
    });
  }

  get writable(): boolean {
    return this.parts.outage.writable;
  }

  get relaxedLosses(): number {
    return this.parts.writer.relaxedLosses;
  }

  get damaged(): boolean {
    return this.parts.damage.found;
  }

  async apply(plan: WritePlan, options: ApplyOptions = {}): Promise<WriteOutcome> {
    const { caller = '', roomWaitMs = 0, relaxed = false } = options;
    checkPlan(plan, this.description);
    const large = plan.kind === 'put' && takesSteps(plan.content) ? plan.content : null;
    if (large !== null || this.preparing.has(caller)) await this.prepare(caller, large);
    const request = relaxed ? ({ kind: 'relaxed', plan } as const) : plan;
    try {
      const outcome = await this.committer.submit(request, { caller, roomWaitMs });
      resumed();
      return outcome as WriteOutcome;
    } catch (error) {
      this.parts.damage.noteError(error);
      throw error;
    }
  }

  async sources(range: SourceRange, options: { versionsMax: number }): Promise<SourcePage> {
    const page = await this.read((level) => readSources(level, range, options));
    if (page.listed.some(({ source }) => source === null)) {
      this.parts.damage.note('A list met sources that cannot be read.');
    }
    return page;
  }

  sourceUrls(range: SourceRange): Promise<UrlPage> {
    return this.read((level) => readSourceUrls(level, range));
  }

  async sweep(now: number, limit: number): Promise<SweepOutcome> {
    let [examined, forgotten] = [0, 0];
    for (let left = limit; left > 0; left -= SWEEP_PART) {
      const part = Math.min(left, SWEEP_PART);
      const swept = (await this.noticing(
        this.committer.submit({ kind: 'sweep', now, limit: part }, { caller: '', roomWaitMs: SWEEP_WAIT_MS }),
      )) as SweepOutcome;
      examined += swept.examined;
      forgotten += swept.forgotten;
      if (swept.examined < part) break;
    }
    return { examined, forgotten };
  }

  newestContentAt(): Promise<number | null> {
    return this.read(readNewestContentAt);
  }

  async stats(): Promise<StoreStats> {
    const { sources, contents, postings } = this.parts.writer.totals;
    const memory = {
      families: this.families.bytes,
      knownKeys: this.parts.known.bytes,
      holders: this.parts.known.holders.bytes,
    };
    const [diskBytes, freeBytes, index] = await Promise.all([
      Disk.bytesIn(join(this.parts.folder, 'db')),
      this.parts.disk.freeBytes(),
      // without a handle there are the other figures
      this.parts.database.read((level) => indexStats(level, this.parts.index.stats(), memory)).catch(() => null),
    ]);
    const { queued, queueAgeMs } = this.committer;
    const damage = this.parts.damage.parts;
    return { sources, contents, postings, diskBytes, freeBytes, queued, queueAgeMs, index, damage };
  }

  sync(): Promise<void> {
    return this.parts.writer.sync();
  }

  warm(): Promise<void> {
    return this.parts.index.warm();
  }

  compact(): Promise<void> {
    return leaveNothing(this.parts);
  }

  backup(name: string): Promise<BackupOutcome> {
    return backupOpen(this.parts, name);
  }

  backups(): Promise<BackupList> {
    return backupsOf(this.parts);
  }

  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  /**
   * A document of megabytes becomes a record, and bytes, in steps: its batch would do it at once. What its caller hands over
   * later comes after it.
   */
  private async prepare(caller: string, large: Content<Sample> | null): Promise<void> {
    const steps = async () => {
      if (large === null) return;
      const kept = await inSteps(recordSteps(large, this.description.indexModulusMax));
      await inSteps(encodeSampleSteps(kept));
    };
    const prepared = this.preparing.get(caller)?.then(steps) ?? steps();
    const settled = prepared.catch(() => undefined);
    this.preparing.set(caller, settled);
    try {
      await prepared;
    } finally {
      if (this.preparing.get(caller) === settled) this.preparing.delete(caller);
    }
  }

  private async closeOnce(): Promise<void> {
    await this.committer.close();
    const synced = await this.parts.writer.sync().then(
      () => undefined,
      (error: unknown) => error,
    );
    // first: it may open the database anew, and no handle but its own may be open then
    await this.parts.outage.end();
    await this.parts.index.close();
    await this.parts.writer.turn();
    // so that the next start need not go through the log; where the disk refuses, it does
    if (this.writable) await this.parts.database.flush().catch(() => undefined);
    this.parts.outage.close();
    await this.parts.highWater.close();
    await this.parts.database.close();
    await this.parts.release();
    // what was acknowledged with `relaxed` may not last
    if (synced !== undefined) throw synced;
  }

  private async noticing<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      this.parts.damage.noteError(error);
      throw error;
    }
  }
}
