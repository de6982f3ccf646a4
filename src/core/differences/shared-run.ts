/** A stretch that two texts share: from a and b on so many windows, or tokens, are the same, one by one. */
export interface Run {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** A part of both texts: windows from .. to - 1 of each. */
export interface Gap {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}
