import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CHUNK_ENTRIES, PostingSpill } from '../../../spill/posting-spill.ts';
import { STORE_LIMIT_ROWS, type StoreLimits } from '../../limits.ts';
import type { IndexDescription } from '../../port.ts';
import { LIST_POSTINGS_MAX, type StoreSettings } from '../../settings.ts';
import type { ExpectedIdentity } from '../folder/description.ts';
import { type PreparedFolder, startError } from '../folder/folder.ts';
import type { Totals } from '../format/values.ts';
import { Disk } from '../outage/disk.ts';
import { assemble } from './assemble.ts';
import { Intake, type LoadedPlan } from './intake.ts';
import { LoadRows } from './load-rows.ts';
import type { LoadRun } from './load-run.ts';
import { type LoadPlace, takePlace } from './place.ts';
import { postingThreads } from './posting-threads.ts';

/*
 * Many puts into an empty index at once (Broder 1997, §4: divide, compute, merge). Every row is written once, in the order of
 * keys, and nothing is synced before the end.
 *
 *   plans ─ intake ─┬─ records (c) ─────────────────────────────────────────► index
 *                   ├─ other rows, in any order ─► aside ── in order ───────► index
 *                   ├─ digests, in memory ────────────────── in order (l) ──► index
 *                   └─ postings ─► spill ─ a part at a time, sorted ─ (p q) ► index ─ synced ─ published
 *
 * What plans come to is decided as in the online path, in their order. So sources, versions, contents and their numbers come to
 * the same rows, byte for byte. Only segments differ, where one stands for many, and that a forgotten content has no mark.
 *
 * Whatever ends it before that leaves the folder as it was. Cost: some 50 bytes of memory a document; the rest of the memory is
 * for sorting, and for rows that are on their way.
 */

export interface LoadOptions extends ExpectedIdentity, StoreSettings, Partial<StoreLimits> {
  /** New, or with an index in which nothing is; given up with the load. */
  readonly folder: PreparedFolder;
  /** ms since 1970; the creation time of a new index. */
  readonly now: number;
  /** For tests: postings of a chunk of the spill. */
  readonly chunkEntries?: number;
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
  private readonly rows: LoadRows;
  private readonly spill: PostingSpill;
  private readonly disk: Disk;
  private readonly intake: Intake;
  private state: 'open' | 'closed' | 'published' = 'open';

  private constructor(options: LoadOptions, place: LoadPlace, rows: LoadRows, spill: PostingSpill) {
    const { rankKey, retention, listPostingsMax = LIST_POSTINGS_MAX } = options;
    const { freeBytesMin = STORE_LIMIT_ROWS.freeBytesMin.default } = options;
    const { description, totals } = place;
    this.options = options;
    this.place = place;
    this.rows = rows;
    this.spill = spill;
    this.description = description;
    this.disk = new Disk(options.folder.path, freeBytesMin);
    const settings = { rankKey, retention, listPostingsMax };
    this.intake = new Intake({ rows, spill, description, settings, totals });
  }

  /**
   * Begins to load an index beside the folder's, whose key is there already.
   *
   * @returns null where the index holds documents; the folder is given up then, as where this throws
   * @throws ShingledError `index-mismatch`, `index-damaged`, `index-locked`, `storage-full`, `invalid-config`
   */
  static async begin(options: LoadOptions): Promise<Load | null> {
    const { folder } = options;
    let place: LoadPlace | null = null;
    try {
      place = await takePlace(folder, options, options.now);
      if (place !== null) return await Load.inPlace(options, place);
    } catch (error) {
      await place?.discard();
      await folder.release();
      throw startError(error);
    }
    await folder.release();
    return null;
  }

  private static async inPlace(options: LoadOptions, place: LoadPlace): Promise<Load> {
    const { chunkEntries = CHUNK_ENTRIES } = options;
    await mkdir(place.temporary, { mode: 0o700 });
    const rows = await LoadRows.create(place.location, place.temporary, memoryOf(options));
    let spill: PostingSpill | undefined;
    try {
      spill = await PostingSpill.create(join(place.temporary, 'postings'), chunkEntries);
      const load = new Load(options, place, rows, spill);
      await load.disk.checkReserve();
      return load;
    } catch (error) {
      await spill?.close();
      await rows.close();
      throw error;
    }
  }

  /** Bytes that are free on the disk; null where the system does not say. */
  freeBytes(): Promise<number | null> {
    return this.disk.freeBytes();
  }

  /**
   * Takes in all plans in their order, then makes the index of them. However it ends, the folder is given up.
   *
   * @param batches of some hundreds of plans each
   * @throws ShingledError `storage-full`, the reason of the signal, and what reading the batches throws: nothing is left then
   */
  async run(batches: AsyncIterable<readonly LoadedPlan[]>, run: LoadRun = {}): Promise<Loaded> {
    const { intake, rows, spill, disk, place, options } = this;
    try {
      let done = 0;
      for await (const batch of batches) {
        run.signal?.throwIfAborted();
        await disk.checkReserve();
        await intake.take(batch);
        done += batch.length;
        run.progress?.({ phase: 'documents', done, of: null });
      }
      run.signal?.throwIfAborted();
      await intake.finish();
      const { rankKey, listPostingsMax = LIST_POSTINGS_MAX } = options;
      const sorting = { rankKey, listPostingsMax, threads: postingThreads(spill.count) };
      const parts = { intake, rows, spill, disk, place, memoryBytes: memoryOf(options), ...sorting };
      const temporaryBytes = await assemble(parts, run);
      await this.close();
      await place.publish();
      this.state = 'published';
      await options.folder.release();
      return { totals: intake.totals, temporaryBytes };
    } catch (error) {
      await this.abandon();
      throw error;
    }
  }

  /** Leaves nothing of it, unless it has come to its end. */
  async abandon(): Promise<void> {
    if (this.state === 'published') return;
    await this.close();
    await this.place.discard();
    await this.options.folder.release();
  }

  private async close(): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'closed';
    await this.intake.finish().catch(() => undefined);
    await this.spill.close();
    await this.rows.close();
  }
}

const memoryOf = ({ storeMemoryMb = STORE_LIMIT_ROWS.storeMemoryMb.default }: LoadOptions) => storeMemoryMb * 2 ** 20;
