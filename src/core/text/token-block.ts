/** Tokens that end in one block, in order: their bounds, then their values, low and high halves apart. */
export interface TokenBlock {
  count: number;
  /** Start and end (exclusive) of token i at 2i and 2i + 1, counted from the first canonical byte. */
  readonly edges: Int32Array;
  /** Set where the last token of the block is not over: its start stands after the other edges. */
  open: boolean;
}
