/**
 * What is being done, and how much of it is. A load that goes on reads what was kept. Documents are taken in; then rows are
 * copied and postings sorted, of which it is known how many there are.
 */
export interface LoadProgress {
  readonly phase: 'kept' | 'documents' | 'rows' | 'postings';
  readonly done: number;
  /** null: nobody knows. */
  readonly of: number | null;
}

/** How a load is followed, and stopped. */
export interface LoadRun {
  readonly progress?: ((told: LoadProgress) => void) | undefined;
  /** Where it aborts, the load ends: with a checkpoint once the plans end, which is soon; at once where it sets none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Asked for each checkpoint, when all plans that were taken in are settled, what it is to keep beside for whoever goes on;
   * null: no checkpoint now. Where it is absent, nobody goes on: nothing is left of a load that does not come to its end.
   */
  readonly note?: (() => Promise<string | null>) | undefined;
}
