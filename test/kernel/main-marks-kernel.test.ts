import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPrng } from '../support/prng.ts';
import { anyKept, anyText } from '../support/workers/kernel-documents.ts';
import { differences, kernelPair } from '../support/workers/kernel-pair.ts';

const SEED = 1997;
const MODULI = [1, 2, 4, 8, Number.POSITIVE_INFINITY];
const pairs = Array.from({ length: 32 }, (_, i) => kernelPair(i + 1));

describe('the WebAssembly kernel', () => {
  it('marks the main part as the TypeScript kernel does, whatever is kept, and changes nothing else by it', () => {
    const prng = createPrng(SEED);
    const found: string[] = [];
    for (const [count, bytesMost] of [
      [600, 300],
      [150, 5000],
      [4, 100_000],
    ] as const) {
      for (let i = 0; i < count; i++) {
        const text = anyText(prng, bytesMost);
        const pair = pairs[prng.below(32)]!;
        const modulusMax = MODULI[prng.below(MODULI.length)]!;
        const kept = anyKept(prng, text);
        found.push(...differences(pair, text, modulusMax, kept));
        const { main: _, ...rest } = pair.wasm.sketch(text, modulusMax, undefined, 0, kept);
        const { main: none, ...unmarked } = pair.wasm.sketch(text, modulusMax);
        expect(none).toBeNull();
        if (!isDeepStrictEqual(rest, unmarked)) found.push('changed by what is kept');
      }
    }
    expect(found).toEqual([]);
  });

  it('keeps its marks where the slots double', () => {
    const prng = createPrng(SEED);
    // tokens of one letter: twice the slots that a text of its size is given
    const bytes = Uint8Array.from({ length: 600_000 }, (_, i) => (i % 2 === 0 ? 0x20 : 0x61 + prng.below(26)));
    const kept = Uint32Array.of(1, 100_000, 300_001, 300_900, 500_001, 599_000);
    expect(differences(pairs[6]!, bytes, 4, kept)).toEqual([]);
  });
});
