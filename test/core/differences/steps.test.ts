import { describe, expect, it } from 'vitest';
import { AnchoredRuns } from '../../../src/core/differences/anchored-runs.ts';
import { compareTextSteps } from '../../../src/core/differences/compare-texts.ts';
import { heaviestChainSteps } from '../../../src/core/differences/heaviest-chain.ts';
import { inOrderRunSteps } from '../../../src/core/differences/in-order-runs.ts';
import { allRunSteps } from '../../../src/core/differences/moved-runs.ts';
import { NONE, type SharedWindows } from '../../../src/core/differences/shared-windows.ts';

/* However two texts differ, no part of comparing them holds others up: steps are counted, since times depend on the machine. */

function counted<T>(steps: Generator<undefined, T>): { readonly yields: number; readonly value: T } {
  let yields = 0;
  for (let next = steps.next(); ; next = steps.next(), yields++)
    if (next.done === true) return { yields, value: next.value };
}

const RUNS = 40_000;
const SIZE = 5;

/** Texts that share every other window alone: as many gaps as runs. */
function alternating(): SharedWindows {
  const a = new Int32Array(2 * RUNS * SIZE).fill(NONE);
  const b = new Int32Array(2 * RUNS * SIZE).fill(NONE);
  for (let run = 0; run < RUNS; run++) a[2 * run * SIZE] = b[2 * run * SIZE] = run;
  return { size: SIZE, a, b, count: RUNS };
}

describe('two texts with very many differences', () => {
  it('are compared in steps: gaps, each with little in it', () => {
    const windows = alternating();
    const { yields, value } = counted(inOrderRunSteps(windows, new AnchoredRuns(windows)));
    expect(value).toHaveLength(RUNS);
    // every window is looked at five times, in steps of 2 ** 15; gaps and runs beside
    expect(yields).toBeGreaterThan((5 * windows.a.length + 16 * RUNS) / 2 ** 15);
  });

  it('are compared in steps: runs that are there before others are looked for', () => {
    const windows = { ...alternating(), count: 1 };
    const inOrder = Array.from({ length: RUNS }, (_, run) => ({ a: 2 * run * SIZE, b: 2 * run * SIZE, length: SIZE }));
    windows.a.fill(NONE);
    windows.b.fill(NONE);
    const { yields } = counted(allRunSteps(windows, inOrder, new AnchoredRuns(windows)));
    expect(yields).toBeGreaterThan((6 * windows.a.length + 8 * RUNS) / 2 ** 15);
  });

  it('are compared in steps: the chain, on its way back, too', () => {
    const runs = Array.from({ length: RUNS }, (_, run) => ({ a: SIZE * run, b: SIZE * run, length: SIZE }));
    const { yields, value } = counted(heaviestChainSteps(runs, 0, SIZE * RUNS));
    expect(value).toHaveLength(RUNS);
    expect(yields).toBeGreaterThanOrEqual(2 * Math.floor(RUNS / 4096));
  });

  it('are compared in steps: what is put together at the end', () => {
    const tokens = 2 * RUNS * SIZE;
    const starts = Uint32Array.from({ length: tokens + 1 }, (_, token) => 2 * token);
    const text = (seed: number) => {
      const fingerprints = Float64Array.from({ length: tokens - SIZE + 1 }, (_, i) =>
        i % (2 * SIZE) === 0 ? i * 7919 : seed + i,
      );
      const sequence = { shingleSize: SIZE, tokenStarts: starts.subarray(0, tokens), tokenEnds: starts, fingerprints };
      return { sequence, words: { canonical: new Uint8Array(2 * tokens), starts } };
    };
    const [a, b] = [text(2 ** 33), text(2 ** 35)];
    const { yields, value } = counted(compareTextSteps(a, b));
    expect(value.a.filter(({ kind }) => kind === 'common').length).toBeGreaterThan(RUNS / 2);
    // 388 of all that was in steps before the order, the chain, and the partners of stretches were
    expect(yields).toBeGreaterThan(420);
  });
});
