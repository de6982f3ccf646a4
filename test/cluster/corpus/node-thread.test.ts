import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NodeThread } from '../../../src/cluster/corpus/node-thread.ts';
import {
  type NodeOfText,
  type NodeSetup,
  NodeWriter,
  type SealedNodes,
} from '../../../src/cluster/corpus/node-writer.ts';
import { BATCH_DOUBLES, putText, textDoubles } from '../../../src/cluster/corpus/text-batch.ts';
import type { CorpusContent } from '../../../src/cluster/port.ts';
import { readColumns } from '../../../src/cluster/result/columns-file.ts';
import { NODE_COLUMNS } from '../../../src/cluster/result/result-folder.ts';
import { POSTED_BITS } from '../../../src/core/query/posted-key.ts';
import { wholeSample } from '../../../src/core/sketch/narrow.ts';
import { TOPS } from '../../../src/spill/posting-spill.ts';
import { readChunks, type SpillLayout } from '../../../src/spill/spilled-chunks.ts';
import { setContent } from '../../support/cluster/set-corpus.ts';
import { below, randomFrom } from '../../support/store/level-plans.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** All postings of a spill, top after top, in their order, as one digest of each. */
function postingsOf(layout: SpillLayout): string[] {
  const file = openSync(layout.path, 'r');
  try {
    return Array.from({ length: TOPS }, (_, top) => {
      const hash = createHash('sha256');
      for (const { low, numbers } of readChunks(file, layout, top)) hash.update(low).update(numbers);
      return hash.digest('hex');
    });
  } finally {
    closeSync(file);
  }
}

const setupIn = (folder: string): NodeSetup => ({ folder, by: 'resemblance', chunkEntries: 512 });

/** Texts of up to 60 shingles, a tenth of which came before. */
function* texts(count: number): Generator<CorpusContent> {
  const random = randomFrom(count);
  const before: CorpusContent[] = [];
  for (let i = 0; i < count; i++) {
    if (before.length > 0 && below(random, 10) === 0) {
      yield before[below(random, before.length)]!;
      continue;
    }
    const fingerprints = Float64Array.from(
      { length: 1 + below(random, 60) },
      () => below(random, 2 ** 32) * 256 + below(random, 256),
    );
    const shingleDigest = `${i.toString(16).padStart(8, '0')}${'5'.repeat(24)}`;
    const sample = wholeSample({ modulus: 1, fingerprints });
    const text = { lexicalDigest: shingleDigest, shingleDigest, shingleCount: fingerprints.length, sample };
    if (i < 1000) before.push(text);
    yield text;
  }
}

/** What a writer makes of some texts in batches of their own. */
async function writtenHere(folder: string, all: Iterable<CorpusContent>): Promise<[NodeOfText, SealedNodes]> {
  const writer = await NodeWriter.create(setupIn(folder));
  for (const text of all) {
    const batch = new Float64Array(textDoubles(text));
    writer.add(batch, putText(batch, 0, text));
  }
  const [texts, sealed] = [writer.takeNodeOfText(), await writer.seal()];
  await writer.close();
  return [texts, sealed];
}

/** What a thread has made. */
async function ended(thread: NodeThread): Promise<[NodeOfText, SealedNodes]> {
  try {
    return [await thread.texts(), await thread.seal()];
  } finally {
    await thread.close();
  }
}

describe('nodes that a thread writes', () => {
  // none, a few, which need no thread, and some hundred thousand values
  for (const count of [0, 100, 12_000]) {
    it(`are those of the writer: ${count} texts`, async () => {
      const [here, there] = [temporaryFolder(), temporaryFolder()];
      const thread = new NodeThread(setupIn(there));
      let number = 0;
      for (const text of texts(count)) {
        thread.add(text);
        if (++number % 500 === 0) await thread.room();
      }
      const [[expectedTexts, expected], [found, sealed]] = [await writtenHere(here, texts(count)), await ended(thread)];
      const { postings, ...nodes } = sealed;
      const { postings: expectedPostings, ...expectedNodes } = expected;
      expect(nodes).toEqual(expectedNodes);
      expect([found, found.length]).toEqual([expectedTexts, count]);
      expect(postings.counts).toEqual(expectedPostings.counts);
      expect(postingsOf(postings)).toEqual(postingsOf(expectedPostings));
      expect(existsSync(join(there, 'records'))).toBe(true);
      if (count > 1000) expect(thread.bytes).toBeGreaterThan(40 * count);
    });
  }

  it('may be of a text that has more than a batch holds', async () => {
    const folder = temporaryFolder();
    const thread = new NodeThread(setupIn(folder));
    const [first, last] = texts(2);
    const fingerprints = Float64Array.from({ length: 3 * BATCH_DOUBLES + 7 }, (_, i) => i);
    const sample = wholeSample({ modulus: 1, fingerprints });
    const long = { lexicalDigest: '', shingleDigest: 'a'.repeat(32), shingleCount: fingerprints.length, sample };
    for (const text of [first!, long, last!]) thread.add(text);
    const [nodeOfText, sealed] = await ended(thread);
    expect([sealed.count, [...nodeOfText.pages[0]!.subarray(0, 3)]]).toEqual([3, [0, 1, 2]]);
    const read = readColumns(join(folder, 'nodes'), NODE_COLUMNS, sealed.files.nodes);
    expect(read.shingleCounts[1]).toBe(fingerprints.length);
    expect(sealed.bytes.records).toBeGreaterThan(fingerprints.length / 8);
  });

  it('begin to be written where few texts are long', async () => {
    const thread = new NodeThread(setupIn(temporaryFolder()));
    for (const digit of ['a', 'b', 'c']) {
      const fingerprints = Float64Array.from({ length: 7 * BATCH_DOUBLES }, (_, i) => i);
      const sample = wholeSample({ modulus: 1, fingerprints });
      thread.add({ lexicalDigest: '', shingleDigest: digit.repeat(32), shingleCount: fingerprints.length, sample });
    }
    await thread.room();
    expect(thread.bytes).toBeGreaterThan(0);
    const [nodeOfText] = await ended(thread);
    expect(nodeOfText.length).toBe(3);
  });

  it('are the same for samples of which not all is exact', async () => {
    const random = randomFrom(3);
    const sets = [600, 40, 3000, 100].map(
      (size) => new Set(Array.from({ length: size }, () => below(random, 2 ** 32) * 256 + below(random, 256))),
    );
    const all = sets.map(setContent);
    const [here, there] = [temporaryFolder(), temporaryFolder()];
    const thread = new NodeThread(setupIn(there));
    for (const text of all) thread.add(text);
    const [[, expected], [, found]] = [await writtenHere(here, all), await ended(thread)];
    const read = readColumns(join(there, 'nodes'), NODE_COLUMNS, found.files.nodes);
    expect([...read.shingleCounts]).toEqual(all.map(({ shingleCount }) => shingleCount));
    // what is posted whole is known as far as its postings
    expect([...read.recordBits]).toEqual(all.map(({ sample }) => (sample.bits === 40 ? POSTED_BITS : sample.bits)));
    expect(found.bytes).toEqual(expected.bytes);
  });

  it('are refused where their files cannot be made, by either thread', async () => {
    for (const count of [10, 12_000]) {
      const thread = new NodeThread(setupIn(join(temporaryFolder(), 'missing')));
      for (const text of texts(count)) thread.add(text);
      await expect(ended(thread)).rejects.toMatchObject({ code: 'storage-full' });
    }
  });

  it('say what is a fault of ours, and no want of memory', async () => {
    const thread = new NodeThread(setupIn(temporaryFolder()));
    for (const text of texts(12_000)) thread.add({ ...text, sample: { ...text.sample, modulus: Number.NaN } });
    await expect(ended(thread)).rejects.toMatchObject({ code: 'internal' });
  });

  it('leave nothing waiting where it is closed in the middle', async () => {
    const folder = temporaryFolder();
    const thread = new NodeThread(setupIn(folder));
    for (const text of texts(12_000)) thread.add(text);
    await thread.room();
    expect(existsSync(join(folder, 'postings'))).toBe(true);
    await thread.close();
    await expect(thread.room()).rejects.toMatchObject({ code: 'memory-short' });
  });

  it('are refused by a disk in the middle, and never sealed then', () => {
    const folder = temporaryFolder();
    const script = join(folder, 'fill.mjs');
    writeFileSync(script, FULL);
    const args = ['-c', 'ulimit -f 1024; exec "$0" "$1" "$2"', process.execPath, script, folder];
    const { stdout, status } = spawnSync('sh', args, { encoding: 'utf8' });
    expect([status, JSON.parse(stdout)]).toEqual([0, ['storage-full', 'storage-full', 'storage-full']]);
  });
});

/** Where files may grow to 512 KiB: what is said while there is more, and when it is to be sealed. */
const FULL = `
import { NodeThread } from ${JSON.stringify(new URL('../../../src/cluster/corpus/node-thread.ts', import.meta.url).href)};
const thread = new NodeThread({ folder: process.argv[1], by: 'resemblance', chunkEntries: 1024 });
const codeOf = async (work) => work().then(() => null, ({ code }) => code);
const fill = async () => {
  for (let number = 0; number < 1_000_000; number++) {
    const values = Float64Array.of((number % 256) * 2 ** 32);
    const sample = { modulus: 1, bits: 40, values, exactModulus: 1, exact: values };
    const shingleDigest = number.toString(16).padStart(8, '0') + '0'.repeat(24);
    thread.add({ shingleDigest, shingleCount: 1, sample });
    if (number % 1000 === 0) await thread.room();
  }
};
console.log(JSON.stringify([await codeOf(fill), await codeOf(() => thread.texts()), await codeOf(() => thread.seal())]));
await thread.close();
`;
