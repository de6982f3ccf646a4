import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { checkPlan } from '../../check-plan.ts';
import { shingleDigestKey } from '../../contents.ts';
import { STORE_LIMIT_ROWS, type StoreLimits } from '../../limits.ts';
import type { IndexDescription, PutPlan, WriteOutcome } from '../../port.ts';
import { LIST_POSTINGS_MAX, type StoreSettings } from '../../settings.ts';
import { KnownKeys } from '../database/known-keys.ts';
import type { ExpectedIdentity } from '../folder/description.ts';
import { type PreparedFolder, startError } from '../folder/folder.ts';
import { descriptionKey, pageKey, segmentsKey, Table, totalsKey } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { sealDescription, sealTotals, type Totals } from '../format/values.ts';
import { Disk } from '../outage/disk.ts';
import { ContentTable, pagesBefore, presenceOfCount, sealPage } from '../segments/content-table.ts';
import { keptPostings } from '../segments/posting-index.ts';
import { NO_SEGMENTS, type Segment, sealSegmentList } from '../segments/rows/segment-list.ts';
import type { BatchRows } from '../writing/batch-rows.ts';
import type { Pending } from '../writing/committer.ts';
import type { Draft } from '../writing/draft.ts';
import { type PendingWrite, Resolver } from '../writing/resolver.ts';
import { LoadRows } from './load-rows.ts';
import { writeSegment } from './load-segment.ts';
import { type LoadPlace, takePlace } from './place.ts';
import { CHUNK_POSTINGS, PostingSpill } from './posting-spill.ts';

/*
 * Many puts into an empty index at once (Broder 1997, §4: divide, compute, merge): every row is written once, in the order of
 * keys, and nothing is synced before the end.
 *
 *   plans ─ resolver, as of every write ─┬─ records (c) ─────────────────────────────► index
 *           a batch over the one before  ├─ other rows, in any order ─► aside ─ h l ──► index
 *                                        └─ postings ─► spill ─ sorted ─── segment p ─► index
 *                                                                 aside ── q r s x ───► index ─ z g n ─ synced ─ published
 *
 * The resolver is that of the online path, in the same order of plans: sources, versions, contents and their numbers come to
 * the same rows, byte for byte. Only segments differ, where one stands for many, and that a forgotten content has no mark.
 *
 * Whatever ends it before that leaves the folder as it was. Cost: 33 bits a content and 8 bits a key stay in memory; the rest
 * of the memory is for sorting, and for rows that are on their way.
 */

export interface LoadOptions extends ExpectedIdentity, StoreSettings, Partial<StoreLimits> {
  /** New, or with an index in which nothing is; given up with the load. */
  readonly folder: PreparedFolder;
  /** ms since 1970; the creation time of a new index. */
  readonly now: number;
  /** For tests: postings of a chunk of the spill. */
  readonly chunkPostings?: number;
}

/** A plan, and who is told what it comes to; that holds once the load has ended. */
export type LoadedPlan = Pending<PutPlan, WriteOutcome>;

/**
 * What is being done, and how much of it is. Documents are taken in, then rows copied and postings sorted: of those it is
 * known how many there are.
 */
export interface LoadProgress {
  readonly phase: 'documents' | 'rows' | 'postings';
  readonly done: number;
  /** null: nobody knows yet. */
  readonly of: number | null;
}

export interface LoadRun {
  readonly progress?: ((told: LoadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Loaded {
  readonly totals: Totals;
  /** Of temporary files, at the most. */
  readonly temporaryBytes: number;
}

/** What sorting takes at a time, of the whole. */
const SORT_SHARE = 1 / 8;
/** A row of a source, a digest or a version takes so much in the index, about; a posting so much. */
const POSTING_BYTES = 8;
const ASIDE = [Table.overflow, Table.holder, Table.source, Table.past] as const;
/** What holds for no document by itself: the load cannot go on. */
const ENDS: ReadonlySet<unknown> = new Set(['storage-full', 'index-unreadable', 'index-damaged', 'overloaded']);

export class Load {
  readonly description: IndexDescription;
  private readonly options: LoadOptions;
  private readonly place: LoadPlace;
  private readonly rows: LoadRows;
  private readonly spill: PostingSpill;
  private readonly disk: Disk;
  private readonly memoryBytes: number;
  private readonly known = new KnownKeys(0);
  private readonly contents = new ContentTable();
  private readonly resolver: Resolver;
  private totals: Totals;
  private before: BatchRows | undefined;
  private writing: Promise<void> = Promise.resolve();
  private documents = 0;
  private ended = false;
  private published = false;

  private constructor(options: LoadOptions, place: LoadPlace, rows: LoadRows, spill: PostingSpill) {
    const { rankKey, retention, listPostingsMax = LIST_POSTINGS_MAX } = options;
    const { freeBytesMin = STORE_LIMIT_ROWS.freeBytesMin.default } = options;
    this.options = options;
    this.place = place;
    this.rows = rows;
    this.spill = spill;
    this.description = place.description;
    this.totals = place.totals;
    this.known.haveAll();
    this.memoryBytes = memoryOf(options);
    this.disk = new Disk(options.folder.path, freeBytesMin);
    const settings = { rankKey, retention, listPostingsMax };
    this.resolver = new Resolver({ database: rows, known: this.known, description: this.description, settings });
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
    const { chunkPostings = CHUNK_POSTINGS } = options;
    await mkdir(place.temporary, { mode: 0o700 });
    const rows = await LoadRows.create(place.location, place.temporary, memoryOf(options));
    try {
      const spill = await PostingSpill.create(join(place.temporary, 'postings'), chunkPostings);
      const load = new Load(options, place, rows, spill);
      await load.disk.checkReserve();
      return load;
    } catch (error) {
      await rows.close();
      throw error;
    }
  }

  /** Bytes that may be written before the disk counts as full; null where the system does not say. */
  get freeBytes(): Promise<number | null> {
    return this.disk.freeBytes();
  }

  /**
   * Takes in all plans in their order, then makes the index of them. However it ends, the folder is given up.
   *
   * @param batches of some hundreds or thousands of plans each
   * @throws ShingledError `storage-full`, the reason of the signal, and what reading the batches throws: nothing is left then
   */
  async run(batches: AsyncIterable<readonly LoadedPlan[]>, run: LoadRun = {}): Promise<Loaded> {
    try {
      for await (const batch of batches) {
        run.signal?.throwIfAborted();
        await this.take(batch);
        this.documents += batch.length;
        run.progress?.({ phase: 'documents', done: this.documents, of: null });
      }
      run.signal?.throwIfAborted();
      await this.writing;
      await this.spill.finish();
      const temporaryBytes = await this.assemble(run);
      await this.close();
      await this.place.publish();
      this.published = true;
      await this.options.folder.release();
      return { totals: this.totals, temporaryBytes };
    } catch (error) {
      await this.abandon();
      throw error;
    }
  }

  /** Leaves nothing of it, unless it has come to its end. */
  async abandon(): Promise<void> {
    if (this.published) return;
    await this.close();
    await this.place.discard();
    await this.options.folder.release();
  }

  private async close(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.writing.catch(() => undefined);
    await this.spill.close();
    await this.rows.close();
  }

  private async take(batch: readonly LoadedPlan[]): Promise<void> {
    await this.disk.checkReserve();
    let failure: unknown;
    let requests: readonly PendingWrite[] = batch
      .filter((one) => this.isSound(one))
      .map((one) => ({
        request: one.request,
        resolve: (outcome) => one.resolve(outcome as WriteOutcome),
        reject: (error) => {
          if (error instanceof ShingledError && ENDS.has(error.code)) failure ??= error;
          one.reject(error);
        },
      }));
    while (requests.length > 0) {
      const { draft, settle, left } = await this.resolver.resolve(requests, this.totals, this.before);
      const changes = draft.rows.sealed();
      await this.writing;
      this.known.note(changes);
      this.before = draft.rows;
      this.totals = draft.totals;
      this.writing = this.rows.write(changes);
      // met where it is awaited
      this.writing.catch(() => undefined);
      this.takePostings(draft);
      await this.spill.room();
      for (const acknowledge of settle) acknowledge();
      if (failure !== undefined) throw failure;
      requests = left;
    }
  }

  private isSound({ request, reject }: LoadedPlan): boolean {
    try {
      checkPlan(request, this.description);
      return true;
    } catch (error) {
      reject(error);
      return false;
    }
  }

  private takePostings(draft: Draft): void {
    for (const [number, { shingleCount, shingleDigest, posted }] of draft.newContents) {
      this.contents.set(number, presenceOfCount(shingleCount));
      this.spill.add(number, posted, shingleDigestKey(shingleDigest));
    }
    for (const number of draft.forgotten.keys()) this.contents.set(number, 0);
  }

  /** All rows but records. @returns what temporary files took */
  private async assemble({ progress, signal }: LoadRun): Promise<number> {
    const { rows, spill, disk } = this;
    const asideBytes = await Disk.bytesIn(join(this.place.temporary, 'rows'));
    await disk.checkReserve(asideBytes + spill.count * POSTING_BYTES);
    let copied = 0;
    const copyAll = async (tables: readonly string[]) => {
      for (const table of tables) {
        await rows.copy(table, (count) => {
          signal?.throwIfAborted();
          copied += count;
          progress?.({ phase: 'rows', done: copied, of: null });
        });
      }
    };
    await copyAll([Table.version, Table.lexicalDigest]);
    const segment = await this.segment({ progress, signal });
    await copyAll(ASIDE);
    const end = this.totals.nextContent;
    await this.writePages(end);
    const list = { ...NO_SEGMENTS, flushedUpTo: end };
    const listed = segment === null ? list : { ...list, nextSegment: segment.segment + 1, segments: [segment] };
    const last = totalsKey(this.place.seq);
    await rows.index.write('rows', [
      [segmentsKey, sealSegmentList(listed)],
      [descriptionKey, sealDescription(descriptionKey, this.description)],
      [last, sealTotals(last, this.totals)],
    ]);
    await rows.index.flush();
    return asideBytes + spill.bytes;
  }

  private async segment({ progress, signal }: LoadRun): Promise<Segment | null> {
    const { spill, rows, contents: table, memoryBytes, options } = this;
    if (spill.count === 0) return null;
    const { rankKey, listPostingsMax = LIST_POSTINGS_MAX } = options;
    const limits = { rankKey, listPostingsMax, keptPostingsMax: keptPostings(listPostingsMax) };
    let done = 0;
    const step = (postings: number) => {
      signal?.throwIfAborted();
      done += postings;
      progress?.({ phase: 'postings', done, of: spill.count });
    };
    const range = { from: this.place.totals.nextContent, to: this.totals.nextContent };
    return writeSegment({ rows, spill, table, limits, ...range, memoryBytes: memoryBytes * SORT_SHARE, step });
  }

  private async writePages(end: number): Promise<void> {
    const pages: RowChange[] = [];
    for (let page = 0; page < pagesBefore(end); page++) {
      pages.push([pageKey(page), sealPage(this.contents, page)]);
      if (pages.length >= PAGES_A_WRITE) await this.rows.index.write('rows', pages.splice(0), false);
    }
    await this.rows.index.write('rows', pages, false);
  }
}

const PAGES_A_WRITE = 64;

const memoryOf = ({ storeMemoryMb = STORE_LIMIT_ROWS.storeMemoryMb.default }: LoadOptions) => storeMemoryMb * 2 ** 20;
