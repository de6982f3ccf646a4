import type * as Fs from 'node:fs';
import type * as FsPromises from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { clusterCorpus } from '../../src/cluster/cluster-corpus.ts';
import type { DiskLedger } from '../support/cluster/disk-ledger.ts';
import { corpusOf, setContent } from '../support/cluster/set-corpus.ts';
import { createPrng } from '../support/prng.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const shared = vi.hoisted(() => ({ ledger: null as DiskLedger | null }));

vi.mock('node:fs', async (original) => {
  const { DiskLedger: Ledger } = await import('../support/cluster/disk-ledger.ts');
  shared.ledger ??= new Ledger();
  return shared.ledger.over(await original<typeof Fs>());
});
vi.mock('node:fs/promises', async (original) => {
  const { DiskLedger: Ledger } = await import('../support/cluster/disk-ledger.ts');
  shared.ledger ??= new Ledger();
  return shared.ledger.overPromises(await original<typeof FsPromises>());
});

it('what speaks of other files is there only when all of them are, whenever the power is cut', async () => {
  const prng = createPrng(2);
  const sets = Array.from({ length: 200 }, (_, i) => {
    return new Set([prng.fingerprint(), ...Array.from({ length: 40 }, (__, j) => 1000 * (i % 20) + j)]);
  });
  const folder = join(temporaryFolder(), 'new', 'result');
  const options = { folder, by: 'resemblance', floor: 0.25, threads: 1, now: () => 0 } as const;
  await clusterCorpus(corpusOf(sets.map(setContent)), options);
  const { atRename } = shared.ledger!;
  const lostAt = (...path: string[]) => atRename.find((rename) => rename.path === join(folder, ...path))?.lost;
  // all that was read, before it is said to be
  expect(lostAt('unfinished', 'sketched.json')).toEqual([]);
  expect(lostAt('clusters.json')).toEqual([]);
  // the ledger tells: links are synced with the first file that is written behind them
  expect(lostAt('edges')).toEqual(['documents', 'nodes', 'urls'].map((name) => join(folder, name)));
});
