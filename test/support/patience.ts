import { setTimeout as pause } from 'node:timers/promises';
import { ShingledError } from '../../src/errors.ts';

/** Resolves when it is so. @throws Error after ten seconds */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const patience = performance.now() + 10_000; !(await isSo()); await pause(2)) {
    if (performance.now() > patience) throw new Error('not so within ten seconds');
  }
}

/** Whether a disk or a system that refuses for a moment may answer so. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ShingledError && (error.code === 'storage-full' || error.code === 'overloaded');
