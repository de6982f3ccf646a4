import type { ServiceParts } from './context.ts';

type SweepParts = Pick<ServiceParts, 'store' | 'now' | 'elapsed' | 'onFault' | 'onClockAhead'> & {
  readonly limits: Pick<ServiceParts['limits'], 'sweepIntervalMs' | 'sweepMax'>;
};

/**
 * Past contents whose retention has run out are forgotten: at once when the service starts, then every so often. The store
 * looks at them in the order of their times, so a sweep with nothing to do costs next to nothing.
 */
export function createSweep({ store, limits, now, elapsed = elapsedHere, onFault, onClockAhead }: SweepParts) {
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
    /** Begins no new sweep and waits for the one under way. */
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}

const elapsedHere = () => performance.now();

/** So far ahead a clock is not believed, and so long. */
const DOUBT_MS = 86_400_000;

type Clocks = Required<Pick<ServiceParts, 'now' | 'elapsed'>>;

/**
 * What time it is for deeds that cannot be undone. A clock may be wrong: ahead by a year, say, it would have all be forgotten
 * that is kept for a year. So a clock that is ahead of where it has to be is not believed before it has stood there for a day.
 *
 * Where it has to be: at the start not far from what was written last; later as far on as the process has run.
 */
export class BelievedTime {
  readonly #clocks: Clocks;
  readonly #onDoubt: (aheadMs: number) => void;
  /** The last time that was believed, and when that was by what only goes on. */
  #time: number;
  #at: number;
  /** Since when the clock is in doubt, by what only goes on. */
  #doubtedAt: number | null = null;

  /**
   * @param writtenAt when something was written last, ms since 1970; null: nothing was
   * @param onDoubt told once of each time that the clock is ahead, and by how much
   */
  constructor(clocks: Clocks, writtenAt: number | null, onDoubt: (aheadMs: number) => void) {
    this.#clocks = clocks;
    this.#onDoubt = onDoubt;
    this.#time = writtenAt ?? clocks.now();
    this.#at = clocks.elapsed();
  }

  /** The time that is believed, ms since 1970: never later than what the system says. */
  now(): number {
    const [said, elapsed] = [this.#clocks.now(), this.#clocks.elapsed()];
    const due = this.#time + elapsed - this.#at;
    const isAhead = said > due + DOUBT_MS;
    if (isAhead && this.#doubtedAt === null) {
      this.#doubtedAt = elapsed;
      this.#onDoubt(said - due);
    }
    if (isAhead && elapsed - this.#doubtedAt! < DOUBT_MS) return due;
    this.#time = said;
    this.#at = elapsed;
    this.#doubtedAt = null;
    return said;
  }
}
