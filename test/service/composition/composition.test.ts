import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shingleSet } from '../../support/core/make-documents.ts';
import { asked, COMPOSED, long, other, own, some, sumOf, urlsOf } from '../../support/service/composition-fixture.ts';
import {
  ALL,
  createServiceFixture,
  ofText,
  ofUrl,
  READ_ONLY,
  refused,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../../support/service/service-fixture.ts';

describe('what a text is made of', () => {
  let fixture: ServiceFixture;
  let compose: ReturnType<typeof asked>;
  beforeAll(async () => {
    fixture = createServiceFixture();
    compose = asked(fixture);
    await fixture.put('https://a.example/long', long);
    await fixture.put('https://b.example/other', other);
    await fixture.put('https://c.example/mirror', other);
  });
  afterAll(() => fixture.close());

  const mosaic = [some(own, 0, 200), some(long, 100, 500), some(own, 200, 100), some(other, 10, 200)].join(' ');

  it('is its parts with their shares, the largest first, and what nothing explains', async () => {
    const answer = await compose(mosaic);
    expect(urlsOf(answer)).toEqual(['https://a.example/long', 'https://b.example/other']);
    expect(answer.parts[1]).toMatchObject({ sourceCount: 2, shingles: shingleSet(other, SHINGLE_SIZE).size });
    for (const [share, words] of [
      [answer.parts[0]!.share, 500],
      [answer.parts[1]!.share, 200],
      [answer.unexplained, 300],
    ] as const) {
      expect(share.low).toBeLessThanOrEqual(words / 1000 + 0.012);
      expect(share.high).toBeGreaterThanOrEqual(words / 1000 - 0.012);
      expect(Math.abs(share.estimate - words / 1000)).toBeLessThan(0.08);
    }
    expect(sumOf(answer)).toBeCloseTo(1, 5);
    expect(answer).toMatchObject({ more: false, complete: true, limits: [] });
    expect(answer.recall.words).toBeNull();
  });

  it('says whose each passage is, by its place, with a link into it', async () => {
    const text = mosaic.replace(' ', ' 薔薇 🌹 ');
    const { passages, parts } = await compose(text);
    expect(passages!.length).toBeGreaterThanOrEqual(2);
    for (const { from, to, part, text: words, link } of passages!) {
      const quoted = text.slice(from, to);
      const [head = '', tail = ''] = words.split(' … ');
      expect(quoted.startsWith(head) && quoted.endsWith(tail)).toBe(true);
      expect(link).toContain(`${parts[part]!.sources[0]!.url}#:~:text=`);
    }
    const [first] = passages!;
    expect(text.slice(first!.from, first!.to)).toContain(some(long, 120, 400));
  });

  it('leaves out what the caller does not want, and goes on with what is left', async () => {
    const answer = await compose(mosaic, { exclude: { hosts: ['a.example'], urls: ['https://b.example/other'] } });
    expect(urlsOf(answer)).toEqual(['https://c.example/mirror']);
    const itself = await fixture.service.compose(
      { ...ofText(other, 'https://b.example/other') },
      { ...COMPOSED, exclude: { hosts: ['c.example'], urls: [] } },
      ALL,
    );
    expect(itself).toMatchObject({ parts: [], unexplained: { estimate: 1, low: 1, high: 1 }, passages: [] });
  });

  it('is told of a URL that only the index knows, without passages', async () => {
    const answer = await fixture.service.compose(ofUrl('https://b.example/other'), COMPOSED, READ_ONLY);
    expect(urlsOf(answer)).toEqual(['https://c.example/mirror']);
    expect(answer.parts[0]!.share).toEqual({ estimate: 1, low: 1, high: 1 });
    expect(answer).not.toHaveProperty('passages');
    expect(answer.limits).toEqual([{ code: 'passages-need-text', affected: 1, of: 1 }]);
  });

  it('stops at the limit, and says that there is more', async () => {
    expect(await compose(mosaic, { limit: 1 })).toMatchObject({ parts: [{}], more: true });
    expect(await compose(mosaic, { minimumShare: 0.4 })).toMatchObject({ parts: [{}], more: false });
  });

  it.each([
    ['limit', { limit: 101 }],
    ['minimumShare', { minimumShare: 0 }],
    ['minimumWords', { minimumWords: 7 }],
    ['sourcesPerPart', { sourcesPerPart: 0 }],
    ['deadlineMs', { deadlineMs: 0 }],
    ['include', { include: [] }],
  ])('refuses a wrong %s', async (field, wrong) => {
    await expect(compose(mosaic, wrong)).rejects.toMatchObject(refused('invalid-request', { field }));
  });
});
