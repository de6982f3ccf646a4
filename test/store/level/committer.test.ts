import { describe, expect, it } from 'vitest';
import { Committer, type Pending } from '../../../src/store/level/committer.ts';

type Batch = readonly Pending<number, number>[];

/** A committer whose batches the test settles by hand. */
function committer({ queueMax = 100, batchMax = 3 } = {}) {
  const batches: { numbers: number[]; settle: (leave?: number) => void }[] = [];
  const made = new Committer<number, number>({
    batchMax,
    queueMax,
    commit: (batch: Batch) =>
      new Promise((resolve) => {
        const settle = (leave = 0) => {
          const taken = batch.length - leave;
          for (const { request, resolve: acknowledge } of batch.slice(0, taken)) acknowledge(request * 10);
          resolve(batch.slice(taken));
        };
        batches.push({ numbers: batch.map(({ request }) => request), settle });
      }),
  });
  return { made, batches };
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('the committer', () => {
  it('commits what waits together, in order, one batch at a time', async () => {
    const { made, batches } = committer();
    const first = made.submit(1);
    await turn();
    const rest = [2, 3, 4, 5].map((number) => made.submit(number));
    await turn();
    expect(batches.map(({ numbers }) => numbers)).toEqual([[1]]);
    expect(made.queued).toBe(4);
    expect(made.queueAgeMs).toBeGreaterThan(0);
    batches[0]!.settle();
    await turn();
    batches[1]!.settle();
    await turn();
    batches[2]!.settle();
    expect(await Promise.all([first, ...rest])).toEqual([10, 20, 30, 40, 50]);
    expect(batches.map(({ numbers }) => numbers)).toEqual([[1], [2, 3, 4], [5]]);
    expect([made.queued, made.queueAgeMs]).toEqual([0, 0]);
  });

  it('takes what a batch had no room for into the next one, first', async () => {
    const { made, batches } = committer();
    const all = [1, 2, 3, 4].map((number) => made.submit(number));
    await turn();
    batches[0]!.settle(2);
    await turn();
    batches[1]!.settle();
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40]);
    expect(batches.map(({ numbers }) => numbers)).toEqual([
      [1, 2, 3],
      [2, 3, 4],
    ]);
  });

  it('refuses what a full queue has no room for, or lets it wait its turn', async () => {
    const { made, batches } = committer({ queueMax: 2, batchMax: 1 });
    const inside = [1, 2, 3].map((number, i) =>
      i === 0 ? made.submit(number) : turn().then(() => made.submit(number)),
    );
    await turn();
    await turn();
    await expect(made.submit(4)).rejects.toMatchObject({
      code: 'write-queue-full',
      retryAfterS: 1,
      limit: { name: 'writeQueueMax', value: 2 },
    });
    await expect(made.submit(5, 5)).rejects.toMatchObject({ code: 'write-queue-full' });
    const waiting = made.submit(6, 60_000);
    for (let i = 0; i < 4; i++) {
      batches[i]!.settle();
      await turn();
    }
    expect(await Promise.all([...inside, waiting])).toEqual([10, 20, 30, 60]);
  });

  it('settles on closing what was handed in before, and refuses the rest', async () => {
    const { made, batches } = committer({ queueMax: 1, batchMax: 1 });
    const first = made.submit(1);
    await turn();
    const second = made.submit(2);
    const waiting = expect(made.submit(3, 60_000)).rejects.toMatchObject({ code: 'draining' });
    const closed = made.close();
    await waiting;
    await expect(made.submit(4)).rejects.toMatchObject({ code: 'draining' });
    batches[0]!.settle();
    await turn();
    batches[1]!.settle();
    await closed;
    expect(await Promise.all([first, second])).toEqual([10, 20]);
  });
});
