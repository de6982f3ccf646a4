import { describe, expect, it } from 'vitest';
import { Committer, type Pending } from '../../../../src/store/level/writing/committer.ts';

type Batch = readonly Pending<number, number>[];

/** A committer whose batches the test settles by hand. */
function committer({ queueMax = 100, batchMax = 3, idle = () => Promise.resolve() } = {}) {
  const batches: { numbers: number[]; settle: (leave?: number) => void }[] = [];
  const made = new Committer<number, number>({
    batchMax,
    queueMax,
    idle,
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
  const submit = (number: number, caller = 'somebody', roomWaitMs = 0) => made.submit(number, { caller, roomWaitMs });
  return { made, batches, submit };
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('the committer', () => {
  it('commits what waits together, in order, one batch at a time', async () => {
    const { made, batches, submit } = committer();
    const first = submit(1);
    await turn();
    const rest = [2, 3, 4, 5].map((number) => submit(number));
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

  it('lets a few gather while another batch is being written, and begins with many at once', async () => {
    let written = Promise.withResolvers<void>();
    const { batches, submit } = committer({ batchMax: 100, idle: () => written.promise });
    const all = [1, 2].map((number) => submit(number));
    await turn();
    expect(batches).toEqual([]);
    all.push(submit(3));
    written.resolve();
    await turn();
    written = Promise.withResolvers();
    batches[0]!.settle();
    all.push(...Array.from({ length: 31 }, (_, i) => submit(4 + i)));
    await turn();
    expect(batches).toHaveLength(1);
    all.push(submit(35), submit(36));
    await turn();
    batches[1]!.settle();
    await Promise.all(all);
    expect(batches.map(({ numbers }) => numbers.length)).toEqual([3, 33]);
  });

  it('takes what a batch had no room for into the next one, first', async () => {
    const { batches, submit } = committer();
    const all = [1, 2, 3, 4].map((number) => submit(number));
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

  it('takes one of each caller after the other, whoever has how many', async () => {
    const { made, batches, submit } = committer({ batchMax: 4 });
    const all = [submit(0, 'a')];
    await turn();
    all.push(...[1, 2, 3, 4, 5, 6].map((number) => submit(number, 'bulk')));
    all.push(submit(11, 'a'), submit(21, 'b'), submit(12, 'a'));
    for (let at = 0; at < 4; at++) {
      batches[at]!.settle(at === 1 ? 1 : 0);
      await turn();
    }
    await Promise.all(all);
    expect(batches.map(({ numbers }) => numbers)).toEqual([[0], [1, 11, 21, 2], [2, 12, 3, 4], [5, 6]]);
    expect([made.queued, made.queueAgeMs]).toEqual([0, 0]);
  });

  it('lets a caller fill half of the queue: there his next is refused, or waits its turn, and that of another is not', async () => {
    const { batches, submit } = committer({ queueMax: 4, batchMax: 1 });
    const inside = [submit(1)];
    await turn();
    inside.push(submit(2), submit(3));
    await expect(submit(4)).rejects.toMatchObject({
      code: 'write-queue-full',
      retryAfterS: 1,
      limit: { name: 'writeQueueMax', value: 4 },
    });
    await expect(submit(5, 'somebody', 5)).rejects.toMatchObject({ code: 'write-queue-full' });
    inside.push(submit(6, 'somebody', 60_000), submit(7, 'another'));
    for (let i = 0; i < 5; i++) {
      batches[i]!.settle();
      await turn();
    }
    expect(await Promise.all(inside)).toEqual([10, 20, 30, 60, 70]);
    expect(batches.map(({ numbers: [number] }) => number)).toEqual([1, 2, 7, 3, 6]);
  });

  it('settles on closing what was handed in before, and refuses the rest', async () => {
    const { made, batches, submit } = committer({ queueMax: 1, batchMax: 1 });
    const first = submit(1);
    await turn();
    const second = submit(2);
    const waiting = expect(submit(3, 'somebody', 60_000)).rejects.toMatchObject({ code: 'draining' });
    const closed = made.close();
    await waiting;
    await expect(submit(4)).rejects.toMatchObject({ code: 'draining' });
    batches[0]!.settle();
    await turn();
    batches[1]!.settle();
    await closed;
    expect(await Promise.all([first, second])).toEqual([10, 20]);
  });
});
