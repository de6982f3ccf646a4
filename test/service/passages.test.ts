import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MatchOptions } from '../../src/service/api.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { ALL, createServiceFixture, ofText, ofUrl, type ServiceFixture } from '../support/service/service-fixture.ts';

const make = createTextMaker(70);
const shared = make.text(60);
const around = `${make.text(40)} ${shared} ${make.text(40)}`;
const long = make.text(2500);
const TEXT_BYTES_MAX = 8000;

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = createServiceFixture({ limits: { passagesTextBytesMax: TEXT_BYTES_MAX } });
  for (const url of ['urn:around', 'https://a.example/gone', 'https://b.example/live']) await fixture.put(url, around);
  await fixture.service.gone({ url: 'https://a.example/gone', httpStatus: 404, observedAt: null }, ALL);
  await fixture.put('urn:name', `${make.text(20)} ${shared}`);
  await fixture.put('https://c.example/long', long);
});
afterAll(() => fixture.close());

const THRESHOLDS = { resemblance: null, queryInMatch: 0.02, matchInQuery: null };
const ask = (text: string, more: Partial<MatchOptions> = {}) =>
  fixture.similar(ofText(text), { passages: true, thresholds: THRESHOLDS, ...more });

describe('passages', () => {
  it('are the words of the query, as it spells them, that the match has too', async () => {
    const spelled = shared.toUpperCase().replaceAll(' ', ', ');
    const { matches, limits } = await ask(`Before it (all): ${spelled}! And after: ${make.text(30)}`);
    expect(limits).toEqual([]);
    expect(matches).toHaveLength(2);
    const words = shared.toUpperCase().split(' ');
    const fragment = `#:~:text=${words.slice(0, 4).join('%2C%20')},${words.slice(-4).join('%2C%20')}`;
    for (const { passages, sources } of matches) {
      // into the first live page; a name cannot be linked to
      const link = sources.length === 1 ? null : `https://b.example/live${fragment}`;
      expect(passages).toEqual([{ tokens: 60, exact: true, text: spelled, link }]);
    }
  });

  it('bridge what a sample leaves open, and say so; are exact where the sets are equal', async () => {
    const words = long.split(' ');
    const changed = [...words.slice(0, 600), ...make.text(40).split(' '), ...words.slice(600, 1000)].join(' ');
    const near = await ask(changed);
    const passages = near.matches[0]!.passages!;
    expect(passages.every(({ exact }) => !exact)).toBe(true);
    // nearly all that is shared, and nothing across the words that are not
    expect(passages.reduce((sum, passage) => sum + passage.tokens, 0)).toBeGreaterThan(800);
    expect(passages.reduce((sum, passage) => sum + passage.tokens, 0)).toBeLessThanOrEqual(1000);
    for (const { tokens: count, text } of passages) {
      // quoted by its beginning and its end
      if (count > 100) expect(text).toMatch(/^(\w+ ){50}… (\w+ ){49}\w+$/);
      const [begin, end] = [text.split(' ').slice(0, 5), text.split(' ').slice(-5)].map((few) =>
        long.indexOf(few.join(' ')),
      );
      expect(begin).toBeGreaterThanOrEqual(0);
      expect(end).toBeGreaterThanOrEqual(begin!);
    }
    await fixture.put('urn:beginning', words.slice(0, 700).join(' '));
    const equal = await ask(words.slice(0, 700).join('  '));
    expect(equal.matches[0]).toMatchObject({ equivalence: 'lexical', passages: [{ tokens: 700, exact: true }] });
  });

  it('are looked for in a part of a large text, and the answer says how much', async () => {
    const padded = `${'é'.repeat(TEXT_BYTES_MAX / 2 - 400)} ${long}`;
    const { matches, limits } = await ask(padded);
    expect(limits).toEqual([
      { code: 'passages-text', affected: Buffer.byteLength(padded) - TEXT_BYTES_MAX, of: Buffer.byteLength(padded) },
    ]);
    expect(matches[0]?.passages?.[0]?.tokens).toBeGreaterThan(20);
    // a word of megabytes stays short in the answer, and out of the link
    const word = 'w'.repeat(TEXT_BYTES_MAX - 100);
    await fixture.put('https://d.example/', `${word} a b c d`);
    const [huge] = (await ask(`${word} a b c d`)).matches;
    expect(huge?.passages).toEqual([{ tokens: 5, exact: true, text: expect.any(String), link: null }]);
    expect(huge?.passages?.[0]?.text.length).toBeLessThan(2100);
  });

  it('need the text of the query, which the index has not', async () => {
    const options = { passages: true, thresholds: THRESHOLDS };
    const { matches, limits, complete } = await fixture.similar(ofUrl('urn:name'), options);
    expect(limits).toEqual([{ code: 'passages-need-text', affected: matches.length, of: matches.length }]);
    expect(matches.length).toBeGreaterThan(0);
    expect(complete).toBe(true);
    for (const match of matches) expect(match).not.toHaveProperty('passages');
    const [unasked] = (await fixture.similar(ofText(shared), { thresholds: THRESHOLDS })).matches;
    expect(unasked).not.toHaveProperty('passages');
  });
});
