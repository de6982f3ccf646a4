import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AnchoredRuns } from '../../../src/core/differences/anchored-runs.ts';
import { Deadline } from '../../../src/sharing/deadline.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { ALL, createServiceFixture, ofText, type ServiceFixture } from '../../support/service/service-fixture.ts';

let fixture: ServiceFixture;
beforeEach(() => {
  fixture = createServiceFixture();
  // the time is over as soon as differences are looked for
  const asked = vi.spyOn(Deadline.prototype, 'throwIfGivenUp');
  vi.spyOn(AnchoredRuns.prototype, 'find').mockImplementation(function* () {
    (asked.mock.contexts.at(-1) as Deadline).end();
    yield;
    return [];
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await fixture.close();
});

it('an explanation is told though there is no time left for differences, and that is said', async () => {
  const text = createTextMaker(83).text(300);
  const thresholds = { resemblance: 0.5, aInB: null, bInA: null };
  const wishes = { passages: false, fetch: 'auto', deadlineMs: 10_000, differences: true, explain: true } as const;
  await fixture.put('https://a.example/text', text);
  const asked = { a: ofText(`${text} and more`), b: ofText(text), thresholds, ...wishes };
  const { explanation, limits } = await fixture.service.compare(asked, ALL);
  expect(explanation!.asked).toMatchObject({ found: true, rank: 1 });
  expect(limits).toEqual([{ code: 'deadline', affected: 2, of: 2 }]);
});
