import { rest } from '../../../sharing/waiting.ts';
import type { IndexDescription } from '../../port.ts';
import type { KnownKeys } from '../database/known-keys.ts';
import type { OtherHandles } from '../database/level-handle.ts';
import type { PostingIndex } from '../segments/posting-index.ts';
import type { PublishedIndex } from '../segments/published.ts';
import type { ListLimits } from '../segments/write/segment-writer.ts';

/*
 * What threads that read the index are told, in order:
 *
 *   segments, tails or pages are others   before the next question, or soon: old ones keep their memory until then
 *   there are more images, or filters     soon: without them an answer is only slower
 *   a row r comes, or has gone            before the next question
 *
 * A question comes by the same way, after all that was told before. So whoever is answered by a thread reads what was
 * acknowledged to anybody before he asked.
 */

/** Images come a slice at a time, and to tell of all of them takes a millisecond. */
const SOON_MS = 250;

/** What a thread needs to begin. Plain data, and shared memory. */
export interface ThreadSetup {
  /** The folder of the database. */
  readonly location: string;
  readonly description: IndexDescription;
  readonly limits: ListLimits;
  readonly familyBytesMax: number;
  readonly holderBytesMax: number;
  /** Memory of HostMarks. */
  readonly hostMarks: SharedArrayBuffer;
}

/** Plain data of shared memory, each in its turn. */
export interface Told {
  readonly index?: PublishedIndex;
  /** Rows r: their keys, and of each whether it is there. */
  readonly holders?: readonly (readonly [key: string, isThere: boolean])[];
}

/** Threads that read, seen from here. */
export interface Follower {
  tell(told: Told): void;
  /** Ends all of them: resolves when none has a handle of the database, nor will have before {@link resume}. */
  suspend(): Promise<void>;
  resume(): void;
}

export interface FeedParts {
  readonly index: PostingIndex;
  readonly known: KnownKeys;
  readonly setup: ThreadSetup;
}

export class Feed implements OtherHandles {
  readonly setup: ThreadSetup;
  private readonly index: PostingIndex;
  private follower: Follower | undefined;
  private holders: [string, boolean][] = [];
  private toldOf = { toBeTold: -1, toBeFaster: -1 };
  private soon: Promise<void> | undefined;

  constructor({ index, known, setup }: FeedParts) {
    this.index = index;
    this.setup = setup;
    known.onHolder = (key, isThere) => {
      if (this.follower !== undefined) this.holders.push([key, isThere]);
    };
  }

  /** From now on somebody follows. */
  follow(follower: Follower): void {
    this.follower = follower;
    this.watch();
  }

  unfollow(): void {
    this.follower = undefined;
    this.holders = [];
  }

  /** For a thread that begins. */
  get whole(): Told {
    return { index: this.index.published };
  }

  /** Tells what is new: before a question is handed over. */
  flush(): void {
    this.index.noteQuestion();
    this.tell(this.index.changes.toBeTold !== this.toldOf.toBeTold);
  }

  async suspend(): Promise<void> {
    await this.follower?.suspend();
  }

  resume(): void {
    this.follower?.resume();
  }

  private tell(withIndex: boolean): void {
    const { follower, holders } = this;
    if (follower === undefined) return;
    if (holders.length > 0) {
      this.holders = [];
      follower.tell({ holders });
    }
    if (!withIndex) return;
    this.toldOf = this.index.changes;
    follower.tell(this.whole);
  }

  /** As long as somebody follows. */
  private watch(): void {
    this.soon ??= (async () => {
      while (this.follower !== undefined) {
        await rest(SOON_MS);
        const { toBeTold, toBeFaster } = this.index.changes;
        this.tell(toBeTold !== this.toldOf.toBeTold || toBeFaster !== this.toldOf.toBeFaster);
      }
      this.soon = undefined;
    })();
  }
}
