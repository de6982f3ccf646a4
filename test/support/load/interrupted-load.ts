import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import { rest } from '../../../src/sharing/waiting.ts';
import { LOCK_FILE } from '../../../src/store/level/folder/lock.ts';
import type { LoadedPlan } from '../../../src/store/level/load/intake.ts';
import { beginLoad, inBatches, type LoadTestOptions, type PutOnly, type Told } from './loaded-index.ts';

/*
 * A load whose process ends at some moment: its folder is copied as it lies there then, as a kill would leave it, and a later
 * load goes on in the copy.
 */

/** Where it ends: behind so many batches, or among the steps of the second half; null: it comes to its end. */
export type End = { readonly phase: 'documents' | 'rows' | 'postings' | 'kept'; readonly step: number } | null;

class Ended extends Error {}

/**
 * Begins to load, or goes on, and ends where it is told to.
 *
 * @param told as if nobody had been told of what was not kept
 * @param copy where the folder goes when the load ends
 * @returns whether it came to its end
 */
export async function loadUntil(
  folder: string,
  plans: readonly PutOnly[],
  told: Told[],
  { end, copy, batch, ...options }: LoadTestOptions & { end: End; copy: string; batch: number },
): Promise<boolean> {
  const load = await beginLoad(folder, { checkpointMs: 0, ...options });
  if (load === null) throw new Error('The index holds documents');
  const from = Number(load.note ?? 0);
  told.length = from;
  let settled = from;
  let steps = 0;
  const stop = (phase: string) => {
    if (end === null || phase !== end.phase || steps++ < end.step) return;
    // the lock says that this very process has it
    cpSync(folder, copy, { recursive: true, filter: (path) => basename(path) !== LOCK_FILE });
    throw new Ended();
  };
  const later: Told[] = [];
  async function* batches(): AsyncGenerator<LoadedPlan[]> {
    for await (const some of inBatches(plans.slice(from), later, batch)) {
      yield some;
      told.push(...later.slice(told.length - from));
      settled += some.length;
      // a checkpoint is due meanwhile
      await rest(2, { ref: true });
      stop('documents');
    }
  }
  const run = {
    note: async () => String(settled),
    progress: ({ phase }: { phase: string }) => phase !== 'documents' && stop(phase),
  };
  try {
    await load.run(batches(), run as never);
    return true;
  } catch (error) {
    if (error instanceof Ended) return false;
    throw error;
  }
}
