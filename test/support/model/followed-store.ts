import type { LevelStore } from '../../../src/store/level/level-store.ts';
import type { Feed, Follower, Told } from '../../../src/store/level/threads/feed.ts';
import { ThreadStore } from '../../../src/store/level/threads/thread-store.ts';
import type { Store } from '../../../src/store/port.ts';

/*
 * A store whose reads a query thread answers where it can, as threads do for the service: told by structured clones, by a
 * handle of its own. What it throws is not judged: the store itself answers then.
 */

const READS: ReadonlySet<string | symbol> = new Set([
  ...['candidates', 'edition', 'content', 'contentHead', 'source', 'getMany', 'versions', 'holders'],
]);

/** How many reads were answered so, and how many were given back. */
export interface FollowedCounts {
  answered: number;
  givenBack: number;
}

export async function followed(
  store: LevelStore,
  counts: FollowedCounts = { answered: 0, givenBack: 0 },
): Promise<Store> {
  const follower = new FollowerHere(store.feed);
  store.feed.follow(follower);
  await follower.opening;
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!READS.has(name)) return value.bind(target);
      return async (...given: unknown[]) => {
        target.feed.flush();
        const { thread } = follower;
        if (thread !== null) {
          try {
            const read = Reflect.get(thread, name, thread) as (...args: unknown[]) => Promise<unknown>;
            const answer = await read.apply(thread, given);
            counts.answered++;
            return answer;
          } catch {
            counts.givenBack++;
          }
        }
        return value.apply(target, given);
      };
    },
  });
}

class FollowerHere implements Follower {
  thread: ThreadStore | null = null;
  opening: Promise<void>;
  private readonly feed: Feed;
  private told: Told[] = [];

  constructor(feed: Feed) {
    this.feed = feed;
    this.opening = this.open();
  }

  tell(told: Told): void {
    const arrived = structuredClone(told);
    if (this.thread === null) this.told.push(arrived);
    else this.thread.tell(arrived);
  }

  async suspend(): Promise<void> {
    await this.opening;
    const { thread } = this;
    this.thread = null;
    await thread?.close();
  }

  resume(): void {
    this.opening = this.open();
  }

  private async open(): Promise<void> {
    this.told = [];
    const thread = await ThreadStore.open(this.feed.setup, structuredClone(this.feed.whole).index!);
    for (const told of this.told) thread.tell(told);
    this.thread = thread;
  }
}
