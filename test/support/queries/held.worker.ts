import { parentPort, workerData } from 'node:worker_threads';
import { ClassicLevel } from 'classic-level';
import type { ThreadSetup, Told } from '../../../src/store/level/threads/feed.ts';
import { ThreadStore } from '../../../src/store/level/threads/thread-store.ts';
import type { CandidateQuery } from '../../../src/store/port.ts';

/*
 * A query thread that stands still at one step of a query: just before it takes its n-th look at the database, until it is
 * let go on. Meanwhile everybody else goes on, as they would in another core.
 */

export interface HeldData {
  readonly setup: ThreadSetup;
  readonly first: Told;
  /** [0]: 1 while it stands still. [1]: 1 to let it go on. */
  readonly gate: Int32Array<SharedArrayBuffer>;
}

export type HeldMessage =
  | { readonly told: Told }
  /** Asks for candidates and their holders, and stands still before the look at the database that has this number. */
  | { readonly query: CandidateQuery; readonly holdAt: number }
  | 'close';

/** What a query found: by content its overlap and its holders; null where it was given back. */
export type HeldAnswer = readonly (readonly [id: string, overlap: number, urls: readonly string[]])[] | null;

const { setup, first, gate } = workerData as HeldData;
let looks = 0;
let holdAt = 0;

function look(): void {
  if (++looks !== holdAt) return;
  Atomics.store(gate, 1, 0);
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  Atomics.wait(gate, 1, 0);
  Atomics.store(gate, 0, 0);
}

type Method = (this: unknown, ...given: unknown[]) => unknown;
const methods = ClassicLevel.prototype as unknown as Record<string, Method>;
for (const name of ['snapshot', 'getSync', 'get', 'getMany', 'keys', 'iterator']) {
  const original = methods[name]!;
  methods[name] = function held(...given) {
    look();
    return original.apply(this, given);
  };
}

const store = await ThreadStore.open(setup, first.index!);
const port = parentPort!;

async function answer(query: CandidateQuery): Promise<HeldAnswer> {
  try {
    const { candidates } = await store.candidates(query);
    const found: [string, number, string[]][] = [];
    for (const { record, overlap } of candidates) {
      const holders = await store.holders(record, { limit: 20 });
      found.push([record.id, overlap, holders.map(({ url }) => url)]);
    }
    return found;
  } catch {
    return null;
  }
}

port.on('message', (message: HeldMessage) => {
  if (message === 'close') void store.close().then(() => port.close());
  else if ('told' in message) store.tell(message.told);
  else {
    looks = 0;
    holdAt = message.holdAt;
    void answer(message.query).then((found) => port.postMessage({ found, looks }));
  }
});
port.postMessage('ready');
