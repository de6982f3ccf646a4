import type { ServiceParts } from '../context.ts';

interface SweepParts extends Pick<ServiceParts, 'store' | 'now' | 'onFault' | 'onClockAhead'> {
  readonly limits: Pick<ServiceParts['limits'], 'sweepIntervalMs' | 'sweepMax'>;
  /** ms that only go on, whatever becomes of the clock; performance.now where not given. */
  readonly elapsed?: () => number;
}

/**
 * Past contents whose retention has run out are forgotten: at once when the service starts, then every so often. The store
 * looks at them in the order of their times, so a sweep with nothing to do costs next to nothing.
 */
export function createSweep({
  store,
  limits,
  now,
  elapsed = () => performance.now(),
  onFault,
  onClockAhead,
}: SweepParts) {
  let believedTime: (() => number) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  let stopped = true;

  async function sweepOnce(): Promise<void> {
    try {
      const onDoubt = (ms: number) => onClockAhead?.(ms);
      believedTime ??= createBelievedTime({ now, elapsed }, await store.newestContentAt(), onDoubt);
      const { examined } = await store.sweep(believedTime(), limits.sweepMax);
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
    /** Begins no new sweep and waits for the one under way. */
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}

/** So far ahead a clock is not believed, and so long. */
const DOUBT_MS = 86_400_000;

type Clocks = Pick<Required<SweepParts>, 'now' | 'elapsed'>;

/**
 * What time it is for deeds that cannot be undone. A clock may be wrong: ahead by a year, say, it would have all be forgotten
 * that is kept for a year. So a clock that is ahead of where it has to be is not believed before it has stood there for a day.
 *
 * Where it has to be: at the start not far from what was written last; later as far on as the process has run.
 *
 * @param writtenAt when something was written last, ms since 1970; null: nothing was
 * @param onDoubt told once of each time that the clock is ahead, and by how much
 * @returns gives the time that is believed, ms since 1970: never later than what the system says
 */
export function createBelievedTime(
  { now, elapsed }: Clocks,
  writtenAt: number | null,
  onDoubt: (aheadMs: number) => void,
): () => number {
  /** The last time that was believed, and when that was by what only goes on. */
  let believed = { time: writtenAt ?? now(), at: elapsed() };
  /** Since when the clock is in doubt, by what only goes on. */
  let doubtedAt: number | null = null;
  return () => {
    const [time, at] = [now(), elapsed()];
    const due = believed.time + at - believed.at;
    const isAhead = time > due + DOUBT_MS;
    if (isAhead && doubtedAt === null) {
      doubtedAt = at;
      onDoubt(time - due);
    }
    if (isAhead && at - doubtedAt! < DOUBT_MS) return due;
    believed = { time, at };
    doubtedAt = null;
    return time;
  };
}
