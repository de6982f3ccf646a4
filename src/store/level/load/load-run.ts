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
   * Gives the note of a checkpoint once all plans that were taken in are settled, for the process that goes on; null: no
   * checkpoint now. Without this function no checkpoint is set, and nothing is kept of a load that does not come to its end.
   */
  readonly note?: (() => Promise<string | null>) | undefined;
}
