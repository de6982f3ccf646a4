import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  ofText,
  refused,
  type ServiceFixture,
} from '../../support/service/service-fixture.ts';

const DEADLINE_MS = 60;
const text = createTextMaker(89).text(300);
let fixture: ServiceFixture;
beforeEach(() => {
  let reads = 0;
  fixture = createServiceFixture({
    // both texts are there when the time is over, and the loop was too busy for a timer to say so
    wrapDocuments: (documents) => ({
      ...documents,
      isSmall: (input) => documents.isSmall(input),
      isReadApart: (bytes) => documents.isReadApart(bytes),
      process: async (...asked) => {
        const read = await documents.process(...asked);
        const until = performance.now() + DEADLINE_MS;
        if (++reads % 2 === 0) while (performance.now() < until);
        return read;
      },
    }),
  });
});
afterEach(() => fixture.close());

describe('two documents that were read just as the time was over', () => {
  it.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('are not compared any more (passages: %s, explain: %s)', async (passages, explain) => {
    const thresholds = { resemblance: 0.5, aInB: null, bInA: null };
    const asked = {
      a: ofText(`${text} and more`),
      b: ofText(text),
      thresholds,
      passages,
      explain,
      fetch: 'auto',
    } as const;
    await expect(fixture.service.compare({ ...asked, deadlineMs: DEADLINE_MS }, ALL)).rejects.toMatchObject(
      refused('deadline-exceeded', { limit: { name: 'deadlineMs', value: DEADLINE_MS } }),
    );
    const { resemblance } = await fixture.service.compare({ ...asked, deadlineMs: 20_000 }, ALL);
    expect(resemblance).toMatchObject({ decision: 'yes' });
  });
});
