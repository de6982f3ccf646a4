import { RUN_MAX, SeenSources } from './seen-sources.ts';
import type { SortedRuns } from './sorted-runs.ts';

/*
 * The sources that were met, and their rows as they were when they were met first: those that are met again have newer ones
 * elsewhere.
 */
export class NewSources {
  readonly runs: SortedRuns;
  private readonly seen = new SeenSources();

  constructor(runs: SortedRuns) {
    this.runs = runs;
  }

  /** Meets the sources of all rows, and says each time how many it has met. @throws as {@link SortedRuns.keys} does */
  *meetAll(): Generator<number, void, undefined> {
    let met = 0;
    for (const [key, run] of this.runs.keys()) {
      this.seen.add(key, run);
      yield ++met;
    }
  }

  /** @param key of its row @returns whether it was never met: its row may be added before the next run is begun */
  meet(key: string): boolean {
    return this.seen.add(key, this.runs.run);
  }

  wasMet(key: string): boolean {
    return this.seen.has(key);
  }

  /** Its row as it was added; undefined where none was. @throws ShingledError `index-unreadable`, `overloaded` */
  get(key: string): Buffer | undefined {
    const first = this.seen.runOf(key);
    if (first === undefined) return undefined;
    const last = first === RUN_MAX ? this.runs.run : first;
    for (let run = first; run <= last; run++) {
      const row = this.runs.get(key, run);
      if (row !== undefined) return row;
    }
    return undefined;
  }
}
