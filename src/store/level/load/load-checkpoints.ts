import type { PostingSpill } from '../../../spill/posting-spill.ts';
import type { Disk } from '../outage/disk.ts';
import { type Checkpoint, writeCheckpoint } from './checkpoint/checkpoint-file.ts';
import { Due } from './checkpoint/due.ts';
import type { Intake, LoadedPlan } from './intake.ts';
import type { LoadRows } from './load-rows.ts';
import type { LoadRun } from './load-run.ts';
import type { LoadPlace } from './place.ts';

/* Takes in plans, and sets checkpoints meanwhile: how far all had come at one moment, brought to the disk while it goes on. */

/** What works while plans are taken in. */
export interface Working {
  readonly rows: LoadRows;
  readonly spill: PostingSpill;
  readonly intake: Intake;
}

/** The most work that a kill loses. */
const CHECKPOINT_MS = 20_000;
/** To take in what came within less time again costs less than a checkpoint. */
const WORTHWHILE_MS = 5000;

export class LoadCheckpoints {
  readonly everyMs: number;
  /** The last one that is on the disk. */
  last: Checkpoint | null;
  private readonly place: LoadPlace;
  private keeping: Promise<void> = Promise.resolve();
  private markedAt = performance.now();

  constructor(place: LoadPlace, everyMs = CHECKPOINT_MS) {
    this.place = place;
    this.everyMs = everyMs;
    this.last = place.begun;
  }

  /** Whether one is to be set though none is due: there is one already, or much was done since the beginning. */
  get isWorthwhile(): boolean {
    const elapsedMs = performance.now() - this.markedAt;
    return this.last !== null || elapsedMs >= Math.min(WORTHWHILE_MS, this.everyMs);
  }

  /** When the last one that was set is on the disk. @throws ShingledError `storage-full` */
  get kept(): Promise<void> {
    return this.keeping;
  }

  /** When nothing is under way any more. */
  get settled(): Promise<void> {
    return this.keeping.catch(() => undefined);
  }

  /** Sets a checkpoint, and waits until it is on the disk. As {@link mark} otherwise. */
  async keep(working: Working, run: LoadRun): Promise<Checkpoint | null> {
    const marked = await this.mark(working, run);
    await this.keeping;
    return marked;
  }

  /**
   * Sets a checkpoint where all plans that were taken in are settled. It is brought to the disk while the load goes on.
   *
   * @returns null where it is no moment for one
   * @throws ShingledError `storage-full`, also where the one before it was refused
   */
  async mark({ intake, rows }: Working, { note }: LoadRun): Promise<Checkpoint | null> {
    await this.keeping;
    const told = (await note?.()) ?? null;
    if (told === null) return null;
    await intake.settle();
    const { description, seq, checkpointFile } = this.place;
    const { totals } = intake;
    const checkpoint = { description, seq, totals, rows: rows.mark(), last: null, note: told };
    this.markedAt = performance.now();
    this.keeping = rows.sync().then(async () => {
      await writeCheckpoint(checkpointFile, checkpoint);
      rows.sources.runs.forgetBefore(checkpoint.rows.sources.runBytes.length);
      this.last = checkpoint;
    });
    // met where it is awaited
    this.keeping.catch(() => undefined);
    return checkpoint;
  }
}

/**
 * Takes in all plans, in their order.
 *
 * @returns the checkpoint that all was taken in, which may still be on its way to the disk; null if there is none
 * @throws ShingledError `storage-full`, the reason of the signal, and what reading the batches throws
 */
export async function takeIn(
  working: Working,
  batches: AsyncIterable<readonly LoadedPlan[]>,
  disk: Disk,
  checkpoints: LoadCheckpoints,
  run: LoadRun,
): Promise<Checkpoint | null> {
  const iterator = batches[Symbol.asyncIterator]();
  const due = new Due(checkpoints.everyMs);
  let done = 0;
  try {
    for (;;) {
      // settles those before
      const coming = iterator.next();
      // met where it is awaited
      coming.catch(() => undefined);
      while (!(await due.isBefore(coming))) {
        await checkpoints.mark(working, run);
        due.begin();
      }
      const { done: isAtEnd, value: batch } = await coming;
      if (run.signal?.aborted === true && (isAtEnd === true || run.note === undefined)) {
        await checkpoints.keep(working, run);
        throw run.signal.reason;
      }
      if (isAtEnd === true) break;
      await disk.checkReserve().catch(async (error: unknown) => {
        // nothing of the group was taken in, and the reserve is there
        await checkpoints.keep(working, run).catch(() => undefined);
        throw error;
      });
      await working.intake.take(batch);
      done += batch.length;
      run.progress?.({ phase: 'documents', done, of: null });
    }
  } finally {
    await iterator.return?.();
  }
  await working.intake.settle();
  return checkpoints.isWorthwhile ? checkpoints.mark(working, run) : null;
}
