import { expect, it } from 'vitest';
import type { RowReader } from '../../../../src/store/level/format/loaded-rows.ts';
import { type PendingWrite, Resolver } from '../../../../src/store/level/writing/resolver.ts';
import { RETENTION_DEFAULT } from '../../../../src/store/settings.ts';
import { TEST_DESCRIPTION, TEST_RANK_KEY } from '../../../support/store/level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from '../../../support/store/level-plans.ts';

it('are not waited for, one after the other, where a batch brings contents and copies of them', async () => {
  let reads = 0;
  const database: RowReader = {
    get: async () => undefined,
    getMany: async (keys) => {
      reads++;
      return keys.map(() => undefined);
    },
    keys: async () => [],
  };
  const settings = { rankKey: TEST_RANK_KEY, retention: RETENTION_DEFAULT };
  const resolver = new Resolver({ database, known: { mayHave: () => true }, description: TEST_DESCRIPTION, settings });
  const failures: unknown[] = [];
  const requests = Array.from({ length: 90 }, (_, i): PendingWrite => {
    const content = contentOf(i >> 1, fingerprintsOf(100 * (i >> 1), 30));
    const request = putPlan(`https://a.example/${i}`, content, 1000);
    return { request, resolve: () => undefined, reject: (error) => failures.push(error) };
  });
  const none = { nextContent: 7, sources: 0, contents: 0, postings: 0 };
  const first = await resolver.resolve(requests.slice(0, 60), none);
  for (const settle of first.settle) settle();
  // copies of what the batch before brings, too
  const copies = requests.map(({ request, ...settle }) => ({
    ...settle,
    request: { ...(request as ReturnType<typeof putPlan>), url: `${(request as { url: string }).url}/copy` },
  }));
  const second = await resolver.resolve([...requests.slice(60), ...copies], first.draft.totals, first.draft.rows);
  for (const settle of second.settle) settle();
  expect(failures).toEqual([]);
  expect(second.draft.totals).toMatchObject({ nextContent: 52, sources: 180, contents: 45 });
  expect(reads).toBeLessThanOrEqual(4);
});
