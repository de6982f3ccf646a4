/** Pairs of nodes a[i] < b[i], i < count, with a weight above 0 and up to 1. */
export interface Edges {
  readonly count: number;
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly weight: Float64Array;
}
