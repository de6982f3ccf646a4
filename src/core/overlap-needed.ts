/** What a content must share with a query for its record to be worth reading. */
export interface OverlapNeeded {
  /** The least that a content of any size needs, 0 or more: what has less need not be asked for its size. */
  readonly least: number;
  /**
   * The hits in lists read to their end that a content of so many shingles needs: 0 or more; Infinity where no content of
   * that size can be a match. Asked for every content that was found: a few nanoseconds.
   */
  of(shingleCount: number): number;
}
