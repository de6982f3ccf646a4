import type { Retention } from './port.ts';

/**
 * K: so many postings of a list are read, the first of it by rank; one more says that the list is common and was cut.
 */
export const LIST_POSTINGS_MAX = 1000;

/** What an index is made with unless something else is given. */
export const NEW_INDEX = { shingleSize: 7, indexModulusMax: 8, recordModulusMax: 4 } as const;

/** Three past contents a source for a year; a page with a clock on it leaves none behind; a hundred dated versions. */
export const RETENTION_DEFAULT: Retention = {
  pastContentsMax: 3,
  pastMs: 365 * 24 * 3_600_000,
  pastResemblanceMax: 0.9,
  versionsMax: 100,
};

/** What every store is given beside its description. */
export interface StoreSettings {
  /** Two secret Uint32 that key the rank of a posting (identity). */
  readonly rankKey: readonly [number, number];
  readonly retention: Retention;
  /** K; {@link LIST_POSTINGS_MAX} unless a test wants common lists from few documents. */
  readonly listPostingsMax?: number;
}
