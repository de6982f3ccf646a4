import { keptPostings } from '../../list-depth.ts';
import type { IndexStats } from '../../port.ts';
import type { Database } from '../database/database.ts';
import type { LevelReader } from '../database/level-handle.ts';
import type { RowChange } from '../format/rows.ts';
import type { ContentTable } from './content-table.ts';
import { IndexState } from './index-state.ts';
import { Maintenance } from './maintenance.ts';
import { MaintenanceLoop } from './maintenance-loop.ts';
import type { PublishedIndex } from './published.ts';
import type { Moment, PostingSource } from './read/list-reader.ts';
import { restore } from './restored-segments.ts';
import { addUpLongest, FLUSH_CONTENTS } from './rows/segment-list.ts';
import { editionOf, type Tail } from './tail.ts';
import { SegmentWorker } from './write/segment-worker.ts';
import type { ListLimits } from './write/segment-writer.ts';

/** What decides how postings are kept, unless it is given; a test makes all of it small. */
const DEFAULTS = {
  flushContents: FLUSH_CONTENTS,
  /** … or when it has so many postings: 17 bytes each, and as much again while it is flushed. */
  flushPostings: 2_500_000,
  /** Bytes of images of segments (images.ts). */
  imageBytesMax: 0,
  /** Bytes of the filters that spare look-ups most segments (filter.ts); with 0 none are made. */
  filterBytesMax: 2 ** 23,
  /** Merging down to two segments begins after so long without a new content, ms. */
  idleMs: 5000,
  /** A tail of fewer contents is not flushed when the index is closed, but replayed by the next opening. */
  closeContents: 1,
  /** A step that failed is tried again after so long, ms. */
  retryMs: 1000,
};

export type PostingSettings = Pick<ListLimits, 'rankKey' | 'listPostingsMax'> &
  Partial<Pick<ListLimits, 'keptPostingsMax'> & typeof DEFAULTS>;

export interface PostingIndexParts {
  readonly database: Database;
  /** The folder of the database, spelled as when it was opened: the worker opens it too (openLevel). */
  readonly location: string;
  readonly settings: PostingSettings;
  /**
   * Writes rows in ONE synced batch, by the single committer, one after the other with all other batches. `rows` is
   * called when its turn has come, so that it sees every content that was added or removed by the batches before.
   */
  commit(rows: () => readonly RowChange[]): Promise<void>;
  /** Whether a merge may write so many bytes: where not, segments stay unmerged until there is room. Always, unless given. */
  hasRoom?(bytes: number): Promise<boolean>;
  /** For the log: a step failed. It is tried again by itself, but merges of a damaged segment (`index-unreadable`). */
  onFailure?(error: unknown): void;
}

/** What postings are of the figures of an index. */
export interface PostingStats extends Omit<IndexStats, 'bytesByKind' | 'memoryBytes'> {
  /** Merged away or never finished, not yet cleared. */
  readonly segmentsGone: number;
  readonly memoryBytes: Pick<IndexStats['memoryBytes'], 'contentTable' | 'tail' | 'images' | 'filters'>;
}

/**
 * The shingle -> content index: what is new in memory, the rest in sorted segments in LevelDB.
 *
 *   add ── tail ── full tail ── worker: sort, write ── segment ┐
 *           │         │                               segment ├ worker: merge ── larger segment
 *   lists ──┴─────────┴───────────────────────────────segment ┘
 *
 * Opening: a new index is given `newIndexRow()` (restored-segments.ts) in its first batch. {@link open} reads rows g, z and d.
 * Then the caller calls {@link add} for each content record from `flushedUpTo` on, and awaits {@link room} every so often.
 * After the database was opened anew, {@link restore} is followed by the same without waiting.
 */
export class PostingIndex implements PostingSource {
  private readonly state: IndexState;
  readonly limits: ListLimits;
  private readonly maintenance: Maintenance;
  private readonly loop: MaintenanceLoop;
  private readonly database: Database;
  private readonly closeContents: number;

  private constructor({ database, location, settings, commit, hasRoom, onFailure }: PostingIndexParts) {
    const { rankKey, listPostingsMax, keptPostingsMax = keptPostings(listPostingsMax), ...sizes } = settings;
    this.limits = { rankKey, listPostingsMax, keptPostingsMax };
    this.database = database;
    this.closeContents = sizes.closeContents ?? DEFAULTS.closeContents;
    this.state = new IndexState({ ...DEFAULTS, ...sizes }, commit);
    const worker = new SegmentWorker(location, database.log);
    this.maintenance = new Maintenance(this.state, database, worker, this.limits, hasRoom ?? (async () => true));
    this.loop = new MaintenanceLoop(this.maintenance, { ...DEFAULTS, ...sizes, onFailure: onFailure ?? (() => {}) });
  }

  /** @throws ShingledError `index-damaged` where row g, a row z or d is missing or cannot be read */
  static async open(parts: PostingIndexParts): Promise<PostingIndex> {
    const index = new PostingIndex(parts);
    await restore(parts.database, index.state);
    index.loop.begin();
    return index;
  }

  /** While it is suspended: goes back to what the disk says. @throws as {@link open}: it is of no use then until it succeeds */
  restore(reader: LevelReader): Promise<void> {
    return restore(reader, this.state);
  }

  /** Shingle counts of all contents, kept by add() and remove(). */
  get contents(): ContentTable {
    return this.state.contents;
  }

  /** The first content number that no segment holds: after opening, the contents from here on are to be added. */
  get flushedUpTo(): number {
    return this.state.list.flushedUpTo;
  }

  /**
   * Makes a content findable; call it when its batch is on disk, before it is acknowledged. Synchronous, never refuses.
   *
   * @param content ascending from call to call; numbers may be left out
   * @param shingleCount >= 1
   * @param fingerprints distinct, below 2^40
   * @param digest the digest posting, below 2^40; `tail` is what tailSteps() made of these, if it did
   */
  add(content: number, shingleCount: number, fingerprints: Float64Array, digest: number, tail?: Tail): void {
    const isFull = this.state.add(content, shingleCount, fingerprints, digest, tail);
    this.loop.added();
    if (isFull) this.loop.wake();
  }

  /**
   * Forgets a content; call it when the batch with the deletion of its record is on disk. That batch also puts the row
   * `deathKey(content)` (keys.ts) with `sealNothing`, always; the index deletes the row when it is of no more use.
   */
  remove(content: number): void {
    this.state.remove(content);
    if (this.state.pagesDue(1, 'heavy').length > 0) this.loop.wake();
  }

  /** Resolves while less than two full tails are in memory: to be awaited before a batch of new contents. */
  async room(): Promise<void> {
    while (this.state.tails.length > 2 && !this.loop.closed) await this.loop.step();
  }

  present(): Moment {
    this.noteQuestion();
    return this.state.moment;
  }

  edition(): string {
    return editionOf(this.state.changes, this.state.tails);
  }

  /** Somebody asks, here or in another thread. */
  noteQuestion(): void {
    this.loop.asked();
    if (this.state.want()) this.loop.wake();
  }

  /** Makes all images and filters that there is room for. Resolves when they are made, or the index is closed. */
  async warm(): Promise<void> {
    if (this.state.want()) this.loop.wake();
    while (!this.maintenance.isWarm && !this.loop.closed) await this.loop.step();
  }

  /** For other threads, and how often there was something new of it: what is only faster by it apart. */
  get published(): PublishedIndex {
    return this.state.published;
  }

  get changes(): { readonly toBeTold: number; readonly toBeFaster: number } {
    const { changes, images, filters } = this.state;
    return { toBeTold: changes, toBeFaster: images.changes + filters.changes };
  }

  /**
   * Flushes what is in memory, merges all segments into one without forgotten contents, and has LevelDB rewrite its
   * files. Nothing of what was deleted before is left in them.
   *
   * @throws what the first failed step threw; `draining` when the index is closed meanwhile
   */
  async compact(): Promise<void> {
    if (this.state.tail.contentCount > 0) this.state.rotate();
    await this.loop.compact();
    await this.database.compactRange('\0', '\u007f\u007f');
  }

  stats(): PostingStats {
    const { list, tails, gone, contents, deaths, images, filters } = this.state;
    const sum = <T>(parts: readonly T[], of: (part: T) => number) => parts.reduce((total, part) => total + of(part), 0);
    return {
      segments: list.segments.length,
      segmentPostings: sum(list.segments, ({ postings }) => postings),
      tailPostings: sum(tails, ({ count }) => count),
      tailContents: sum(tails, ({ contentCount }) => contentCount),
      segmentsGone: gone.size,
      forgotten: deaths.count,
      longestLists: addUpLongest(list.segments.map(({ longest }) => longest)).map((longest) => longest.contents),
      memoryBytes: {
        contentTable: contents.bytes,
        tail: sum(tails, ({ bytes }) => bytes),
        images: images.bytes,
        filters: filters.bytes,
      },
      merging: this.maintenance.merging,
      imageBytesLeft: images.bytesLeft(list.segments),
    };
  }

  /** Before Database.reopen(): ends the work of the worker, whose handle must be closed too, until all who did resume it. */
  suspend(by: object): Promise<void> {
    return this.loop.suspend(by);
  }

  resume(by: object): void {
    this.loop.resume(by);
  }

  /**
   * Stops merging, flushes the tail so that the next opening replays nothing, and ends the worker. Before the committer
   * and the database are closed. Never throws: what cannot be flushed is replayed by the next opening.
   */
  async close(): Promise<void> {
    if (this.loop.closed) return;
    if (this.state.tail.contentCount >= this.closeContents) this.state.rotate();
    await this.loop.close();
  }
}
