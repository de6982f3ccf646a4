/*
 * What time it is for deeds that cannot be undone. A clock may be wrong: ahead by a year, say, it would have all be forgotten
 * that is kept for a year. So a clock that is ahead of where it has to be is not believed before it has stood there for a day.
 *
 * Where it has to be: at the start not far from what was written last; later as far on as the process has run.
 */

/** So far ahead it is not believed, and so long. */
const DOUBT_MS = 86_400_000;

export interface Clocks {
  /** ms since 1970, as the system says. */
  now(): number;
  /** ms that only go on. */
  elapsed(): number;
}

export class BelievedTime {
  private readonly clocks: Clocks;
  private readonly onDoubt: (aheadMs: number) => void;
  /** The last time that was believed, and when that was by what only goes on. */
  private time: number;
  private at: number;
  /** Since when the clock is in doubt, by what only goes on. */
  private doubtedAt: number | null = null;

  /**
   * @param writtenAt when something was written last, ms since 1970; null: nothing was
   * @param onDoubt told once of each time that the clock is ahead, and by how much
   */
  constructor(clocks: Clocks, writtenAt: number | null, onDoubt: (aheadMs: number) => void) {
    this.clocks = clocks;
    this.onDoubt = onDoubt;
    this.time = writtenAt ?? clocks.now();
    this.at = clocks.elapsed();
  }

  /** The time that is believed, ms since 1970: never later than what the system says. */
  now(): number {
    const { clocks } = this;
    const [said, elapsed] = [clocks.now(), clocks.elapsed()];
    const due = this.time + elapsed - this.at;
    if (said <= due + DOUBT_MS) return this.believe(said, elapsed);
    if (this.doubtedAt === null) {
      this.doubtedAt = elapsed;
      this.onDoubt(said - due);
    }
    return elapsed - this.doubtedAt < DOUBT_MS ? due : this.believe(said, elapsed);
  }

  private believe(time: number, at: number): number {
    this.time = time;
    this.at = at;
    this.doubtedAt = null;
    return time;
  }
}
