import fc from 'fast-check';
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
const NO_THRESHOLDS = { resemblance: null, aInB: null, bInA: null };
const COMPARED = { thresholds: NO_THRESHOLDS, passages: true, fetch: 'auto', deadlineMs: 20_000 } as const;
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
      const place = { from: 17, to: 17 + spelled.length };
      expect(passages).toEqual([{ ...place, tokens: 60, exact: true, text: spelled, link }]);
    }
  });

  it('have their place in the text, in code units of UTF-16, whatever stands around them and however long they are', async () => {
    const junk = fc.string({ unit: 'binary', maxLength: 40 });
    const glue = fc.constantFrom(' ', ', ', '\r\n', ' 🌹 ', '\u00a0', ' \ud83c ', ' \u00ad');
    const parts = fc.tuple(
      junk,
      fc.array(glue, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(shared, long.slice(0, 2000)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { minLength: 1, maxLength: 3 }), junk, async (written, last) => {
        const spelled = written.map(
          ([before, glues, words]) =>
            `${before}. ${words.split(' ').reduce((text, word, at) => text + glues[at % glues.length]! + word)}. `,
        );
        const text = `${spelled.join('')}${last}`;
        const { matches } = await ask(text);
        const all = [
          ...matches.flatMap(({ passages }) => passages!),
          ...(await fixture.service.compare({ ...COMPARED, a: ofText(text), b: ofText(around) }, ALL)).passages!,
        ];
        expect(all.length).toBeGreaterThan(0);
        // what is no character is read as one that says so
        const read = text.toWellFormed().replace(/^\ufeff/, '');
        for (const { from, to, text: words } of all) {
          const [head = '', tail = head] = words.split(' … ');
          const there = read.slice(from, to);
          expect([there.slice(0, head.length), there.slice(-tail.length)]).toEqual([head, tail]);
          if (!words.includes(' … ')) expect(there).toBe(words);
        }
      }),
      { numRuns: 12 },
    );
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
    const place = { from: 0, to: word.length + 8 };
    expect(huge?.passages).toEqual([{ ...place, tokens: 5, exact: true, text: expect.any(String), link: null }]);
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
