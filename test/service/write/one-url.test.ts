import { expect, it } from 'vitest';
import type { BulkLine, BulkOperation } from '../../../src/service/api.ts';
import type { Service } from '../../../src/service/service.ts';
import type { Store } from '../../../src/store/port.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { ALL, createServiceFixture, putOf } from '../../support/service/service-fixture.ts';
import { withMethods } from '../../support/store/store-methods.ts';

const make = createTextMaker(60);
const withApply = (apply: (store: Store) => Store['apply']) => withMethods((store) => ({ apply: apply(store) }));

async function* linesOf(operations: readonly BulkOperation[]): AsyncGenerator<BulkLine> {
  for (const [at, operation] of operations.entries()) yield { line: at + 1, operation };
}
const bulk = (operations: readonly BulkOperation[], service: Service) =>
  Array.fromAsync(service.bulk(linesOf(operations), ALL));

it('has the versions of one URL written together, in their order, and lines that read it after them', async () => {
  let [underWay, most] = [0, 0];
  const watched = createServiceFixture({
    wrapStore: withApply((store) => async (plan, options) => {
      most = Math.max(most, ++underWay);
      const applied = store.apply(plan, options);
      await new Promise((resolve) => void setImmediate(resolve));
      underWay--;
      return applied;
    }),
  });
  const texts = Array.from({ length: 100 }, () => make.text(30));
  const versions = texts.map((text, at): BulkOperation => ({ op: 'put', ...putOf('urn:1', text), observedAt: at + 1 }));
  const same = { op: 'same', url: 'urn:2', as: 'urn:1', asAt: null, observedAt: null, httpStatus: null } as const;
  const answers = await bulk([...versions, same], watched.service);
  expect(answers.map(({ status }) => status)).toEqual([201, ...texts.slice(1).map(() => 200), 201]);
  expect(most).toBeGreaterThan(16);
  const page = { limit: 200, cursor: null };
  const told = await watched.service.versions('urn:1', page, ALL);
  expect(told.versions.map(({ observedAt }) => Date.parse(observedAt))).toEqual(texts.map((_, at) => 100 - at));
  expect((await watched.service.document('urn:2', page, ALL)).sources).toHaveLength(2);
  await watched.close();
});
