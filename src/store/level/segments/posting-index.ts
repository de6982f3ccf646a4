import type { PostingList } from '../../../core/overlap.ts';
import type { Database, LevelDatabase } from '../database.ts';
import type { RowChange } from '../rows.ts';
import { ContentTable } from './content-table.ts';

/** What decides how postings are kept; a test makes all of it small. */
export interface PostingSettings {
  /** Two secret Uint32 that key the rank of a posting (identity). */
  readonly rankKey: readonly [number, number];
  /** K: so many postings of a list are read, the first by (rank, content). */
  readonly listPostingsMax: number;
  /** So many of a list are kept by rank, for when those before them die; the rest is dropped by merges. 16 K unless given. */
  readonly keptPostingsMax?: number;
  /** A tail is flushed when its contents span so many numbers: 65,536 unless given, 65,536 at most. */
  readonly flushContents?: number;
  /** … or when it has so many postings: 2.5 million unless given (17 bytes each, and as much again while it is flushed). */
  readonly flushPostings?: number;
  /** Merging down to two segments begins after so long without a new content. */
  readonly idleMs?: number;
}

export interface PostingIndexParts {
  readonly database: Database;
  /** The folder of the database: the worker opens it too (`multithreading: true` on both handles, see openLevel). */
  readonly location: string;
  readonly settings: PostingSettings;
  /**
   * Writes rows in ONE synced batch, by the single committer, in turn with all other batches. `rows` is called when its
   * turn has come, so that it sees every content that was added or removed by the batches before.
   */
  commit(rows: () => readonly RowChange[]): Promise<void>;
  /** For the log: a flush or merge failed (it is tried again after `retryMs`, or by resume()). */
  onFailure?(error: unknown): void;
}

/** The postings of one moment: create it and `level.snapshot()` within it is the moment. Always close it. */
export interface PostingView {
  /** Read records with it: `level.getMany(keys, { snapshot: view.snapshot })`. */
  readonly snapshot: ReturnType<LevelDatabase['snapshot']>;
  /**
   * The posting lists of `keys` (fingerprints or digest postings, below 2^40), in their order. Of each the K lowest by
   * (rank, content) of all that are live.
   *
   * A content of a list may have been forgotten between the writing of its deletion and remove(): where the snapshot
   * has no record of it, ask `index.contents.shingleCount(content)` again before it counts as unreadable.
   */
  lists(keys: Float64Array): Promise<PostingLists>;
  close(): Promise<void>;
}

export interface PostingLists {
  readonly lists: readonly PostingList[];
  /**
   * For each list: undefined where all of it was read, else the share of its contents that was, in (0, 1): K / df, exact
   * unless merges have dropped part of the list; then estimated by the rank at which it ends.
   */
  readonly shares: readonly (number | undefined)[];
  /** Values that could not be trusted: lists may lack some of their contents. */
  readonly unreadable: number;
}

export interface PostingStats {
  readonly segments: number;
  /** In segments (those of forgotten contents among them until a merge) and in memory. */
  readonly segmentPostings: number;
  readonly tailPostings: number;
  readonly tailContents: number;
  /** Bytes of values and keys of segments, before LevelDB's own. */
  readonly segmentBytes: number;
  /** Merged away, not yet cleared. */
  readonly segmentsGone: number;
  /** The longest lists, longest first: how many contents hold that fingerprint, estimated where the list was cut by a merge. */
  readonly longestLists: readonly { readonly fingerprint: number; readonly contents: number }[];
  readonly memory: { readonly contentTableBytes: number; readonly tailBytes: number };
  readonly flushing: boolean;
  readonly merging: boolean;
}

/**
 * The shingle -> content index: what is new in memory, the rest in sorted segments in LevelDB.
 *
 * Opening: `const index = await PostingIndex.open(parts)` reads rows g, z and d. Then the caller goes through the content
 * records from `index.flushedUpTo` on and calls {@link add} for each, awaiting {@link room} every so often.
 */
export declare class PostingIndex {
  /** @throws ShingledError `index-damaged` where row g, a row z or d cannot be read */
  static open(parts: PostingIndexParts): Promise<PostingIndex>;
  /** Shingle counts of all contents, kept by add() and remove(). */
  readonly contents: ContentTable;
  /** The first content number that no segment holds: the contents from here on are to be added after opening. */
  readonly flushedUpTo: number;
  /**
   * Makes a content findable; call it when its batch is on disk, before it is acknowledged. Synchronous, never refuses.
   *
   * @param content ascending from call to call (numbers may be left out)
   * @param shingleCount >= 1
   * @param fingerprints distinct, below 2^40
   * @param digest the digest posting, below 2^40
   */
  add(content: number, shingleCount: number, fingerprints: Float64Array, digest: number): void;
  /**
   * Forgets a content; call it when the batch with the deletion of its record is on disk. That batch also puts
   * `deathKey(content)` -> `sealNothing(key)` (segment-keys.ts), always; the index deletes that row when it is no longer needed.
   */
  remove(content: number): void;
  /** Resolves when less than two full tails are in memory: to be awaited before a batch of new contents. Nothing is refused. */
  room(): Promise<void>;
  /** The postings of this moment; within `database.read((level) => …)`, so that the handle is not exchanged meanwhile. */
  view(level: LevelDatabase): PostingView;
  /** Flushes what is in memory, merges all segments into one without forgotten contents, and has LevelDB reclaim the room. */
  compact(): Promise<void>;
  stats(): PostingStats;
  /**
   * Before Database.reopen() (the disk refused a write): ends the work of the worker, whose handle must be closed too.
   * resume() afterwards. What is in memory stays there.
   */
  suspend(): Promise<void>;
  resume(): void;
  /**
   * Stops merging, flushes the tail so that the next opening replays nothing, and ends the worker. Before the committer
   * and the database are closed. Never throws: what cannot be flushed is replayed by the next opening.
   */
  close(): Promise<void>;
}
