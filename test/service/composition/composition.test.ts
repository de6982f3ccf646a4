import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_COMPOSITION_OPTIONS } from '../../../src/service/composition/composition.ts';
import type { CompositionAnswer, CompositionOptions } from '../../../src/service/composition/composition-shapes.ts';
import type { CandidateQuery, Store } from '../../../src/store/port.ts';
import { greedyCover } from '../../support/core/greedy-cover.ts';
import { createTextMaker, shingleSet } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  type FixtureOptions,
  ofText,
  ofUrl,
  READ_ONLY,
  refused,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../../support/service/service-fixture.ts';

const LATER: Partial<CompositionOptions> = { deadlineMs: 60_000 };

const asked =
  (fixture: ServiceFixture) =>
  (text: string, more: Partial<CompositionOptions> = {}) =>
    fixture.service.compose(ofText(text), { ...DEFAULT_COMPOSITION_OPTIONS, ...LATER, ...more }, ALL);

async function fixtureWith(texts: Readonly<Record<string, string>>, options: FixtureOptions = {}) {
  const fixture = createServiceFixture(options);
  onTestFinished(() => fixture.close());
  for (const [url, text] of Object.entries(texts)) await fixture.put(url, text);
  return { fixture, compose: asked(fixture) };
}

const urlsOf = ({ parts }: CompositionAnswer) => parts.map(({ sources }) => sources[0]!.url);
const sumOf = ({ parts, unexplained }: CompositionAnswer) =>
  parts.reduce((sum, { unique }) => sum + unique.estimate, unexplained.estimate);
const WHOLE = { description: { indexModulusMax: 1, recordModulusMax: 1 } } as const;

const make = createTextMaker(5);
const [long, other, own] = [make.text(4000), make.text(300), make.text(600)];
const some = (text: string, from: number, words: number) =>
  text
    .split(' ')
    .slice(from, from + words)
    .join(' ');

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

  it('says whose each passage is, by its characters, with a link into it', async () => {
    const text = mosaic.replace(' ', ' 薔薇 🌹 ');
    const { passages, parts } = await compose(text);
    expect(passages!.length).toBeGreaterThanOrEqual(2);
    for (const { start, end, part, text: words, link } of passages!) {
      const quoted = [...text].slice(start, end).join('');
      const [head = '', tail = ''] = words.split(' … ');
      expect(quoted.startsWith(head) && quoted.endsWith(tail)).toBe(true);
      expect(link).toContain(`${parts[part]!.sources[0]!.url}#:~:text=`);
    }
    const [first] = passages!;
    expect([...text].slice(first!.start, first!.end).join('')).toContain(some(long, 120, 400));
  });

  it('leaves out what the caller does not want, and goes on with what is left', async () => {
    const answer = await compose(mosaic, { exclude: { hosts: ['a.example'], urls: ['https://b.example/other'] } });
    expect(urlsOf(answer)).toEqual(['https://c.example/mirror']);
    const itself = await fixture.service.compose(
      { ...ofText(other, 'https://b.example/other') },
      { ...DEFAULT_COMPOSITION_OPTIONS, ...LATER, exclude: { hosts: ['c.example'], urls: [] } },
      ALL,
    );
    expect(itself).toMatchObject({ parts: [], unexplained: { estimate: 1, low: 1, high: 1 }, passages: [] });
  });

  it('is told of a URL that only the index knows, without passages', async () => {
    const answer = await fixture.service.compose(
      ofUrl('https://b.example/other'),
      { ...DEFAULT_COMPOSITION_OPTIONS, ...LATER },
      READ_ONLY,
    );
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
  }, 60_000);

  it('is exact where the parts are short, though a long page is among what shares something', async () => {
    const text = `${some(other, 0, 200)} ${some(long, 0, 6)}`;
    const { compose } = await fixtureWith({ 'https://a.example/long': long, 'https://b.example/short': other });
    const { parts } = await compose(text);
    expect(parts).toHaveLength(1);
    expect(parts[0]!.share.high - parts[0]!.share.low).toBeLessThan(2e-6);
  });

  it('comes upon what hides behind more copies of another part than are read', async () => {
    const maker = createTextMaker(77);
    const [page, second] = [maker.text(400), maker.text(400)];
    const texts: Record<string, string> = { 'https://z.example/second': second };
    for (let copy = 0; copy < 40; copy++) texts[`https://a.example/${copy}`] = maker.changed(page, 0.01);
    const { compose } = await fixtureWith(texts, { limits: { candidatesMax: 8 } });
    const answer = await compose(`${some(page, 0, 300)} ${some(second, 50, 60)}`, { minimumShare: 0.1 });
    expect(urlsOf(answer)).toContain('https://z.example/second');
  });

  it('says what a limit may have cost', async () => {
    const maker = createTextMaker(78);
    const texts: Record<string, string> = {};
    const pages = Array.from({ length: 30 }, () => maker.text(100));
    for (const [i, page] of pages.entries()) texts[`https://a.example/${i}`] = page;
    const { compose } = await fixtureWith(texts, { limits: { candidatesMax: 2 } });
    const answer = await compose(pages.map((page) => some(page, 0, 50)).join(' '), { limit: 100 });
    expect(answer.complete).toBe(false);
    expect(answer.limits).toContainEqual({ code: 'candidates', affected: expect.any(Number), of: expect.any(Number) });
    expect(answer.recall.share).toBeLessThan(0.5);
  });
});

describe('quotations', () => {
  it('are found in a text of any length, from short and from long contents', async () => {
    const { compose } = await fixtureWith({
      'https://a.example/long': long,
      'https://b.example/short': some(other, 0, 40),
    });
    const text = createTextMaker(9).text(40_000).split(' ');
    text.splice(30_000, 0, some(long, 2000, 60));
    text.splice(3000, 0, some(other, 5, 30));
    const whole = text.join(' ');
    const answer = await compose(whole, { find: 'quotations' });
    expect(urlsOf(answer).toSorted()).toEqual(['https://a.example/long', 'https://b.example/short']);
    expect(answer).toMatchObject({ complete: true, limits: [], recall: { share: null } });
    for (const { start, end, part } of answer.passages!) {
      const quoted = whole.slice(start, end);
      expect((urlsOf(answer)[part] === 'https://a.example/long' ? long : other).includes(quoted)).toBe(true);
    }
    // by shares it is too little of it
    expect((await compose(whole)).parts).toEqual([]);
  });

  it('are no shorter than was asked for', async () => {
    const { compose } = await fixtureWith({ 'https://b.example/': other });
    const text = `${some(own, 0, 50)} ${some(other, 0, 30)} ${some(own, 50, 50)}`;
    expect((await compose(text, { find: 'quotations', minimumWords: 30 })).parts).toHaveLength(1);
    expect((await compose(text, { find: 'quotations', minimumWords: 31 })).parts).toEqual([]);
  });

  it('are told by shares where only the index knows the text', async () => {
    const { fixture } = await fixtureWith({
      'https://b.example/': other,
      'https://c.example/': `${some(own, 0, 100)} ${some(other, 0, 60)}`,
    });
    const options = { ...DEFAULT_COMPOSITION_OPTIONS, ...LATER, find: 'quotations' } as const;
    const answer = await fixture.service.compose(ofUrl('https://c.example/'), options, READ_ONLY);
    expect(urlsOf(answer)).toEqual(['https://b.example/']);
    expect(answer.limits).toEqual([{ code: 'passages-need-text', affected: 1, of: 1 }]);
  });

  it('say how much of the text the deadline left out', async () => {
    let asked = 0;
    const never = () => new Promise<never>(() => {});
    const { compose } = await fixtureWith(
      { 'https://b.example/': other },
      {
        wrapStore: (store) =>
          Object.assign(Object.create(store) as Store, {
            candidates: (query: CandidateQuery) => (asked++ === 0 ? store.candidates(query) : never()),
          }),
      },
    );
    const text = `${some(other, 0, 50)} ${createTextMaker(10).text(20_000)}`;
    const answer = await compose(text, { find: 'quotations', deadlineMs: 2000 });
    expect(asked).toBe(2);
    expect(urlsOf(answer)).toEqual(['https://b.example/']);
    expect(answer).toMatchObject({ complete: false, recall: { words: 0 } });
    expect(answer.limits).toEqual([{ code: 'deadline', affected: expect.any(Number), of: expect.any(Number) }]);
    expect(answer.limits[0]!.affected).toBeGreaterThan(5);
  });
});

describe('hostile texts', () => {
  it.each([
    ['nothing', ''],
    ['no word', '… — !!!'],
  ])('of %s are refused', async (_what, text) => {
    const { compose } = await fixtureWith({});
    await expect(compose(text)).rejects.toMatchObject(refused('empty-document'));
  });

  it.each(['sources', 'quotations'] as const)(
    'of one word, and of one word again and again, have their %s',
    async (find) => {
      const { compose } = await fixtureWith({
        'https://a.example/': 'rose',
        'https://b.example/': 'rose '.repeat(500),
      });
      const one = await compose('Rose', { find });
      expect(sumOf(one)).toBeCloseTo(1, 5);
      if (find === 'sources') expect(urlsOf(one)).toEqual(['https://a.example/']);
      const many = await compose('rose '.repeat(30_000), { find });
      expect(urlsOf(many)).toEqual(['https://b.example/']);
      expect(many.passages).toMatchObject([{ start: 0, end: 30_000 * 5 - 1, part: 0 }]);
    },
  );

  it('whose every shingle is in more documents than a list shows, are explained by one of them', async () => {
    const maker = createTextMaker(4);
    const common = maker.text(120);
    const texts: Record<string, string> = {};
    for (let page = 0; page < 60; page++) texts[`https://a.example/${page}`] = `${common} ${maker.text(20)}`;
    const { compose } = await fixtureWith(texts, { settings: { listPostingsMax: 10 } });
    for (const find of ['sources', 'quotations'] as const) {
      const answer = await compose(common, { find });
      expect(answer.parts).toHaveLength(1);
      expect(answer.parts[0]!.share.estimate).toBe(1);
      expect(answer.limits).toContainEqual({
        code: 'capped-lists',
        affected: expect.any(Number),
        of: expect.any(Number),
      });
    }
  });
});
