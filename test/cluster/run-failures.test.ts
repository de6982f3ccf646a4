import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type ClusterOptions, clusterCorpus } from '../../src/cluster/cluster-corpus.ts';
import { ByteFile } from '../../src/cluster/corpus/byte-file.ts';
import type { NodeTable } from '../../src/cluster/corpus/node-table.ts';
import { linkOver, makeFolder, writeWhole } from '../../src/cluster/durable-files.ts';
import { PairThreads } from '../../src/cluster/pairs/pair-threads.ts';
import { newTickets } from '../../src/cluster/pairs/tickets.ts';
import { failureOf } from '../../src/cluster/run-failures.ts';
import { PostingSpill } from '../../src/spill/posting-spill.ts';
import { corpusOf, setContent } from '../support/cluster/set-corpus.ts';
import { createPrng } from '../support/prng.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const refused = (code: string, ...words: string[]) =>
  expect.objectContaining({ name: 'ShingledError', code, message: expect.stringMatching(words.join('.*')) });

function someCorpus() {
  const prng = createPrng(3);
  // more than are posted, so that there are records
  const base = Array.from({ length: 90 }, () => prng.fingerprint());
  return corpusOf(
    Array.from({ length: 60 }, () => setContent(new Set([...base.slice(prng.below(5)), prng.next() * 1e9]))),
  );
}

const run = (folder: string, options: Partial<ClusterOptions> = {}) =>
  clusterCorpus(someCorpus(), { folder, by: 'resemblance', floor: 0.25, threads: 1, now: () => 0, ...options });

it('a disk that refuses a file is told by its name and why', async () => {
  const folder = temporaryFolder();
  const inTheWay = join(folder, 'in-the-way');
  writeFileSync(inTheWay, '');
  const below = join(inTheWay, 'below');
  await expect(ByteFile.create(inTheWay, { isHashed: true })).rejects.toThrow(
    refused('storage-full', inTheWay, 'EEXIST'),
  );
  expect(() => makeFolder(below)).toThrow(refused('storage-full', below, 'ENOTDIR'));
  expect(() => writeWhole(below, [])).toThrow(refused('storage-full', below, 'ENOTDIR'));
  expect(() => linkOver(join(folder, 'none'), join(folder, 'other'))).toThrow(
    refused('storage-full', 'other', 'ENOENT'),
  );
  await expect(PostingSpill.create(below, 16)).rejects.toThrow(refused('storage-full', below, 'ENOTDIR'));
  await expect(run(inTheWay)).rejects.toThrow(refused('storage-full', inTheWay));
});

it('what is left of a run and cannot be read back is told by its name', async () => {
  const folder = temporaryFolder();
  const ended = (phase: string) => (told: { phase: string }) => {
    if (told.phase === phase) throw new Error('ended');
  };
  await expect(run(folder, { progress: ended('lists') })).rejects.toThrow('ended');
  const left = (name: string) => join(folder, 'unfinished', name);
  const lists = ({ phase }: { phase: string }) => {
    if (phase === 'pairs') rmSync(left('lists-0'), { force: true });
  };
  await expect(run(folder, { progress: lists })).rejects.toThrow(refused('result-damaged', left('lists-0'), 'ENOENT'));
  const records = ({ phase }: { phase: string }) => {
    if (phase === 'records') truncateSync(left('records'), 100);
  };
  await expect(run(folder, { progress: records })).rejects.toThrow(
    refused('result-damaged', left('records'), 'cut off'),
  );
  const again = temporaryFolder();
  const leftAgain = join(again, 'unfinished', 'postings');
  const gone = ({ phase }: { phase: string }) => {
    if (phase === 'lists') truncateSync(leftAgain, 40);
  };
  await expect(run(again, { progress: gone })).rejects.toThrow(refused('result-damaged', leftAgain));
  // what is not whole is made anew
  await expect(run(folder)).resolves.toMatchObject({ counts: { documents: 60 } });
  writeFileSync(join(again, 'unfinished', 'nodes'), 'other');
  await expect(run(again)).resolves.toMatchObject({ counts: { documents: 60 } });
});

it('a thread that has ended, or has too little memory, is told as such', async () => {
  const threads = new PairThreads(1);
  onTestFinished(() => threads.close());
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'some'));
  const layout = { path: join(folder, 'some'), chunkEntries: 16, places: [], entries: [], counts: [2 ** 45] };
  const job = { kind: 'group', listMax: 1000, commonOf: new Uint32Array(1), next: newTickets() } as const;
  const grouping = () => threads.all<'group'>(() => ({ ...job, postings: layout, listsPath: join(folder, 'lists') }));
  await expect(grouping()).rejects.toThrow(refused('memory-short', 'refused memory'));
  const nodes = { count: 1, recordsPath: join(folder, 'none') } as NodeTable;
  const one = new Uint32Array(1);
  const verifying = threads.all<'verify'>(() => ({
    ...{ kind: 'verify', a: one, b: one, ends: one, parts: { from: 0, to: 1 }, nodes, by: 'resemblance', floor: 0.5 },
    ...{ recovered: { places: one, values: new Float64Array(1) }, next: newTickets() },
  }));
  await expect(verifying).rejects.toThrow(refused('result-damaged', 'none', 'ENOENT'));
  const under = grouping();
  await threads.close();
  await expect(under).rejects.toThrow(refused('memory-short', 'thread'));
  await expect(grouping()).rejects.toThrow(refused('memory-short', 'thread'));
});

it('what is no want of memory stays a fault of ours', () => {
  expect(failureOf(new RangeError('Array buffer allocation failed')).code).toBe('memory-short');
  expect(failureOf(new RangeError('Invalid typed array length: -1')).code).toBe('memory-short');
  expect(failureOf(new RangeError('toFixed() digits argument must be between 0 and 100')).code).toBe('internal');
  expect(failureOf(new TypeError('x is undefined')).message).toContain('x is undefined');
});
