import { describe, expect, it } from 'vitest';
import type { LevelDatabase } from '../../../../src/store/level/database/level-handle.ts';
import { pageKey, pageOfKey } from '../../../../src/store/level/format/keys.ts';
import { ContentTable, PAGE_CONTENTS, sealPage } from '../../../../src/store/level/segments/content-table.ts';
import { openPostings, type Postings } from './posting-fixture.ts';

/* Pages of shingle counts (rows z) are of contents that segments hold, of all of them and of no others. */

const SETTINGS = { rankKey: [3, 5], listPostingsMax: 4 } as const;
const digestOf = (content: number) => 2 ** 39 + content * 2 ** 20;
/** More than make a page be written anew. */
const DEATHS = 300;

const fingerprintsOf = (content: number) => Float64Array.of(1000 + content * 2 ** 20);

async function fill(index: Postings, from: number, to: number): Promise<Map<number, Float64Array>> {
  const contents = new Map<number, Float64Array>();
  for (let content = from; content < to; content++) {
    contents.set(content, fingerprintsOf(content));
    await index.add(content, fingerprintsOf(content), digestOf(content));
  }
  return contents;
}

async function forget(index: Postings, contents: Map<number, Float64Array>, from: number): Promise<void> {
  for (let content = from; content < from + DEATHS; content++) {
    await index.remove(content);
    contents.delete(content);
  }
}

async function pages(index: Postings): Promise<number[]> {
  const keys = await index.database.read((level: LevelDatabase) => level.keys({ gte: 'z', lt: 'z\u0080' }).all());
  return keys.map(pageOfKey);
}

async function expectAll(index: Postings, contents: ReadonlyMap<number, Float64Array>, last: number): Promise<void> {
  const keys = Float64Array.from({ length: last }, (_, content) => fingerprintsOf(content)[0]!);
  const { lists } = await index.lists(keys);
  const found = lists.flatMap(({ contents: holders }) => [...holders]);
  expect(found.sort((a, b) => a - b)).toEqual([...contents.keys()].sort((a, b) => a - b));
}

describe('shingle counts', () => {
  it('of contents in memory are not written, however many are forgotten: it opens again after a kill', async () => {
    const index = await openPostings(SETTINGS);
    const last = PAGE_CONTENTS + 400;
    const contents = await fill(index, 0, last);
    // on the second page, while there is none before it
    await forget(index, contents, PAGE_CONTENTS + 10);
    await index.reopen(false, contents, digestOf);
    expect(await pages(index)).toEqual([]);
    await expectAll(index, contents, last);
    await index.compact();
    expect([await pages(index), index.stats().forgotten]).toEqual([[0, 1], 0]);
    await index.reopen(false, contents, digestOf);
    await expectAll(index, contents, last);
    await index.close();
  });

  it('are written of the pages that segments reach, also when what is in memory lies on the last of them', async () => {
    const index = await openPostings(SETTINGS);
    const contents = await fill(index, 0, 20);
    await index.compact();
    for (const [content, fingerprints] of await fill(index, 20, PAGE_CONTENTS + 400))
      contents.set(content, fingerprints);
    await forget(index, contents, 100);
    await forget(index, contents, PAGE_CONTENTS + 10);
    // begun beside the removals
    await index.suspend();
    expect([await pages(index), index.stats().forgotten < 2 * DEATHS]).toEqual([[0], true]);
    index.resume();
    await index.reopen(false, contents, digestOf);
    await expectAll(index, contents, PAGE_CONTENTS + 400);
    await index.compact();
    expect([await pages(index), index.stats().forgotten]).toEqual([[0, 1], 0]);
    await index.close();
  });

  it('that an older version wrote of contents in memory count for nothing, until they are flushed', async () => {
    const index = await openPostings(SETTINGS);
    const contents = await fill(index, 0, PAGE_CONTENTS + 20);
    const stale = new ContentTable();
    stale.set(PAGE_CONTENTS + 3, 0);
    await index.database.write('rows', [[pageKey(1), sealPage(stale, 1)]]);
    await index.reopen(false, contents, digestOf);
    await expectAll(index, contents, PAGE_CONTENTS + 20);
    await index.compact();
    await index.reopen(false, contents, digestOf);
    await expectAll(index, contents, PAGE_CONTENTS + 20);
    await index.close();
  });
});
