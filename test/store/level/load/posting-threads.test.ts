import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { PostingSpill, TOP_BITS, TOPS } from '../../../../src/spill/posting-spill.ts';
import type { PartsSource, SegmentPart } from '../../../../src/store/level/load/posting-rows.ts';
import { PostingThreads } from '../../../../src/store/level/load/posting-threads.ts';
import { ContentTable, presenceOfCount } from '../../../../src/store/level/segments/content-table.ts';
import { TEST_RANK_KEY } from '../../../support/store/level-folder.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const parts = Array.from(
  { length: TOPS },
  (_, top): SegmentPart => ({ top, bits: 0, index: 0, from: top, to: top + 1 }),
);

async function sourceOf(postings: number): Promise<PartsSource> {
  const spill = await PostingSpill.create(join(temporaryFolder(), 'postings'), 64);
  const table = new ContentTable();
  for (let number = 0; number < postings; number++) {
    table.set(number, presenceOfCount(1));
    spill.addOne(number, (number % TOPS) * 2 ** 32 + number);
  }
  const layout = await spill.seal();
  await spill.close();
  return {
    ...{ layout, contents: table.shared },
    geometry: { segment: 1, bits: TOP_BITS, firstContent: 0, contentBytes: 4 },
    limits: { rankKey: TEST_RANK_KEY, listPostingsMax: 100, keptPostingsMax: 1600 },
  };
}

it('make the rows of all parts, in their order', async () => {
  const threads = new PostingThreads(await sourceOf(1000), parts, 2);
  const read: number[] = [];
  for await (const part of threads.rows()) read.push(part.read);
  await threads.close();
  expect(read).toEqual(parts.map(({ top }) => Math.ceil((1000 - top) / TOPS)));
});

it('leave nobody waiting where one has ended at rest', async () => {
  const source = await sourceOf(1000);
  const threads = new PostingThreads(source, parts, 1);
  const rows = threads.rows();
  await rows.next();
  // all that it was asked for is made
  await Promise.all(Reflect.get(threads, 'ahead') as Promise<unknown>[]);
  await threads.close();
  await expect(Array.fromAsync(rows)).rejects.toMatchObject({ code: 'memory-short' });
});

it('say by a code that one had too little memory', async () => {
  const threads = new PostingThreads(await sourceOf(1000), parts, 1);
  const rows = threads.rows();
  const [{ worker }] = Reflect.get(threads, 'threads') as [{ worker: Worker }];
  const code = 'ERR_WORKER_INIT_FAILED';
  worker.emit('error', Object.assign(new Error('Worker initialization failure: EAGAIN'), { code }));
  await expect(Array.fromAsync(rows)).rejects.toMatchObject({ code: 'memory-short', cause: { code } });
  await threads.close();
});

it('say why they cannot begin', async () => {
  const source = await sourceOf(1);
  const missing = { ...source, layout: { ...source.layout, path: join(temporaryFolder(), 'missing') } };
  expect(() => closeSync(openSync(missing.layout.path, 'r'))).toThrow('ENOENT');
  const threads = new PostingThreads(missing, parts, 1);
  await expect(Array.fromAsync(threads.rows())).rejects.toThrow('ENOENT');
  await threads.close();
});
