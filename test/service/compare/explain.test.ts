import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompareRequest, DocumentReference } from '../../../src/service/api.ts';
import type { ExplanationStep } from '../../../src/service/comparison-api.ts';
import { DEFAULT_MATCH_OPTIONS, DEFAULT_THRESHOLDS } from '../../../src/service/limits.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  ofText,
  ofUrl,
  type ServiceFixture,
} from '../../support/service/service-fixture.ts';

const make = createTextMaker(82);
const text = make.text(300);
const long = make.text(3000);
const near = make.changed(text, 0.01);
const half = `${text.split(' ').slice(0, 150).join(' ')} ${make.text(150)}`;
const DEFAULTS = { resemblance: 0.5, aInB: 0.8, bInA: null };

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = createServiceFixture();
  await fixture.put('https://a.example/text', text);
  await fixture.put('https://a.example/near', near);
  await fixture.put('https://a.example/half', half);
  await fixture.put('https://a.example/long', long);
});
afterAll(() => fixture.close());

type Steps = Readonly<Record<ExplanationStep['step'], ExplanationStep>>;

async function explained(
  a: DocumentReference,
  b: DocumentReference,
  thresholds: CompareRequest['thresholds'] = DEFAULTS,
  { service }: Pick<ServiceFixture, 'service'> = fixture,
) {
  const asked = { passages: false, fetch: 'auto', deadlineMs: 10_000, explain: true } as const;
  const { explanation } = await service.compare({ a, b, thresholds, ...asked }, ALL);
  const of = Object.fromEntries(explanation!.steps.map((step) => [step.step, step])) as Steps;
  return { ...explanation!, of, same: explanation!.steps.map(({ same }) => same) };
}

const html = (body: string, contentType = 'text/html; charset=utf-8'): DocumentReference => ({
  ...ofText(''),
  body: { bytes: Buffer.from(body, contentType.endsWith('1') ? 'latin1' : 'utf8'), contentType },
});

describe('explain', () => {
  it('tells nine steps, all the same of one document', async () => {
    const { steps, same, partAt, lostAt, asked, byDefault } = await explained(ofText(text), ofText(text));
    expect(steps.map(({ step }) => step)).toEqual([
      ...['bytes', 'decoding', 'text', 'tokens', 'shingles', 'sampling', 'look-up', 'lists', 'threshold'],
    ]);
    expect(same).toEqual(Array(9).fill(true));
    expect({ partAt, lostAt }).toEqual({ partAt: null, lostAt: null });
    expect(asked).toMatchObject({ found: true, rank: 1, complete: true });
    expect(byDefault).toEqual(asked);
  });

  it('tells the same of a query by default where no threshold is given', async () => {
    const none = { resemblance: null, aInB: null, bInA: null };
    const { asked, byDefault } = await explained(ofText(text), ofText(text), none);
    expect(asked).toBeNull();
    expect(byDefault).toEqual((await explained(ofText(text), ofText(text))).byDefault);
  });

  it('names the first step at which two documents part, and how', async () => {
    const page = `<p>${text}</p>`;
    const cases: [DocumentReference, DocumentReference, ExplanationStep['step'] | null, string][] = [
      [
        html(page),
        html(`<p >${text}</p>`),
        'bytes',
        `They part at byte 3: a has ${page.length} bytes, b has ${page.length + 1}.`,
      ],
      [
        html('<p>é a'),
        html('<p>é a', 'text/html; charset=iso-8859-1'),
        'bytes',
        'They part at byte 4: a has 7 bytes, b has 6.',
      ],
      [
        html(page),
        { ...html(page), select: 'p' },
        'decoding',
        'a was read as text/html in utf-8, b as text/html in utf-8, select "p".',
      ],
      [ofUrl('https://a.example/text'), ofUrl('https://a.example/text'), null, ''],
    ];
    for (const [a, b, step, detail] of cases) {
      const { partAt, of } = await explained(a, b);
      expect(partAt).toBe(step);
      if (step !== null) expect(of[step]).toMatchObject({ same: false, detail });
    }
  });

  it('quotes what is at hand, a little of it', async () => {
    const words = text.split(' ');
    const changed = [...words.slice(0, 100), 'Über', 'x'.repeat(5000), ...words.slice(102)].join(' ');
    const { of } = await explained(ofText(text), ofText(changed));
    expect(of.text).toMatchObject({ same: false, a: { characters: text.length }, b: { characters: changed.length } });
    expect(of.text.detail).toBe(
      `They part at character ${words.slice(0, 100).join(' ').length + 2}: a has ${text.length} characters, b has ${changed.length}.`,
    );
    expect(of.tokens.detail).toBe('They part at word 101: a has 300 words, b has 300 words.');
    expect(of.tokens.examples![0]!.b).toMatch(/ Über x/);
    for (const { examples = [] } of Object.values(of)) {
      for (const quote of examples.flatMap(({ a, b }) => [a, b])) expect(quote.length).toBeLessThanOrEqual(160);
    }
    const stored = await explained(ofUrl('https://a.example/text'), ofText(changed));
    expect(Object.values(stored.of).flatMap(({ examples = [] }) => examples)).toEqual([]);
    expect(stored.of.decoding).toMatchObject({ same: null, a: {}, b: { mediaType: 'text/plain', charset: 'utf-8' } });
    expect(stored.of.text).toMatchObject({
      same: false,
      a: {},
      detail: 'The index keeps no text: its words are not the same.',
    });
  });

  it('says what a query by a finds, as the query itself does', async () => {
    const urls = ['text', 'near', 'half', 'long'].map((name) => `https://a.example/${name}`);
    for (const thresholds of [
      DEFAULTS,
      { resemblance: 0.9, aInB: null, bInA: null },
      { resemblance: null, aInB: null, bInA: 0.4 },
    ]) {
      for (const a of [ofText(near), ofText(half), ofUrl('https://a.example/text')]) {
        const asked = {
          ...DEFAULT_MATCH_OPTIONS,
          thresholds: {
            resemblance: thresholds.resemblance,
            queryInMatch: thresholds.aInB,
            matchInQuery: thresholds.bInA,
          },
        };
        const { matches } = await fixture.similar(a, asked);
        const byDefault = await fixture.similar(a, { thresholds: DEFAULT_THRESHOLDS });
        for (const url of urls) {
          if (a.url === url) continue;
          const found = matches.some(({ sources }) => sources.some((source) => source.url === url));
          const answer = await explained(a, ofUrl(url), thresholds);
          expect(answer.asked!.found).toBe(found);
          expect(answer.lostAt === null).toBe(found);
          expect(answer.byDefault.found).toBe(
            byDefault.matches.some(({ sources }) => sources.some((source) => source.url === url)),
          );
        }
      }
    }
  });

  it('names the step at which a query loses a document', async () => {
    const belowOnly = await explained(ofText(half), ofUrl('https://a.example/text'), {
      resemblance: 0.8,
      aInB: null,
      bInA: null,
    });
    expect(belowOnly.lostAt).toBe('look-up');
    expect(belowOnly.of['look-up'].detail).toMatch(
      /^a looks up \d+ of its 296 shingles, b has posted \d+ of its 296: \d+ are in both\. \d+ are needed\.$/,
    );
    expect(belowOnly.of.threshold).toMatchObject({ same: false });
    const size = await explained(ofText(text), ofUrl('https://a.example/long'));
    expect(size).toMatchObject({ lostAt: 'look-up', asked: { found: false, rank: null } });
    // so near to the threshold that its record is read
    const { explanation } = await fixture.service.compare(
      {
        a: ofText(near),
        b: ofUrl('https://a.example/text'),
        thresholds: { resemblance: 0.99, aInB: null, bInA: null },
        passages: false,
        fetch: 'auto',
        deadlineMs: null,
        explain: true,
      },
      ALL,
    );
    expect(['look-up', 'threshold']).toContain(explanation!.lostAt);
    const unknown = await explained(ofText(text), ofText(make.changed(text, 0.01)));
    expect(unknown).toMatchObject({ lostAt: 'lists', asked: { found: false, detail: 'b is not in the index.' } });
    expect(unknown.of.lists).toMatchObject({ same: false, b: { indexed: false } });
  });

  it('says where the query itself is one of the matches, which come after it', async () => {
    const { asked } = await explained(ofUrl('https://a.example/text'), ofUrl('https://a.example/near'));
    expect(asked).toMatchObject({ rank: 2, matches: 2, detail: 'b is match 2 of 2, of which a itself is one.' });
    const itself = await explained(ofUrl('https://a.example/text'), ofText(text));
    expect(itself.asked).toMatchObject({ rank: 1, matches: 2, detail: 'b is match 1 of 2.' });
    const unknown = await explained(ofText(make.changed(text, 0.01)), ofUrl('https://a.example/near'));
    expect(unknown.asked!.detail).not.toContain('itself');
  });

  it('makes no query where no threshold is given, but the one by default', async () => {
    const none = await explained(ofText(text), ofUrl('https://a.example/text'), {
      resemblance: null,
      aInB: null,
      bInA: null,
    });
    expect(none).toMatchObject({ lostAt: null, asked: null, byDefault: { found: true, rank: 1 } });
    expect(none.same.slice(6)).toEqual([null, null, null]);
  });

  it('says how many lists were cut, where a family is larger than they are', async () => {
    const crowded = createServiceFixture({ settings: { listPostingsMax: 8 }, limits: { candidatesMax: 4 } });
    try {
      for (let copy = 0; copy < 40; copy++) await crowded.put(`https://c.example/${copy}`, `${text} ${make.text(3)}`);
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, copy) =>
          explained(ofText(text), ofUrl(`https://c.example/${copy}`), DEFAULTS, crowded),
        ),
      );
      const lost = outcomes.filter(({ asked }) => !asked!.found);
      expect(lost.length).toBeGreaterThanOrEqual(36);
      for (const { lostAt, of, asked } of lost) {
        expect(lostAt).toBe('lists');
        expect(of.lists.detail).toMatch(
          /^Of \d+ lists that both are in [1-9]\d* were cut; documents in any of them: 40; /,
        );
        expect(asked).toMatchObject({ complete: false });
      }
    } finally {
      await crowded.close();
    }
  });
});
