import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHUNK_ENTRIES, PostingSpill } from '../../../spill/posting-spill.ts';
import { STORE_LIMIT_ROWS, type StoreLimits } from '../../limits.ts';
import type { IndexDescription } from '../../port.ts';
import { LIST_POSTINGS_MAX, type StoreSettings } from '../../settings.ts';
import type { ExpectedIdentity } from '../folder/description.ts';
import { type PreparedFolder, startError } from '../folder/folder.ts';
import { Unreadable } from '../format/byte-reader.ts';
import type { Totals } from '../format/values.ts';
import { nextTurn } from '../next-turn.ts';
import { Disk } from '../outage/disk.ts';
import { isDamage } from '../outage/failures.ts';
import { assemble } from './assemble.ts';
import { type Checkpoint, unusable, writeCheckpoint } from './checkpoint/checkpoint-file.ts';
import { writeLastRows } from './checkpoint/last-rows.ts';
import { Intake, type LoadedPlan } from './intake.ts';
import { LoadCheckpoints, takeIn, type Working } from './load-checkpoints.ts';
import { LoadRows } from './load-rows.ts';
import type { LoadRun } from './load-run.ts';
import { type LoadPlace, takePlace } from './place.ts';
import { postingThreads } from './posting-threads.ts';

/*
 * Many puts into an empty index at once (Broder 1997, §4: divide, compute, merge). Every row is written once, in the order of
 * keys.
 *
 *   plans ─ intake ─┬─ records (c) ─────────────────────────────────────────► index
 *                   ├─ other rows, in any order ─► aside ── in order ───────► index
 *                   ├─ digests, in memory ────────────────── in order (l) ──► index
 *                   └─ postings ─► spill ─ a part at a time, sorted ─ (p q) ► index ─ synced ─ published
 *
 * What plans come to is decided as in the online path, in their order. So sources, versions, contents and their numbers come to
 * the same rows, byte for byte. Only segments differ, where one stands for many, and that a forgotten content has no mark.
 * Nothing counts before the end: until then the folder holds no index.
 *
 * A process may end at any moment, and a later one go on from the last checkpoint, which is set between two groups of plans:
 *
 *   time      group ─ group ─ MARK ─ group ─ group ─ group ─ MARK ─ …
 *                             └ files synced, meanwhile ┘ then the checkpoint names them
 *
 *   written as they come, and cut off at the mark    tables of records · a log of sources in memory · a log of what went aside
 *   made again from these                            contents by id, their counts, sources met, the spill, the database aside
 *   made again from the beginning                    the second half, from the mark that all was taken in
 *   the rows that come last, once tables are whole   a file of them, and a checkpoint that names it: written again as a whole
 *
 * So the files that are written anyway are the log, except the rows of sources in memory and those aside, which are written
 * once more. To mark a file within a block costs some ms; syncing goes on in other threads. To go on costs some 15 µs for each
 * document that was taken in before. The alternative, an index of what there is by then, would leave the rest to the online
 * path, which takes many times as long.
 *
 * Cost: some 50 bytes of memory for each document; the rest of the memory is for sorting, and for rows that are on their way.
 */

export interface LoadOptions extends ExpectedIdentity, StoreSettings, Partial<StoreLimits> {
  /** New, or with an index in which nothing is; given up with the load. */
  readonly folder: PreparedFolder;
  /** ms since 1970; the creation time of a new index. */
  readonly now: number;
  /** For tests: postings of a chunk of the spill. */
  readonly chunkEntries?: number;
  /** For tests: from one checkpoint to the next. */
  readonly checkpointMs?: number;
}

export interface Loaded {
  readonly totals: Totals;
  /** Of temporary files, at the most. */
  readonly temporaryBytes: number;
}

export class Load {
  readonly description: IndexDescription;
  private readonly options: LoadOptions;
  private readonly place: LoadPlace;
  private readonly disk: Disk;
  /** null where all tables are whole. */
  private readonly working: Working | null;
  private readonly checkpoints: LoadCheckpoints;
  private state: 'open' | 'closed' | 'published' = 'open';

  private constructor(options: LoadOptions, place: LoadPlace, working: Working | null) {
    const { freeBytesMin = STORE_LIMIT_ROWS.freeBytesMin.default } = options;
    this.options = options;
    this.place = place;
    this.working = working;
    this.description = place.description;
    this.checkpoints = new LoadCheckpoints(place, options.checkpointMs);
    this.disk = new Disk(options.folder.path, freeBytesMin);
  }

  /**
   * Begins to load an index beside the folder's, whose key is there already, or goes on where an earlier process ended.
   *
   * @returns null where the index holds documents; the folder is given up then, as where this throws
   * @throws ShingledError `index-mismatch`, `index-damaged`, `index-locked`, `storage-full`, `invalid-config`,
   *   `load-unfinished` where one was begun and cannot go on
   */
  static async begin(options: LoadOptions): Promise<Load | null> {
    const { folder } = options;
    let place: LoadPlace | null = null;
    try {
      place = await takePlace(folder, options, options.now);
      if (place !== null) return await Load.inPlace(options, place);
    } catch (error) {
      await place?.leave();
      await folder.release();
      throw startError(place === null ? error : inBegun(place, error));
    }
    await folder.release();
    return null;
  }

  private static async inPlace(options: LoadOptions, place: LoadPlace): Promise<Load> {
    const { begun, folders, description, totals } = place;
    const { rankKey, retention, listPostingsMax = LIST_POSTINGS_MAX, chunkEntries = CHUNK_ENTRIES } = options;
    if (begun !== null && begun.last !== null) return new Load(options, place, null);
    const rows = await LoadRows.open(folders, memoryOf(options), begun?.rows ?? null);
    let spill: PostingSpill | undefined;
    try {
      const postings = join(folders.temporary, 'postings');
      await rm(postings, { force: true });
      spill = await PostingSpill.create(postings, chunkEntries);
      const settings = { rankKey, retention, listPostingsMax };
      const intake = new Intake({ rows, spill, description, settings, totals });
      const load = new Load(options, place, { rows, spill, intake });
      await load.disk.checkReserve();
      return load;
    } catch (error) {
      await spill?.close();
      await rows.close();
      throw error;
    }
  }

  /** The note of the last checkpoint; null if there is none. */
  get note(): string | null {
    return this.checkpoints.last?.note ?? null;
  }

  /** Bytes that are free on the disk; null where the system does not say. */
  freeBytes(): Promise<number | null> {
    return this.disk.freeBytes();
  }

  /**
   * Takes in all plans in their order, behind those of before where it goes on; then makes the index of them. However it ends,
   * the folder is given up.
   *
   * @param batches of some hundreds of plans each; all are settled of one when the next is asked for
   * @throws ShingledError `storage-full`, the reason of the signal, and what reading the batches throws. Then
   *   what the last checkpoint names is kept; if there is none, nothing is
   */
  async run(batches: AsyncIterable<readonly LoadedPlan[]>, run: LoadRun = {}): Promise<Loaded> {
    const { place, working } = this;
    const { begun } = place;
    try {
      const { totals, temporaryBytes, last } =
        working === null
          ? { totals: begun!.totals, temporaryBytes: 0, last: begun!.last! }
          : await this.tablesOf(working, batches, run);
      await this.close();
      await writeLastRows(place.folders.kept, last, place.folders.index);
      await place.publish();
      this.state = 'published';
      await this.options.folder.release();
      return { totals, temporaryBytes };
    } catch (error) {
      await this.abandon();
      throw error instanceof Unreadable ? inBegun(place, error) : error;
    }
  }

  /** Gives the folder up. What the last checkpoint names stays; if there is none, nothing does. */
  async abandon(): Promise<void> {
    if (this.state === 'published') return;
    await this.close();
    await this.place.leave();
    await this.options.folder.release();
  }

  private async tablesOf(working: Working, batches: AsyncIterable<readonly LoadedPlan[]>, run: LoadRun) {
    const { place, options, disk } = this;
    const { intake, rows, spill } = working;
    if (place.begun !== null) await this.restore(working, place.begun, run);
    const whole = await takeIn(working, batches, this.disk, this.checkpoints, run);
    rows.endChanges();
    const { rankKey, listPostingsMax = LIST_POSTINGS_MAX } = options;
    const sorting = { rankKey, listPostingsMax, threads: postingThreads(spill.count) };
    const parts = { intake, rows, spill, disk, place, memoryBytes: memoryOf(options), ...sorting };
    const { temporaryBytes, last } = await assemble(parts, run);
    // the checkpoint before must not take the place of this one
    await this.checkpoints.kept;
    if (whole !== null) await writeCheckpoint(place.checkpointFile, { ...whole, last });
    return { totals: intake.totals, temporaryBytes, last };
  }

  private async restore({ intake }: Working, { totals }: Checkpoint, { progress, signal }: LoadRun): Promise<void> {
    let done = 0;
    try {
      await intake.restore(totals, async (contents) => {
        signal?.throwIfAborted();
        done += contents;
        progress?.({ phase: 'kept', done, of: totals.contents });
        await nextTurn();
      });
    } catch (error) {
      throw isDamage(error) ? inBegun(this.place, error) : error;
    }
  }

  private async close(): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'closed';
    await this.checkpoints.settled;
    await this.working?.intake.settle().catch(() => undefined);
    await this.working?.spill.close();
    await this.working?.rows.close();
  }
}

/** The error of a load that cannot go on from its checkpoint. */
function inBegun({ begun, checkpointFile }: LoadPlace, error: unknown): unknown {
  if (begun === null || !(error instanceof Unreadable || isDamage(error))) return error;
  return unusable(checkpointFile, `names what is damaged: ${(error as Error).message}`, error);
}

const memoryOf = ({ storeMemoryMb = STORE_LIMIT_ROWS.storeMemoryMb.default }: LoadOptions) => storeMemoryMb * 2 ** 20;
