import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClusterOptions, clusterCorpus } from '../../src/cluster/cluster-corpus.ts';
import type { ClusterNeeds, Corpus } from '../../src/cluster/port.ts';
import { RESULT_FILES } from '../../src/cluster/result/result-folder.ts';
import type { ShingledError } from '../../src/errors.ts';
import { corpusOf, families, setContent } from '../support/cluster/set-corpus.ts';
import { createPrng } from '../support/prng.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const run = (corpus: Corpus, folder: string, options: Partial<ClusterOptions> = {}) =>
  clusterCorpus(corpus, { folder, by: 'resemblance', floor: 0.25, threads: 2, now: () => 0, ...options });

describe('memory', () => {
  it.each(['resemblance', 'containment'] as const)(
    'that is little gives the same result, in parts, by %s',
    async (by) => {
      const prng = createPrng(12);
      const common = Array.from({ length: 3 }, () => prng.fingerprint());
      const sets = families(1500, 12).map((set) => new Set([...set, ...common.filter(() => prng.next() < 0.8)]));
      const corpus = corpusOf(sets.map(setContent));
      const whole = temporaryFolder();
      const unbound = await run(corpus, whole, { by });
      expect(unbound.resources).toMatchObject({ memoryBytesMax: null, ranges: 1 });
      expect(unbound.counts.common).toBe(3);
      const held = temporaryFolder();
      const bounds = { rangeBytes: 30_000, pairs: 3000 };
      const summary = await run(corpus, held, { by, threads: 3, memoryBytes: 1e9, bounds });
      expect(summary.resources.ranges).toBeGreaterThan(3);
      expect(summary.counts).toEqual(unbound.counts);
      for (const file of RESULT_FILES) expect(readFileSync(join(held, file))).toEqual(readFileSync(join(whole, file)));
    },
  );

  it('that is too little is refused, with the least that is needed, and is enough then', async () => {
    const corpus = corpusOf(families(300, 4).map(setContent));
    const folder = temporaryFolder();
    const failure = await run(corpus, folder, { memoryBytes: 190e6 }).catch((error: unknown) => error as ShingledError);
    expect(failure).toMatchObject({ code: 'memory-short', field: 'memory' });
    const [, least = ''] = /needs (\d+) MB of memory at the least/.exec((failure as ShingledError).message)!;
    await expect(run(corpus, folder, { memoryBytes: 1e6 * Number(least) - 2e6 })).rejects.toMatchObject({
      code: 'memory-short',
    });
    const { resources } = await run(corpus, folder, { memoryBytes: 1e6 * Number(least) + 1e6 });
    expect(resources.memoryBytes).toBeLessThanOrEqual(1e6 * Number(least) + 1e6);
    const reading = run(corpus, temporaryFolder(), { memoryBytes: 50e6 });
    await expect(reading).rejects.toMatchObject({ code: 'memory-short', message: expect.stringMatching(/^Reading/) });
    // of all that the process takes, as --memory is
    const known = run(corpus, temporaryFolder(), { memoryBytes: 169e6 });
    await expect(known).rejects.toThrow(/^What is known of \d+ documents, .* needs 17\d MB .* may take 169 MB/);
  });

  it('and files that it will take are told before documents are read, and when they were', async () => {
    const told: ClusterNeeds[] = [];
    const needs = (one: ClusterNeeds) => void told.push(one);
    const corpus = { ...corpusOf(families(60, 6).map(setContent)), inputBytes: 1000 };
    const { resources } = await run(corpus, temporaryFolder(), { needs, memoryBytes: 2e9 });
    expect(told).toMatchObject([
      { phase: 'documents', memoryBytesMax: 2e9, memoryBytes: null, temporaryBytes: expect.any(Number) },
      {
        phase: 'lists',
        memoryBytesMax: 2e9,
        memoryBytes: resources.memoryBytes,
        temporaryBytes: resources.temporaryBytes,
      },
    ]);
    expect(told[1]!.freeBytes).toBeGreaterThan(0);
  });
});
