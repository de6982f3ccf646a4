import type { TokenBlock } from '../text/alignment.ts';
import type { CanonicalBytes } from '../text/canonicalize.ts';
import { BLOCK_BYTES, BLOCK_TOKENS, createTokenBlock, findTokens } from '../text/tokens.ts';
import { createPermutationKey, permute } from './permutation.ts';
import { createField, fingerprintTokens } from './rabin.ts';
import { Shingler } from './shingles.ts';

/** The secret choices of one index: what a fingerprint is (Broder 1997, §2 and §6.6). Plain data, may be posted to a worker. */
export interface FingerprintParameters {
  /** w, tokens in a shingle, 1..32. */
  readonly shingleSize: number;
  /** The low 64 coefficients of an irreducible polynomial of degree 64 (x^64 is implied), as [high, low] Uint32. */
  readonly polynomial: readonly [number, number];
  /** 16 secret Uint32 from which the mixing steps and the permutation take their constants. */
  readonly mixing: readonly number[];
}

/** The stages from canonical bytes to fingerprints, a block at a time. */
export interface Stages {
  readonly block: TokenBlock;
  readonly shingler: Shingler;
  /**
   * Calls `onTokens` when the next tokens are in `block`, and `onShingles` when the next fingerprints are in `shingler` at
   * from <= i < to. Where all tokens together are one shingle, it calls `onOnly` instead. Returns the number of tokens.
   */
  run(canonical: CanonicalBytes, onTokens: () => void, onShingles: OnShingles, onOnly: OnOnlyShingle): number;
  /** What run does, a block at a time. */
  begin(): void;
  /** @returns the tokens that end in the block; before it there were `tokenCount` */
  takeBlock(
    canonical: CanonicalBytes,
    from: number,
    tokenCount: number,
    onTokens: () => void,
    onShingles: OnShingles,
  ): number;
  end(tokenCount: number, onOnly: OnOnlyShingle): void;
}

type OnShingles = (from: number, to: number) => void;
type OnOnlyShingle = (from: number, to: number, tokenCount: number) => void;

export function createStages({ shingleSize: size, polynomial, mixing }: FingerprintParameters): Stages {
  const field = createField(polynomial);
  const tokenKey = createPermutationKey(mixing.slice(0, 8));
  const shingleKey = createPermutationKey(mixing.slice(8));
  const block = createTokenBlock();
  const [emptyLow, emptyHigh] = [new Int32Array(1), new Int32Array(1)];
  permute(tokenKey, emptyLow, emptyHigh, 0, 1);
  const shingler = new Shingler(field, size, BLOCK_TOKENS, [emptyHigh[0]!, emptyLow[0]!], shingleKey);
  const { tokenLow, tokenHigh } = shingler;

  function takeBlock(
    canonical: CanonicalBytes,
    from: number,
    tokenCount: number,
    onTokens: () => void,
    onShingles: OnShingles,
  ): number {
    findTokens(canonical, from, block);
    const { count } = block;
    onTokens();
    fingerprintTokens(field, canonical, block, tokenLow, tokenHigh, size);
    permute(tokenKey, tokenLow, tokenHigh, size, size + count);
    shingler.slide(count);
    // the window is full only from the token number w on
    onShingles(Math.min(count, Math.max(0, size - 1 - tokenCount)), count);
    return count;
  }

  function end(tokenCount: number, onOnly: OnOnlyShingle): void {
    if (tokenCount === 0 || tokenCount >= size) return;
    shingler.stop();
    onOnly(0, 1, tokenCount);
  }

  function run(canonical: CanonicalBytes, onTokens: () => void, onShingles: OnShingles, onOnly: OnOnlyShingle): number {
    let tokenCount = 0;
    shingler.begin();
    for (let from = 0; from <= canonical.length; from += BLOCK_BYTES) {
      tokenCount += takeBlock(canonical, from, tokenCount, onTokens, onShingles);
    }
    end(tokenCount, onOnly);
    return tokenCount;
  }

  return { block, shingler, run, begin: () => shingler.begin(), takeBlock, end };
}
