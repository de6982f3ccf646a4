import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompareRequest, DocumentReference } from '../../src/service/api.ts';
import { SERVICE_LIMITS } from '../../src/service/limits.ts';
import { createTextMaker, exactShares } from '../support/core/make-documents.ts';
import { createPrng } from '../support/prng.ts';
import {
  ALL,
  createServiceFixture,
  ofText,
  ofUrl,
  READ_ONLY,
  refused,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../support/service/service-fixture.ts';

const make = createTextMaker(80);
const text = make.text(300);
const long = make.text(3000);
const THRESHOLDS = { resemblance: 0.5, aInB: 0.8, bInA: null };
const ASKED = { thresholds: THRESHOLDS, passages: false, fetch: 'auto', deadlineMs: 10_000 } as const;

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = createServiceFixture();
  await fixture.put('https://a.example/text', text);
  await fixture.put('https://a.example/long', long);
});
afterAll(() => fixture.close());

const compare = (a: DocumentReference, b: DocumentReference, more: Partial<CompareRequest> = {}) =>
  fixture.service.compare({ a, b, ...ASKED, ...more }, ALL);

const html = (body: string, charset = 'utf-8'): DocumentReference => ({
  url: null,
  body: {
    bytes: Buffer.from(body, charset === 'utf-8' ? 'utf8' : 'latin1'),
    contentType: `text/html; charset=${charset}`,
  },
  select: null,
  remove: null,
  at: null,
});

describe('compare', () => {
  it('is exact where both documents are given, by brute force', async () => {
    for (const share of [0, 0.001, 0.02, 0.3, 1]) {
      for (const whole of [text, long]) {
        const changed = share === 0 ? `${whole} ${make.text(30)}` : make.changed(whole, share);
        const truth = exactShares(whole, changed, SHINGLE_SIZE);
        const { resemblance, aInB, bInA } = await compare(ofText(whole), ofText(changed));
        expect(resemblance).toEqual({
          exact: expect.closeTo(truth.resemblance, 5),
          decision: truth.resemblance >= 0.5 ? 'yes' : 'no',
        });
        expect(aInB).toEqual({ exact: expect.closeTo(truth.aInB, 5), decision: truth.aInB >= 0.8 ? 'yes' : 'no' });
        expect(bInA).toEqual({ exact: expect.closeTo(truth.bInA, 5), decision: null });
      }
    }
  });

  it('is exact of two bodies near any threshold, whatever their samples would say', async () => {
    // of two texts of 1,500 words samples at modulus 4 differ by .02 from the truth
    for (let pair = 0; pair < 20; pair++) {
      const whole = make.text(1500);
      const changed = make.changed(whole, 0.018);
      const truth = exactShares(whole, changed, SHINGLE_SIZE);
      const { resemblance, aInB } = await compare(ofText(changed), ofText(whole));
      expect(resemblance).toMatchObject({ exact: expect.closeTo(truth.resemblance, 5) });
      expect(aInB).toMatchObject({ exact: expect.closeTo(truth.bInA, 5) });
    }
  });

  it('is an estimate where one is known by a sample only, or to so few bits that some may agree by chance', async () => {
    const changed = make.changed(long, 0.03);
    const truth = exactShares(long, changed, SHINGLE_SIZE);
    const estimated = await compare(ofUrl('https://a.example/long'), ofText(changed));
    expect(estimated.resemblance).toEqual({
      estimate: expect.closeTo(truth.resemblance, 1),
      low: expect.any(Number),
      high: expect.any(Number),
      decision: 'yes',
    });
    expect(estimated.a).toMatchObject({ from: 'index', url: 'https://a.example/long', tokens: 3000 });
    expect((await compare(ofText(text), ofUrl('https://a.example/text'))).resemblance).toEqual({
      exact: 1,
      decision: 'yes',
    });
    // a record of 294 shingles has all of them in 18 bits: one that differs agrees with any of them once in 900 times
    const nearly = make.changed(text, 0.02);
    const { resemblance } = exactShares(nearly, text, SHINGLE_SIZE);
    const share = expect.closeTo(resemblance, 5);
    const of294 = await compare(ofText(nearly), ofUrl('https://a.example/text'));
    const low = expect.closeTo(resemblance - 0.005, 2);
    expect(of294.resemblance).toEqual({ estimate: share, low, high: share, decision: 'yes' });
    // one of 44 has all of them in 40 bits
    const excerpt = text.split(' ').slice(100, 150).join(' ');
    await fixture.put('https://a.example/excerpt', excerpt);
    const of44 = await compare(ofUrl('https://a.example/excerpt'), ofText(nearly));
    const share44 = exactShares(excerpt, nearly, SHINGLE_SIZE).aInB;
    expect(of44.aInB).toEqual({ exact: expect.closeTo(share44, 5), decision: share44 >= 0.8 ? 'yes' : 'no' });
  });

  it('never takes for shared what agrees by chance: a page of 97 shingles beside 600,000 others', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const prng = createPrng(5);
    const many = Array.from({ length: 600_000 }, () => letters[prng.below(26)]).join(' ');
    let agreed = 0;
    for (let page = 0; page < 5; page++) {
      await fixture.put(`https://a.example/${page}`, make.text(103));
      const { bInA } = await compare(ofText(many), ofUrl(`https://a.example/${page}`), { deadlineMs: 60_000 });
      expect(bInA).toMatchObject({ estimate: expect.any(Number), low: 0 });
      if ('high' in bInA && bInA.high > 0) agreed++;
    }
    // .22 are expected to agree of each page, so that this tests something
    expect(agreed).toBeGreaterThan(0);
  });

  it('shows the passages of a that b has, where the text of a is at hand', async () => {
    const before = `${make.text(20)} `;
    const shared = text.split(' ').slice(100, 150).join(' ');
    const a = ofText(`${before}${shared} ${make.text(20)}`);
    const b = ofUrl('https://a.example/text');
    const { passages, limits } = await compare(a, b, { passages: true });
    expect(limits).toEqual([]);
    const place = { from: before.length, to: before.length + shared.length };
    expect(passages).toEqual([
      { ...place, tokens: 50, exact: true, text: shared, link: expect.stringContaining('/text#:~:text=') },
    ]);
    const needy = await compare(b, a, { passages: true });
    expect(needy).not.toHaveProperty('passages');
    expect(needy.limits).toEqual([{ code: 'passages-need-text', affected: 1, of: 1 }]);
    expect((await compare(b, a)).limits).toEqual([]);
  });

  it('shows passages in the order of a, and says how much of a long text was not looked at', async () => {
    const words = text.split(' ');
    const [short, longer] = [words.slice(200, 215).join(' '), words.slice(20, 80).join(' ')];
    const a = `${short} ${make.text(20)} ${longer} ${make.text(20)} ${short}`;
    const { passages } = await compare(ofText(a), ofText(text), { passages: true });
    expect(passages?.map(({ tokens: count }) => count)).toEqual([15, 60, 15]);
    const huge = `${longer} ${make.text(40_000)}`;
    const cut = await compare(ofText(huge), ofText(text), { passages: true });
    const of = Buffer.byteLength(huge);
    expect(cut.limits).toEqual([{ code: 'passages-text', affected: of - SERVICE_LIMITS.passagesTextBytesMax, of }]);
  });

  it('refuses as similar does, and says which document it means', async () => {
    const unknown = fixture.service.compare({ a: ofText('a'), b: ofUrl('https://x.example/'), ...ASKED }, READ_ONLY);
    await expect(unknown).rejects.toMatchObject(refused('unknown-url', { field: 'b.url' }));
    await expect(compare(ofText('a', 'x/y'), ofText('a'))).rejects.toMatchObject(
      refused('invalid-url', { field: 'a.url' }),
    );
    const thresholds = { ...THRESHOLDS, resemblance: -0.1 };
    await expect(compare(ofText('a'), ofText('a'), { thresholds })).rejects.toMatchObject(
      refused('invalid-request', { field: 'thresholds.resemblance' }),
    );
    const contained = compare(ofText('a'), ofText('a'), { thresholds: { ...THRESHOLDS, bInA: 2 } });
    await expect(contained).rejects.toMatchObject(refused('invalid-request', { field: 'thresholds.bInA' }));
  });
});

describe('whyNot', () => {
  const why = async (a: DocumentReference, b: DocumentReference) => (await compare(a, b)).whyNot;

  it('is null for the same bytes', async () => {
    expect(await compare(ofText(text), ofText(text))).toMatchObject({ equivalence: 'identical', whyNot: null });
  });

  it('is bytes for the same text in other bytes', async () => {
    const answer = await compare(html('<p>Caf\u00e9 noir'), html('<p>Caf\u00e9 noir', 'windows-1252'));
    expect(answer).toMatchObject({ equivalence: 'lexical', whyNot: { step: 'bytes' } });
    expect(answer.whyNot?.detail).toContain('a is text/html in utf-8, b is text/html in windows-1252');
  });

  it('is text for the same words written otherwise', async () => {
    expect(await why(ofText('The quick, brown fox.'), ofText('the quick; brown fox.'))).toEqual({
      step: 'text',
      detail: 'The words are the same, but not how they are written: 2 words of 4.',
      shingles: { inBoth: 1, onlyInA: 0, onlyInB: 0, exact: true },
      examples: [{ a: 'The quick, brown fox.', b: 'the quick; brown fox.' }],
    });
    // the index keeps no text: what differs beside the words is not known
    expect(await why(ofText(text.toUpperCase()), ofUrl('https://a.example/text'))).toMatchObject({ step: 'bytes' });
  });

  it('is tokens for the same shingles in another sequence', async () => {
    const period = make.text(30);
    const answer = await compare(
      ofText(`${period} ${period} ${period}`),
      ofText(`${period} ${period} ${period} ${period}`),
    );
    expect(answer).toMatchObject({ equivalence: 'shingle', whyNot: { step: 'tokens' }, resemblance: { exact: 1 } });
    expect(answer.whyNot?.detail).toContain('a has 90 words, b has 120 words. They part at word 91.');
    const end = period.split(' ').slice(-3).join(' ');
    const examples = [{ a: end, b: `${end} ${period.split(' ').slice(0, 6).join(' ')}` }];
    expect(answer.whyNot).toMatchObject({ shingles: { inBoth: 30, onlyInA: 0, onlyInB: 0 }, examples });
  });

  it('is shingles for a near-copy, threshold for less, with the words where they part', async () => {
    const words = text.split(' ');
    const copy = [...words.slice(0, 100), 'wolf', ...words.slice(101)].join(' ');
    const near = (await why(ofText(text), ofText(copy)))!;
    expect(near.step).toBe('shingles');
    expect(near.detail).toBe(
      'They do not have the same shingles: 5 only in a, 5 only in b, 291 in both. They part at word 101.',
    );
    expect(near.shingles).toEqual({ inBoth: 291, onlyInA: 5, onlyInB: 5, exact: true });
    const around = [
      words.slice(97, 106).join(' '),
      [...words.slice(97, 100), 'wolf', ...words.slice(101, 106)].join(' '),
    ];
    expect(near.examples).toEqual([{ a: around[0], b: around[1] }]);
    // of more places than three the first three
    const often = words.map((word, at) => (at % 50 === 10 ? 'wolf' : word)).join(' ');
    const { examples } = (await why(ofText(text), ofText(often)))!;
    expect(examples.map(({ b }) => b.split(' ').indexOf('wolf'))).toEqual([3, 3, 3]);
    const far = (await why(ofText(text), ofText(make.text(100))))!;
    expect(far.step).toBe('threshold');
    expect(far.detail).toContain('resemblance 0 is below 0.5; aInB 0 is below 0.8');
  });

  it('quotes nothing of the index, and not much of anything', async () => {
    const [first, second] = text.split(' ');
    const stored = (await why(ofText(`${first} other words entirely`), ofUrl('https://a.example/text')))!;
    expect(stored).toMatchObject({ step: 'threshold' });
    expect(stored.detail).not.toContain(second);
    expect(stored.detail).not.toContain('word ');
    fixture.web.pages.set('https://b.example/fetched', text);
    const fetched = (await why(ofText(`${first} other words entirely`), ofUrl('https://b.example/fetched')))!;
    expect(fetched.detail).toBe(stored.detail.replace(' about', ''));
    expect([stored.examples, fetched.examples]).toEqual([[], []]);
    expect(stored.shingles).toEqual({ inBoth: 0, onlyInA: 1, onlyInB: 296, exact: false });
    const sampled = (await why(ofText(text), ofUrl('https://a.example/long')))!;
    expect(sampled.shingles.exact).toBe(false);
    expect(sampled.detail).toContain('Of shingles about ');
    const huge = (await why(ofText(`${'é'.repeat(1_000_000)} x`), ofText(`${'é'.repeat(1_000_000)} y`)))!;
    // the texts are cut within their first words
    expect(huge.examples).toEqual([]);
    const long = `${'é'.repeat(10_000)} ${'ü'.repeat(10_000)}`;
    const { examples } = (await why(ofText(`${long} x`), ofText(`${long} y`)))!;
    expect(examples).toHaveLength(1);
    for (const quoted of Object.values(examples[0]!)) {
      expect(quoted.length).toBeLessThanOrEqual(160);
      expect(quoted).not.toContain('\ufffd');
      expect(quoted).toMatch(/[xy]$/);
    }
  });
});
