import { setTimeout as pause } from 'node:timers/promises';
import { ShingledError } from '../../../src/errors.ts';

/** A machine may stand still for seconds: whoever waits so long has found a fault. */
const PATIENCE_MS = 60_000;

/** Resolves when it is so. @throws Error after a minute */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const patience = performance.now() + PATIENCE_MS; !(await isSo()); await pause(2)) {
    if (performance.now() > patience) throw new Error('not so within a minute');
  }
}

/** Whether a disk or a system that refuses for a moment may answer so. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ShingledError && (error.code === 'storage-full' || error.code === 'overloaded');
