import type { ClusterPhase, ClusterProgress } from '../../cluster/port.ts';
import { clockText } from '../progress-line.ts';
import { count } from '../texts.ts';

/** Before, what is left is anybody's guess. */
const ETA_AFTER_MS = 1000;

/** How far clustering is, as a line: what is done, how much of it, and how long it will take. */
export class ClusterProgressText {
  readonly #now: () => number;
  /** How long each phase took so far. */
  readonly #spentMs = new Map<ClusterPhase, number>();
  /** Before the pairs that are compared now. */
  #comparedMs = 0;
  #last: { readonly phase: ClusterPhase; readonly atMs: number } | null = null;

  /** @param now ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  of(told: ClusterProgress): string {
    this.#note(told.phase);
    if (told.phase === 'records' && told.of === null) this.#comparedMs = this.#spent('records');
    const share = told.of === null ? (told.share?.() ?? null) : told.done / Math.max(1, told.of);
    const percent = share === null || share === 0 ? [] : [`${Math.floor(100 * share)} %`];
    return [`${whatOf(told)}`, ...percent, ...this.#etaOf(told.phase, share)].join('  ');
  }

  #note(phase: ClusterPhase): void {
    const atMs = this.#now();
    if (this.#last !== null) {
      const { phase: before, atMs: since } = this.#last;
      this.#spentMs.set(before, this.#spent(before) + atMs - since);
    }
    this.#last = { phase, atMs };
  }

  #etaOf(phase: ClusterPhase, share: number | null): string[] {
    // where there are many, some rows are counted and their pairs compared by turns: shares are of all rows, and of these pairs
    const before = { pairs: -this.#spent('records'), records: this.#comparedMs, documents: 0, lists: 0, forest: 0 };
    const spent = this.#spent(phase) - before[phase];
    if (share === null || share === 0 || spent < ETA_AFTER_MS) return [];
    return [`ETA ${clockText((spent * (1 - share)) / share / 1000)}`];
  }

  #spent(phase: ClusterPhase): number {
    return this.#spentMs.get(phase) ?? 0;
  }
}

function whatOf({ phase, done, of }: ClusterProgress): string {
  switch (phase) {
    case 'documents':
      return done === 0 ? 'reading documents' : `${count(done)} documents read and sketched`;
    case 'lists':
      return 'sorting shingles';
    case 'pairs':
      return of === null || done === 0
        ? 'counting what pairs share'
        : `counting what pairs of ${count(of)} texts share`;
    case 'records':
      return of === null ? 'comparing pairs' : `comparing ${count(of)} pairs`;
    case 'forest':
      return done === 0 ? 'joining pairs' : `joining ${count(done)} pairs`;
  }
}
