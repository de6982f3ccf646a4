import type { IndexState } from './index-state.ts';
import type { Merge } from './merge.ts';
import type { Tail } from './tail.ts';

type Stage = 'flush' | 'merge' | 'pages' | 'clear' | 'done';

/**
 * How far a compaction has come. Each stage has an end of its own, so that what comes meanwhile does not put it off:
 *
 *   flush   the tails that were there when it was asked for
 *   merge   the segments that are listed then, into one without forgotten contents
 *   pages   of shingle counts, those that have rows d then, written anew
 *   clear   the rows of segments that are gone then
 */
export class Compaction {
  /** Its merge, once begun: of all segments. */
  merge: Merge | undefined;
  private readonly state: IndexState;
  private readonly tails: ReadonlySet<Tail>;
  private reached: Stage = 'flush';
  private due: readonly number[] = [];
  private gone: readonly number[] = [];

  /** @param state whose last tail is not flushed by it */
  constructor(state: IndexState) {
    this.state = state;
    this.tails = new Set(state.tails.slice(0, -1));
  }

  /** Leaves stages that have come to their end, except `merge`: see {@link merged}. @returns where it stands now */
  advance(): Stage {
    const { state } = this;
    if (this.reached === 'flush' && this.isFlushed) this.reached = 'merge';
    if (this.reached === 'pages' && this.due.length === 0) {
      this.reached = 'clear';
      this.gone = [...state.gone];
    }
    if (this.reached === 'clear' && !this.gone.some((segment) => state.gone.has(segment))) this.reached = 'done';
    return this.reached;
  }

  /** Whether there is nothing to merge: no segment but one, and none of its contents was forgotten since it was made. */
  get isMerged(): boolean {
    const { segments } = this.state.list;
    return segments.length < 2 && segments.every(({ segment }) => this.state.deadIn(segment) === 0);
  }

  merged(): void {
    this.reached = 'pages';
    this.due = this.state.pagesDue(Number.POSITIVE_INFINITY, 'any');
  }

  /** The pages that are to be written next. */
  pages(most: number): readonly number[] {
    return this.due.slice(0, most);
  }

  written(pages: readonly number[]): void {
    this.due = this.due.slice(pages.length);
  }

  private get isFlushed(): boolean {
    return !this.state.tails.some((tail) => this.tails.has(tail));
  }
}
