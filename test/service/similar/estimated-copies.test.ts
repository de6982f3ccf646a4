import { describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { createServiceFixture, ofText } from '../../support/service/service-fixture.ts';

const make = createTextMaker(72);

describe('a thorough query that cannot read all', () => {
  it('estimates how many copies there are where its lists are cut', async () => {
    // 16 of a list are kept: of 200 each list has 8 %
    const fixture = createServiceFixture({ settings: { listPostingsMax: 1 } });
    const short = make.text(14);
    for (let i = 0; i < 200; i++) await fixture.put(`https://h${i}.example/`, `${short} ${make.text(10)}`);
    const thresholds = { resemblance: null, queryInMatch: 1, matchInQuery: null };
    const answer = await fixture.similar(ofText(short), { thresholds, limit: 1000, thorough: true });
    const found = answer.matchCount!;
    expect(found).toBeLessThan(150);
    // 10 lists of 16 of 200 find 1 - .92^10 = 57 %; two standard deviations of that are 12 %
    expect(answer.estimatedCopies).toBeGreaterThan(200 * 0.85);
    expect(answer.estimatedCopies).toBeLessThan(200 * 1.15);
    expect(answer.complete).toBe(false);
    expect(answer.limits).toEqual([{ code: 'capped-lists', affected: 10, of: 10 }]);
    await fixture.close();
  });

  it('estimates as many where those that it reads share most, and others are no copies', async () => {
    // 64 of each list are read, of 100 or 300: what has all shingles comes first, what has half of them is left out
    const limits = { candidatesMax: 5, copiesMax: 30 };
    const fixture = createServiceFixture({ settings: { listPostingsMax: 4 }, limits });
    const words = make.text(40).split(' ');
    const [whole, half] = [words.join(' '), words.slice(0, 23).join(' ')];
    for (let i = 0; i < 300; i++)
      await fixture.put(`https://h${i}.example/`, `${i % 3 ? half : whole} ${make.text(26)}`);
    const thresholds = { resemblance: null, queryInMatch: 0.9, matchInQuery: null };
    const answer = await fixture.similar(ofText(whole), { thresholds, limit: 1000, thorough: true });
    expect(answer).toMatchObject({ complete: false, matchCount: 30 });
    expect(answer.limits.find(({ code }) => code === 'candidates')!.affected).toBeGreaterThan(200);
    // all that is left out is looked at; what no list tells of is one in 10^8 of them
    expect(answer.estimatedCopies).toBe(100);
    await fixture.close();
  });
});
