import { describe, expect, it } from 'vitest';
import { postedKey } from '../../../../src/core/query/posted-key.ts';
import { deathKey } from '../../../../src/store/level/format/keys.ts';
import { openPostings, type Postings } from './posting-fixture.ts';

const digestOf = (content: number) => postedKey(1_000_000 + content);

const openSmall = () => openPostings({ rankKey: [3, 5], listPostingsMax: 1000, flushContents: 8, idleMs: 1e9 });

async function fill(index: Postings, from: number, to: number): Promise<void> {
  for (let content = from; content < to; content++) {
    await index.add(content, Float64Array.of(content % 7), digestOf(content));
  }
}

/** Postings of these contents that rows of the index hold. */
async function found(index: Postings, contents: readonly number[]): Promise<number[]> {
  const { lists } = await index.lists(Float64Array.from(contents, digestOf));
  return lists.flatMap((list) => [...list.contents]);
}

describe('merges', () => {
  it('keep segments few while so much comes that there is always a tail to flush', async () => {
    const index = await openSmall();
    let most = 0;
    for (let next = 0; next < 1_200; next += 16) {
      await fill(index, next, next + 16);
      most = Math.max(most, index.stats().segments);
    }
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThan(40);
    await index.close();
  });
});

describe('a compaction', () => {
  it('ends while so much comes that there is always a tail to flush', async () => {
    const index = await openSmall();
    await fill(index, 0, 60);
    let next = 60;
    let isDone = false;
    const compaction = index.compact().finally(() => (isDone = true));
    // room is there when two tails are left, and that is taken before the next step is chosen
    for (; !isDone && next < 20_000; next += 16) await fill(index, next, next + 16);
    expect(isDone).toBe(true);
    await compaction;
    expect(await found(index, [0, 59, next - 1])).toEqual([0, 59, next - 1]);
    await index.close();
  });

  it('leaves nothing of what was forgotten before it, while as much is forgotten without a pause', async () => {
    const index = await openSmall();
    await fill(index, 0, 120);
    const dead = [0, 7, 8, 60, 110, 119];
    for (const content of dead) await index.remove(content);
    let isDone = false;
    const compaction = index.compact().finally(() => (isDone = true));
    for (let next = 120; !isDone && next < 50_000; next++) {
      await fill(index, next, next + 1);
      await index.remove(next);
    }
    expect(isDone).toBe(true);
    await compaction;
    const rows = await index.database.read((level) => level.keys({ gte: 'd', lt: 'd\u0080' }).all());
    expect(rows.filter((key) => dead.some((content) => key === deathKey(content)))).toEqual([]);
    await index.close();
  });
});
