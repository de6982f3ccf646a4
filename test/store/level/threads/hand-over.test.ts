import { Worker } from 'node:worker_threads';
import { expect, it, vi } from 'vitest';
import { postedKey } from '../../../../src/core/query/posted-key.ts';
import { postedFingerprints } from '../../../../src/store/contents.ts';
import type { LevelStore } from '../../../../src/store/level/level-store.ts';
import type { Follower, Told } from '../../../../src/store/level/threads/feed.ts';
import type { CandidateQuery } from '../../../../src/store/port.ts';
import { SMALL_SEGMENTS } from '../../../support/model/store-model.ts';
import type { HeldAnswer, HeldData, HeldMessage } from '../../../support/queries/held.worker.ts';
import { inFolder, openFolder } from '../../../support/store/level-folder.ts';
import { ANY_OVERLAP, contentOf, deletePlan, fingerprintsOf, putPlan } from '../../../support/store/level-plans.ts';

/*
 * A query stands still at each of its looks at the database in turn, in a thread of its own, while the index goes on: what
 * it asks for is deleted, flushed, merged, cleared, written anew. What was there all the time must be in its answer, and what
 * never was must not; or the question is given back.
 */

const FILE = new URL('../../../support/queries/held.worker.ts', import.meta.url);
const FAMILY = 12;
/**
 * The first look is the snapshot: whether rows that the query needs are cleared before it, the merges of the day decide, so it is
 * tried often. The next ones are for lists and records. Then comes one like the other, for the holders of each member.
 */
const STEPS = [1, 1, 2, 3, 4, 8, 30];

const member = (i: number) => contentOf(i, fingerprintsOf(i, 80));
const stranger = (i: number) => contentOf(1000 + i, fingerprintsOf(100_000 + 500 * i, 60));
const urlOf = (i: number) => `https://family.example/${i}`;
const QUERY: CandidateQuery = { keys: member(0).sample.fingerprints, candidatesMax: 100, ...ANY_OVERLAP };

/** One query thread, told by messages as it is. */
class HeldThread implements Follower {
  private readonly worker: Worker;
  private readonly gate: HeldData['gate'] = new Int32Array(new SharedArrayBuffer(8));
  private readonly ready: Promise<void>;

  constructor({ feed }: LevelStore) {
    const workerData: HeldData = { setup: feed.setup, first: feed.whole, gate: this.gate };
    this.worker = new Worker(FILE, { workerData });
    this.ready = new Promise((resolve) => this.worker.once('message', () => resolve()));
  }

  tell(told: Told): void {
    this.post({ told });
  }

  /** @param meanwhile called while it stands still; never where it does not look so often */
  async ask(holdAt: number, meanwhile: () => Promise<void>): Promise<{ found: HeldAnswer; looks: number }> {
    await this.ready;
    let isAnswered = false;
    const answered = new Promise<{ found: HeldAnswer; looks: number }>((resolve) =>
      this.worker.once('message', (answer) => {
        isAnswered = true;
        resolve(answer);
      }),
    );
    this.post({ query: QUERY, holdAt });
    // no wait is left behind: it would move the clock of whoever tests with one that stands still
    await vi.waitUntil(() => isAnswered || this.isHeld, { timeout: 60_000, interval: 1 });
    if (!isAnswered) {
      await meanwhile();
      Atomics.store(this.gate, 1, 1);
      Atomics.notify(this.gate, 1);
    }
    return answered;
  }

  async suspend(): Promise<void> {
    await this.ready;
    const ended = new Promise((resolve) => this.worker.once('exit', resolve));
    this.post('close');
    await ended;
  }

  resume(): void {
    throw new Error('the index is not opened anew here');
  }

  private get isHeld(): boolean {
    return Atomics.load(this.gate, 0) === 1;
  }

  private post(message: HeldMessage): void {
    this.worker.postMessage(message);
  }
}

interface Scenario {
  readonly name: string;
  /** Images of all segments, or none: rows are read then. */
  readonly imageBytesMax: number;
  /** Whether the family lies in segments when the query begins. */
  readonly isFlushed: boolean;
  /** Members that are deleted, put anew with the same content, and that come. */
  readonly deleted: readonly number[];
  readonly again: readonly number[];
  readonly added: readonly number[];
  /** Strangers that come, so that tails are flushed and segments merged. */
  readonly strangers: number;
}

const ALL = 8 << 20;
const SCENARIOS: readonly Scenario[] = [ALL, 0].flatMap((imageBytesMax) =>
  [
    { name: 'tail', isFlushed: false, deleted: [3, 7], again: [], added: [20, 21], strangers: 0 },
    { name: 'flush', isFlushed: false, deleted: [3], again: [5], added: [20], strangers: 40 },
    { name: 'merge', isFlushed: true, deleted: [3, 4, 5], again: [4, 6], added: [20], strangers: 40 },
    { name: 'merge without deaths', isFlushed: true, deleted: [], again: [], added: [], strangers: 50 },
    { name: 'all of it', isFlushed: true, deleted: [1, 2, 3, 4, 5, 6, 7, 8, 9], again: [2], added: [], strangers: 30 },
  ].map((scenario) => ({ ...scenario, imageBytesMax })),
);

// at once: each waits for its upkeep most of the time
it.concurrent.for(SCENARIOS)(
  'a query that stands still at any step: $name, $imageBytesMax bytes of images',
  { timeout: 120_000 },
  (scenario, { onTestFinished }) =>
    inFolder(async (folder) => {
      const segments = { ...SMALL_SEGMENTS, imageBytesMax: scenario.imageBytesMax };
      const store = await openFolder(folder, { segments });
      onTestFinished(() => store.close());
      const thread = new HeldThread(store);
      store.feed.follow(thread);
      const index = new Index(store);
      let given = 0;
      let back = 0;
      for (const holdAt of STEPS) {
        await index.begin(scenario.isFlushed);
        let wasHeld = false;
        store.feed.flush();
        const before = index.urls();
        const { found, looks } = await thread.ask(holdAt, async () => {
          wasHeld = true;
          await index.change(scenario);
        });
        if (!wasHeld) {
          expect(looks).toBeLessThan(holdAt);
          break;
        }
        given++;
        if (found === null) back++;
        else judge(found, { before, after: index.urls(), deleted: scenario.deleted }, holdAt);
      }
      // it stood still at several steps, and answered at most of them
      expect(given).toBeGreaterThan(2);
      expect(back).toBeLessThan(given);
    }),
);

/** By URL its content, at one time. */
type Urls = ReadonlyMap<string, string>;

interface Meanwhile {
  readonly before: Urls;
  readonly after: Urls;
  /** Members that were not there for a while, though they may have come again. */
  readonly deleted: readonly number[];
}

function judge(found: NonNullable<HeldAnswer>, { before, after, deleted }: Meanwhile, holdAt: number): void {
  const wasGone = new Set(deleted.map(urlOf));
  const shown = new Map(found.flatMap(([id, , urls]) => urls.map((url): [string, string] => [url, id])));
  for (const [url, id] of before) {
    if (after.get(url) === id && !wasGone.has(url))
      expect(shown.get(url), `${url} was there all the time (step ${holdAt})`).toBe(id);
  }
  for (const [url, id] of shown) {
    expect([before.get(url), after.get(url)], `${url} was never there (step ${holdAt})`).toContain(id);
  }
  for (const [id, overlap] of found) expect(overlap, `${id} (step ${holdAt})`).toBe(overlapOf(id));
}

const keysOf = new Map([...Array(40).keys()].map((i) => [member(i).id, new Set(postedFingerprints(member(i), 8))]));
const overlapOf = (id: string) => [...QUERY.keys].filter((key) => keysOf.get(id)!.has(postedKey(key))).length;

/** The index, and which members of the family are in it. */
class Index {
  private readonly store: LevelStore;
  private readonly members = new Map<string, string>();
  private strangers = 0;
  private clock = 1000;

  constructor(store: LevelStore) {
    this.store = store;
  }

  urls(): Urls {
    return new Map(this.members);
  }

  /** The family as it is at first, in segments or in the tail. */
  async begin(isFlushed: boolean): Promise<void> {
    await Promise.all([...this.members.keys()].map((url) => this.delete(url)));
    await Promise.all(Array.from({ length: FAMILY }, (_, i) => this.put(i)));
    if (isFlushed) await this.flush(30);
  }

  async change({ deleted, again, added, strangers }: Scenario): Promise<void> {
    for (const i of deleted) await this.delete(urlOf(i));
    for (const i of added) await this.put(i);
    await this.flush(strangers);
    for (const i of again) await this.put(i);
  }

  private async put(i: number): Promise<void> {
    const content = member(i);
    await this.store.apply(putPlan(urlOf(i), content, ++this.clock));
    this.members.set(urlOf(i), content.id);
  }

  private async delete(url: string): Promise<void> {
    await this.store.apply(deletePlan(url, ++this.clock));
    this.members.delete(url);
  }

  /** Strangers come until there is nothing to flush, to merge or to clear. */
  private async flush(strangers: number): Promise<void> {
    if (strangers === 0) return;
    const plans = Array.from({ length: strangers }, () => {
      const content = stranger(this.strangers++);
      return putPlan(`https://stranger.example/${this.strangers}`, content, ++this.clock);
    });
    await Promise.all(plans.map((plan) => this.store.apply(plan)));
    // upkeep goes on by itself: until it has nothing to do for a moment
    let last = '';
    for (let same = 0; same < 3; ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const { index } = await this.store.stats();
      const now = JSON.stringify([index?.segments, index?.tailContents]);
      same = now === last ? same + 1 : 0;
      last = now;
    }
  }
}
