/** A nested sample of a document's fingerprints: V_m of Broder 1997, §3, with m a power of two. */
export interface Sample {
  /** m, a power of two; 1 = the whole set. */
  readonly modulus: number;
  /** The low 40 bits of every distinct fingerprint that is 0 mod m: whole numbers in 0..2^40-1, ascending, distinct. */
  readonly fingerprints: Float64Array;
}

/** What is known of a document once its text has passed through the pipeline. */
export interface Sketch {
  /** Tokens of the canonical text, 0 or more. */
  readonly tokenCount: number;
  /** n: the exact number of distinct shingles; 0 only where tokenCount is 0. */
  readonly shingleCount: number;
  readonly sample: Sample;
  /** Order-independent 128-bit sum over all distinct 64-bit fingerprints (four Uint32): equal sets, equal sums. */
  readonly shingleSum: Uint32Array;
  /** The canonical tokens as UTF-8, each followed by one 0x20: equal bytes are lexical equivalence. Owned by the caller. */
  readonly canonicalText: Uint8Array;
}

/** The secret choices of one index: what a fingerprint is (Broder 1997, §2 and §6.6). Plain data, may be posted to a worker. */
export interface FingerprintParameters {
  /** w, tokens in a shingle, 1..32. */
  readonly shingleSize: number;
  /** The low 64 coefficients of an irreducible polynomial of degree 64 (x^64 is implied), as [high, low] Uint32. */
  readonly polynomial: readonly [number, number];
  /** 16 secret Uint32 from which the mixing steps and the permutation take their constants. */
  readonly mixing: readonly number[];
}

/** Makes sketches under one set of parameters; holds scratch memory, so it serves one call at a time. */
export interface Sketcher {
  readonly parameters: FingerprintParameters;
  /**
   * The sketch of a document's text.
   *
   * @param text UTF-8; invalid sequences count as U+FFFD, the WHATWG way. Never kept or changed.
   * @param modulusMax cap of the sample's modulus m(n; modulusMax, 256): 1 keeps the whole set (a query in hand), 4 is
   *   what a record keeps.
   */
  sketch(text: Uint8Array, modulusMax: number): Sketch;
  /** The windows of a text in order, for passages: see {@link ShingleSequence}. */
  sequence(text: Uint8Array): ShingleSequence;
}

/** The shingles of a text in the order of the text, with where they stand. */
export interface ShingleSequence {
  /** Tokens in a shingle of this text: w, or the number of tokens where there are fewer. */
  readonly shingleSize: number;
  /** Byte offset in the input text where token i starts and where it ends (exclusive). */
  readonly tokenStarts: Uint32Array;
  readonly tokenEnds: Uint32Array;
  /** Low 40 bits of the fingerprint of the shingle that begins at token i; tokenCount - shingleSize + 1 of them. */
  readonly fingerprints: Float64Array;
}
