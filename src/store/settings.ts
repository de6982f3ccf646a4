import { defaultsOf } from '../limit-row.ts';
import { PAST_RESEMBLANCE_ROW, RETENTION_ROWS } from './limits.ts';

/**
 * K: so many postings of a list are read, the first of it by rank; one more says that the list is common and was cut.
 */
export const LIST_POSTINGS_MAX = 1000;

/** What an index is made with unless something else is given. */
export const NEW_INDEX = { shingleSize: 7, indexModulusMax: 8, recordModulusMax: 4 } as const;

/** What is kept of the past where nothing is set. */
export const RETENTION_DEFAULT = { ...defaultsOf(RETENTION_ROWS), pastResemblanceMax: PAST_RESEMBLANCE_ROW.default };
export type Retention = Readonly<typeof RETENTION_DEFAULT>;

/** What every store is given beside its description. */
export interface StoreSettings {
  /** Two secret Uint32 that key the rank of a posting (identity). */
  readonly rankKey: readonly [number, number];
  readonly retention: Retention;
  /** K; {@link LIST_POSTINGS_MAX} unless a test wants common lists from few documents. */
  readonly listPostingsMax?: number;
}
