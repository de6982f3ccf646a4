import { describe, expect, it } from 'vitest';
import type { CandidateQuery, Store } from '../../../src/store/port.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { COMPOSED, indexOf, long, other, own, some, sumOf, urlsOf } from '../../support/service/composition-fixture.ts';
import { ofUrl, READ_ONLY, refused } from '../../support/service/service-fixture.ts';

describe('quotations', () => {
  it('are found in a text of any length, from short and from long contents', async () => {
    const { compose } = await indexOf({
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
    for (const { from, to, part } of answer.passages!) {
      const quoted = whole.slice(from, to);
      expect((urlsOf(answer)[part] === 'https://a.example/long' ? long : other).includes(quoted)).toBe(true);
    }
    // by shares it is too little of it
    expect((await compose(whole)).parts).toEqual([]);
  });

  it('are no shorter than was asked for', async () => {
    const { compose } = await indexOf({ 'https://b.example/': other });
    const text = `${some(own, 0, 50)} ${some(other, 0, 30)} ${some(own, 50, 50)}`;
    expect((await compose(text, { find: 'quotations', minimumWords: 30 })).parts).toHaveLength(1);
    expect((await compose(text, { find: 'quotations', minimumWords: 31 })).parts).toEqual([]);
  });

  it('are told by shares where only the index knows the text', async () => {
    const { fixture } = await indexOf({
      'https://b.example/': other,
      'https://c.example/': `${some(own, 0, 100)} ${some(other, 0, 60)}`,
    });
    const options = { ...COMPOSED, find: 'quotations' } as const;
    const answer = await fixture.service.compose(ofUrl('https://c.example/'), options, READ_ONLY);
    expect(urlsOf(answer)).toEqual(['https://b.example/']);
    expect(answer.limits).toEqual([{ code: 'passages-need-text', affected: 1, of: 1 }]);
  });

  it('say how much of the text the deadline left out', async () => {
    let asked = 0;
    const never = () => new Promise<never>(() => {});
    const { compose } = await indexOf(
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
    const { compose } = await indexOf({});
    await expect(compose(text)).rejects.toMatchObject(refused('empty-document'));
  });

  it.each(['sources', 'quotations'] as const)(
    'of one word, and of one word again and again, have their %s',
    async (find) => {
      const { compose } = await indexOf({
        'https://a.example/': 'rose',
        'https://b.example/': 'rose '.repeat(500),
      });
      const one = await compose('Rose', { find });
      expect(sumOf(one)).toBeCloseTo(1, 5);
      if (find === 'sources') expect(urlsOf(one)).toEqual(['https://a.example/']);
      const many = await compose('rose '.repeat(30_000), { find });
      expect(urlsOf(many)).toEqual(['https://b.example/']);
      expect(many.passages).toMatchObject([{ from: 0, to: 30_000 * 5 - 1, part: 0 }]);
    },
  );

  it('whose every shingle is in more documents than a list shows, are explained by one of them', async () => {
    const maker = createTextMaker(4);
    const common = maker.text(120);
    const texts: Record<string, string> = {};
    for (let page = 0; page < 60; page++) texts[`https://a.example/${page}`] = `${common} ${maker.text(20)}`;
    const { compose } = await indexOf(texts, { settings: { listPostingsMax: 10 } });
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
