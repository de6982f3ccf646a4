import { isMainThread } from 'node:worker_threads';

/*
 * Preloaded into a service: how long its event loop was held at a stretch since it was last asked, over the channel to its
 * parent. A timer looks each ms, so what is found is up to 1 ms too long.
 *
 * By the clock on the wall, which also counts what other processes took from the core, and by the CPU time of the thread,
 * which does not, but leaves out what the thread waited for.
 */

export interface LoopHeld {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const EACH_MS = 1;

if (isMainThread && process.send !== undefined) {
  let [wallMs, cpuMs] = [0, 0];
  let lookedAt = performance.now();
  let usedBefore = usedMs();
  setInterval(() => {
    const [now, used] = [performance.now(), usedMs()];
    wallMs = Math.max(wallMs, now - lookedAt - EACH_MS);
    cpuMs = Math.max(cpuMs, used - usedBefore);
    [lookedAt, usedBefore] = [now, used];
  }, EACH_MS).unref();
  process.on('message', () => {
    process.send?.({ wallMs, cpuMs } satisfies LoopHeld);
    [wallMs, cpuMs] = [0, 0];
  });
}

/** CPU time of this thread so far. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
