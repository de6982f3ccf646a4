/**
 * What is being done, and how much of it is. Documents are taken in; then rows are copied and postings sorted, of which it is
 * known how many there are.
 */
export interface LoadProgress {
  readonly phase: 'documents' | 'rows' | 'postings';
  readonly done: number;
  /** null: nobody knows. */
  readonly of: number | null;
}

/** How a load is followed, and stopped. */
export interface LoadRun {
  readonly progress?: ((told: LoadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}
