import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CandidateQuery, Store } from '../../../src/store/port.ts';
import { greedyCover } from '../../support/core/greedy-cover.ts';
import { createTextMaker, shingleSet } from '../../support/core/make-documents.ts';
import { asked, indexOf, long, other, some, sumOf, urlsOf } from '../../support/service/composition-fixture.ts';
import { createServiceFixture, SHINGLE_SIZE } from '../../support/service/service-fixture.ts';

const WHOLE = { description: { indexModulusMax: 1, recordModulusMax: 1 } } as const;

describe('the cover', () => {
  /** Texts of few words, so that they share much, with passages of one another. */
  const index = fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 8 }).map((seeds) => {
    const texts: string[] = [];
    for (const seed of seeds) {
      const maker = createTextMaker(seed);
      const before = texts[maker.prng.below(texts.length + 1)];
      const taken = before === undefined ? '' : some(before, maker.prng.below(30), 10 + maker.prng.below(60));
      texts.push(`${maker.text(5 + maker.prng.below(60))} ${taken}`.trim());
    }
    return texts;
  });

  it('is that of brute force on whole sets, where every modulus is 1: parts, order and shares', async () => {
    await fc.assert(
      fc.asyncProperty(index, fc.nat({ max: 1e6 }), async (texts, seed) => {
        const maker = createTextMaker(seed);
        const pieces = texts.map((text) => some(text, maker.prng.below(20), maker.prng.below(60)));
        const text = [...pieces, maker.text(1 + maker.prng.below(30))].filter((piece) => piece !== '').join(' ');
        const fixture = createServiceFixture(WHOLE);
        try {
          const contents = new Map<string, ReadonlySet<string>>();
          const urls = new Map<string, string>();
          for (const [i, one] of texts.entries()) {
            const { content } = await fixture.put(`https://a.example/${i}`, one);
            contents.set(content!.id, shingleSet(one, SHINGLE_SIZE));
            urls.set(content!.id, urls.get(content!.id) ?? `https://a.example/${i}`);
          }
          const whole = shingleSet(text, SHINGLE_SIZE);
          const least = Math.ceil(0.02 * whole.size - 1e-9);
          const { steps, rest } = greedyCover(whole, contents, least);
          const answer = await asked(fixture)(text, { limit: 100, passages: false });
          const exactly = (share: number) => expect.closeTo(share, 5);
          expect(
            answer.parts.map(({ sources, share, unique }) => [sources[0]!.url, share.estimate, unique.estimate]),
          ).toEqual(
            steps.map(({ id, whole: all, gain }) => [
              urls.get(id),
              exactly(all / whole.size),
              exactly(gain / whole.size),
            ]),
          );
          expect(answer.unexplained.estimate).toEqual(exactly(rest / whole.size));
          for (const { share } of answer.parts) expect(share.high - share.low).toBeLessThan(2e-6);
          expect(sumOf(answer)).toBeCloseTo(1, 5);
          expect(answer).toMatchObject({ complete: true, limits: [], recall: { share: 1 } });
        } finally {
          await fixture.close();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is exact where the parts are short, though a long page is among what shares something', async () => {
    const text = `${some(other, 0, 200)} ${some(long, 0, 6)}`;
    const { compose } = await indexOf({ 'https://a.example/long': long, 'https://b.example/short': other });
    const { parts } = await compose(text);
    expect(parts).toHaveLength(1);
    expect(parts[0]!.share.high - parts[0]!.share.low).toBeLessThan(2e-6);
  });

  it('comes upon what hides behind more copies of another part than are read', async () => {
    const maker = createTextMaker(77);
    const [page, second] = [maker.text(400), maker.text(400)];
    const texts: Record<string, string> = { 'https://z.example/second': second };
    for (let copy = 0; copy < 40; copy++) texts[`https://a.example/${copy}`] = maker.changed(page, 0.01);
    const { compose } = await indexOf(texts, { limits: { candidatesMax: 8 } });
    const answer = await compose(`${some(page, 0, 300)} ${some(second, 50, 60)}`, { minimumShare: 0.1 });
    expect(urlsOf(answer)).toContain('https://z.example/second');
  });

  it('is what was found by then where the deadline comes before copies were looked behind', async () => {
    const maker = createTextMaker(79);
    const page = maker.text(400);
    const texts: Record<string, string> = {};
    for (let copy = 0; copy < 40; copy++) texts[`https://a.example/${copy}`] = maker.changed(page, 0.01);
    let asked = 0;
    const { compose } = await indexOf(texts, {
      limits: { candidatesMax: 8 },
      wrapStore: (store) =>
        Object.assign(Object.create(store) as Store, {
          candidates: (query: CandidateQuery) =>
            asked++ === 0 ? store.candidates(query) : new Promise<never>(() => {}),
        }),
    });
    const answer = await compose(`${some(page, 0, 300)} ${maker.text(100)}`, { minimumShare: 0.1, deadlineMs: 1500 });
    expect(asked).toBe(2);
    expect(answer.parts.length).toBeGreaterThan(0);
    expect(answer).toMatchObject({ complete: false, recall: { share: 0 }, limits: [{ code: 'deadline' }] });
  });

  it('says what a limit may have cost', async () => {
    const maker = createTextMaker(78);
    const texts: Record<string, string> = {};
    const pages = Array.from({ length: 30 }, () => maker.text(100));
    for (const [i, page] of pages.entries()) texts[`https://a.example/${i}`] = page;
    const { compose } = await indexOf(texts, { limits: { candidatesMax: 2 } });
    const answer = await compose(pages.map((page) => some(page, 0, 50)).join(' '), { limit: 100 });
    expect(answer.complete).toBe(false);
    expect(answer.limits).toContainEqual({ code: 'candidates', affected: expect.any(Number), of: expect.any(Number) });
    expect(answer.recall.share).toBeLessThan(0.5);
  });
});
