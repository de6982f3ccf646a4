import type { ClusterProgress } from '../port.ts';

/** A person sees four changes a second. */
const TOLD_EACH_MS = 250;

/**
 * Tells how far work is while threads do it. They are not asked: what they share says it.
 *
 * @param progress receives the progress; absent: nothing is reported
 * @param state how far the work is now
 */
export async function watched<T>(
  work: Promise<T>,
  progress: ((told: ClusterProgress) => void) | undefined,
  state: () => ClusterProgress,
): Promise<T> {
  if (progress === undefined) return work;
  const timer = setInterval(() => progress(state()), TOLD_EACH_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
