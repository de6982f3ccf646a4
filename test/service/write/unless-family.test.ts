import { expect, it, onTestFinished, vi } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { bulkOf, putUnless, resultOf } from '../../support/service/put-unless.ts';
import { createServiceFixture } from '../../support/service/service-fixture.ts';

const compared = vi.hoisted(() => ({ count: 0 }));
vi.mock('../../../src/core/compare/sample-comparer.ts', async (original) => {
  const real = await original<typeof import('../../../src/core/compare/sample-comparer.ts')>();
  function* sampleComparerSteps(...of: Parameters<typeof real.sampleComparerSteps>) {
    const compare = yield* real.sampleComparerSteps(...of);
    return (other: Parameters<typeof compare>[0]) => {
      compared.count++;
      return compare(other);
    };
  }
  return { ...real, sampleComparerSteps };
});

it('compares lines of one family with the one that stays, and not each with all others', async () => {
  const fixture = createServiceFixture();
  onTestFinished(() => fixture.close());
  const make = createTextMaker(90);
  const [text, other] = [make.text(60), make.text(60)];
  const lines = Array.from({ length: 400 }, (_, i) => putUnless(`urn:${i}`, i === 200 ? other : `${text} x${i}`));
  const answers = await bulkOf(fixture, lines);
  const created = answers.filter((answer) => resultOf(answer) === 'created').map(({ line }) => line);
  expect(created).toEqual([1, 201]);
  // the other text alone is held against all that are under way; and each once more against those of the next look
  expect(compared.count).toBeLessThan(400 * 10);
});
