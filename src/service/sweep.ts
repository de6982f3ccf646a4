import type { ServiceParts } from './context.ts';
import { BelievedTime } from './write/believed-time.ts';

/*
 * Past contents whose retention has run out are forgotten: at once when the service starts, then every so often. The store
 * looks at them in the order of their times, so a sweep with nothing to do costs next to nothing. A clock that is suddenly far
 * ahead is not believed at once (believed-time.ts).
 */
export interface Sweep {
  start(): void;
  /** Begins no new sweep and waits for the one under way. */
  stop(): Promise<void>;
}

type SweepParts = Pick<ServiceParts, 'store' | 'now' | 'elapsed' | 'onFault' | 'onClockAhead'> & {
  readonly limits: Pick<ServiceParts['limits'], 'sweepIntervalMs' | 'sweepMax'>;
};

export function createSweep({ store, limits, now, elapsed = elapsedHere, onFault, onClockAhead }: SweepParts): Sweep {
  let time: BelievedTime | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  let stopped = true;

  async function sweepOnce(): Promise<void> {
    try {
      time ??= new BelievedTime({ now, elapsed }, await store.newestContentAt(), (ms) => onClockAhead?.(ms));
      const { examined } = await store.sweep(time.now(), limits.sweepMax);
      // a full sweep may have left more behind: the next one follows at once, after whatever else waits
      plan(examined >= limits.sweepMax ? 0 : limits.sweepIntervalMs);
    } catch (fault) {
      onFault?.(fault);
      plan(limits.sweepIntervalMs);
    }
  }

  function plan(inMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => {
      sweeping = sweepOnce();
    }, inMs);
    timer.unref();
  }

  return {
    start() {
      if (!stopped) return;
      stopped = false;
      plan(0);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}

const elapsedHere = () => performance.now();
