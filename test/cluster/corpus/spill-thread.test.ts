import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BATCH_DOUBLES, SpillThread } from '../../../src/cluster/corpus/spill-thread.ts';
import { PostingSpill, TOPS } from '../../../src/spill/posting-spill.ts';
import { readChunks, type SpillLayout } from '../../../src/spill/spilled-chunks.ts';
import { below, randomFrom } from '../../support/store/level-plans.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** All postings of a spill, top after top, in their order. */
function postingsOf(layout: SpillLayout): number[][] {
  const file = openSync(layout.path, 'r');
  try {
    return Array.from({ length: TOPS }, (_, top) => {
      const found: number[] = [];
      for (const { low, numbers } of readChunks(file, layout, top))
        for (const [i, one] of low.entries()) found.push(one, numbers[i]!);
      return found;
    });
  } finally {
    closeSync(file);
  }
}

function* documents(count: number): Generator<Float64Array> {
  const random = randomFrom(count);
  for (let i = 0; i < count; i++) {
    yield Float64Array.from({ length: below(random, 60) }, () => below(random, 2 ** 32) * 256 + below(random, 256));
  }
}

describe('postings that a thread writes', () => {
  // none, a few, which need no thread, and some hundred thousand
  for (const count of [0, 100, 20_000]) {
    it(`are those of a spill: ${count} documents`, async () => {
      const folder = temporaryFolder();
      const plain = await PostingSpill.create(join(folder, 'plain'), 512, true);
      const thread = new SpillThread({ path: join(folder, 'thread'), chunkEntries: 512 });
      let number = 0;
      for (const fingerprints of documents(count)) {
        plain.add(number, fingerprints);
        thread.add(number++, fingerprints);
        if (number % 500 === 0) await thread.room();
      }
      const layouts = [await plain.seal(), await thread.seal()] as const;
      await Promise.all([plain.close(), thread.close()]);
      expect(layouts[1].counts).toEqual(layouts[0].counts);
      expect(postingsOf(layouts[1])).toEqual(postingsOf(layouts[0]));
    });
  }

  it('may be of a document that has more than a batch holds', async () => {
    const folder = temporaryFolder();
    const thread = new SpillThread({ path: join(folder, 'thread'), chunkEntries: 512 });
    const all = Float64Array.from({ length: 3 * BATCH_DOUBLES + 7 }, (_, i) => i);
    thread.add(5, all);
    const layout = await thread.seal();
    await thread.close();
    expect(postingsOf(layout)[0]).toEqual([...all].flatMap((low) => [low, 5]));
  });

  it('are refused where their file cannot be made, by either thread', async () => {
    for (const count of [10, 20_000]) {
      const path = join(temporaryFolder(), 'missing', 'postings');
      const thread = new SpillThread({ path, chunkEntries: 512 });
      let number = 0;
      for (const fingerprints of documents(count)) thread.add(number++, fingerprints);
      await expect(thread.seal()).rejects.toMatchObject({ code: 'storage-full' });
      await thread.close();
    }
  });

  it('leave nothing waiting where it is closed in the middle', async () => {
    const path = join(temporaryFolder(), 'postings');
    const thread = new SpillThread({ path, chunkEntries: 512 });
    let number = 0;
    for (const fingerprints of documents(20_000)) thread.add(number++, fingerprints);
    await thread.room();
    expect(existsSync(path)).toBe(true);
    await thread.close();
    await expect(thread.room()).rejects.toMatchObject({ code: 'memory-short' });
  });

  it('are refused by a disk in the middle, and never sealed then', () => {
    const folder = temporaryFolder();
    const script = join(folder, 'fill.mjs');
    writeFileSync(script, FULL);
    const args = ['-c', 'ulimit -f 1024; exec "$0" "$1" "$2"', process.execPath, script, join(folder, 'postings')];
    const { stdout, status } = spawnSync('sh', args, { encoding: 'utf8' });
    expect([status, JSON.parse(stdout)]).toEqual([0, ['storage-full', 'storage-full']]);
  });
});

/** Where files may grow to 512 KiB: what is said while there is more, and when it is to be sealed. */
const FULL = `
import { SpillThread } from ${JSON.stringify(new URL('../../../src/cluster/corpus/spill-thread.ts', import.meta.url).href)};
const thread = new SpillThread({ path: process.argv[1], chunkEntries: 1024 });
const codeOf = async (work) => work().then(() => null, ({ code }) => code);
const fill = async () => {
  for (let number = 0; number < 1_000_000; number++) {
    thread.add(number, Float64Array.of((number % 256) * 2 ** 32));
    if (number % 1000 === 0) await thread.room();
  }
};
console.log(JSON.stringify([await codeOf(fill), await codeOf(() => thread.seal())]));
await thread.close();
`;
