import { HostMarks } from '../database/host-marks.ts';
import { KnownHolders } from '../database/known-holders.ts';
import { keyPages } from '../database/known-keys.ts';
import { type LevelDatabase, openLevel, readerOf } from '../database/level-handle.ts';
import { NearRows } from '../database/near-rows.ts';
import { Table } from '../format/keys.ts';
import { StoreReads } from '../reading/store-reads.ts';
import { letGo } from '../segments/let-go.ts';
import { PostingView, type PublishedIndex } from '../segments/published.ts';
import type { ThreadSetup, Told } from './feed.ts';

/*
 * The index as a query thread reads it: rows by a handle of its own, postings in the memory of the main thread, and what that
 * tells it (feed.ts).
 *
 * It does not know whether a content is being forgotten, or a segment was cleared meanwhile. So it does not judge what it
 * cannot read. It throws, and the main thread answers.
 */

/** Something was not there that should be, or could not be read: maybe for a moment only. */
class Doubtful extends Error {}

export class ThreadStore extends StoreReads {
  private readonly level: LevelDatabase;
  private readonly known: KnownHolders;
  private readonly see: (index: PublishedIndex) => void;

  private constructor(level: LevelDatabase, setup: ThreadSetup, first: PublishedIndex) {
    const { description, limits, familyBytesMax, holderBytesMax, hostMarks } = setup;
    let view = new PostingView(first);
    let views = 0;
    const known = new KnownHolders(holderBytesMax);
    super({
      ...{ description, familyBytesMax, reader: readerOf(level), holders: known },
      marks: new HostMarks(hostMarks),
      index: { limits, present: () => view.moment, edition: () => view.edition(views) },
      isBeingForgotten: () => false,
      onUnreadable: (what) => {
        throw new Doubtful(what);
      },
      onFailure: () => undefined,
    });
    this.level = level;
    this.known = known;
    this.see = (index) => {
      const before = view;
      view = new PostingView(index);
      views++;
      letGo(before, before.bytesBeside(view));
    };
  }

  /** @param first what {@link Feed.whole} gave */
  static async open(setup: ThreadSetup, first: PublishedIndex): Promise<ThreadStore> {
    const level = await openLevel(setup.location, false);
    const rows = new NearRows(level, undefined, true);
    const store = new ThreadStore(Object.assign(level, { rows }), setup, first);
    void store.scanHolders();
    return store;
  }

  tell({ index, holders = [] }: Told): void {
    if (index !== undefined) this.see(index);
    for (const [key, isThere] of holders) {
      if (isThere) this.known.add(key);
      else this.known.remove(key);
    }
  }

  close(): Promise<void> {
    return this.level.close();
  }

  /** What is written meanwhile is told. Without it, rows are read that need not be. */
  private async scanHolders(): Promise<void> {
    try {
      for await (const keys of keyPages(readerOf(this.level), Table.holder)) this.known.see(keys);
      this.known.haveAll();
    } catch {
      this.known.giveUp();
    }
  }
}
