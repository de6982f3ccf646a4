import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../../src/store/port.ts';
import { createTextMaker, shingleSet } from '../../support/core/make-documents.ts';
import {
  createServiceFixture,
  ofText,
  ofUrl,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../../support/service/service-fixture.ts';

const make = createTextMaker(53);
const [first, second] = [make.text(300), make.text(300)];
/** The beginnings of two pages, and words of its own: 53 % of it stands in them. */
const essay = [first.split(' ').slice(0, 160), second.split(' ').slice(0, 108), make.text(237)].flat().join(' ');

const HIGH = { resemblance: 0.9, queryInMatch: null, matchInQuery: null };

describe('where nothing reaches a threshold', () => {
  let fixture: ServiceFixture;
  afterEach(() => fixture.close());

  it('says which documents have most of the text, and how much', async () => {
    fixture = createServiceFixture();
    await fixture.put('https://a.example/one', first);
    await fixture.put('https://b.example/two', second);
    await fixture.put('https://c.example/', make.text(300));
    const answer = await fixture.similar(ofText(essay), { passages: true });
    const { matches, nearest, complete } = answer;
    expect({ matches, complete }).toEqual({ matches: [], complete: true });
    expect(nearest!.map(({ sources: [source] }) => source!.url)).toEqual([
      'https://a.example/one',
      'https://b.example/two',
    ]);
    const [one, two] = nearest!.map(({ queryInMatch }) => queryInMatch);
    expect(one).toMatchObject({ estimate: expect.closeTo(154 / 499, 1), decision: 'no' });
    expect(two).toMatchObject({ estimate: expect.closeTo(102 / 499, 1), decision: 'no' });
    expect(nearest![0]!.resemblance.decision).toBe('no');
    const share = expect.objectContaining({ estimate: expect.closeTo((154 + 102) / 499, 1) });
    expect(answer.nearestTogether).toEqual({ documents: 2, share });
  });

  it('says how much they have together: what several have counts once, as few as it takes', async () => {
    fixture = createServiceFixture();
    const words = (text: string, from: number, to: number) => text.split(' ').slice(from, to).join(' ');
    const [copied, own] = [make.text(200), make.text(250)];
    const query = `${copied} ${own}`;
    // the first has all of the second, half of the third, and little less than the fourth
    await fixture.put('https://a.example/', `${words(copied, 0, 140)} ${make.text(400)}`);
    await fixture.put('https://b.example/', `${words(copied, 20, 90)} ${make.text(400)}`);
    await fixture.put('https://c.example/', `${words(copied, 100, 180)} ${make.text(400)}`);
    await fixture.put('https://d.example/', `${words(copied, 4, 142)} ${make.text(400)}`);
    const { matches, nearest, nearestTogether } = await fixture.similar(ofText(query));
    expect([matches.length, nearest!.length]).toEqual([0, 4]);
    const { documents, share } = nearestTogether!;
    expect(documents).toBe(2);
    const shingles = (text: string) => shingleSet(text, SHINGLE_SIZE);
    const union = new Set([...shingles(words(copied, 0, 140)), ...shingles(words(copied, 100, 180))]);
    const exact = union.size / shingles(query).size;
    expect(share.low).toBeLessThanOrEqual(exact + 1 / shingles(query).size);
    expect(share.high).toBeGreaterThanOrEqual(exact);
    expect(share.estimate).toBeGreaterThan(Math.max(...nearest!.map(({ queryInMatch }) => queryInMatch.estimate)));
  });

  it('says of a short text at least what is certain of the nearest page, though a long one tells of a fourth of it', async () => {
    fixture = createServiceFixture();
    const texts = Array.from({ length: 6 }, () => make.text(28));
    const part = (text: string, from: number, to: number) => text.split(' ').slice(from, to).join(' ');
    const all = texts.map((text) => part(text, 13, 27)).join(' ');
    await fixture.put('https://b.example/long', `${all} ${make.text(40_000)}`);
    for (const [i, text] of texts.entries())
      await fixture.put(`https://a.example/${i}`, `${part(text, 0, 14)} ${make.text(60)}`);
    for (const text of texts) {
      const { nearest, nearestTogether } = await fixture.similar(ofText(text), { thresholds: HIGH });
      const best = Math.max(...nearest!.map(({ queryInMatch }) => queryInMatch.low));
      expect(nearestTogether!.documents).toBeGreaterThan(0);
      expect(nearestTogether!.share.low).toBeGreaterThanOrEqual(best - 0.000_01);
    }
  });

  it('says the same of a URL of the index, which is not near itself', async () => {
    fixture = createServiceFixture();
    await fixture.put('https://a.example/one', first);
    await fixture.put('https://d.example/essay', essay);
    const { matches, nearest } = await fixture.similar(ofUrl('https://d.example/essay'));
    expect(matches).toEqual([]);
    expect(nearest!.map(({ sources: [source] }) => source!.url)).toEqual(['https://a.example/one']);
  });

  it('tells of no document that a filter hides, and of none behind a match', async () => {
    fixture = createServiceFixture();
    await fixture.put('https://a.example/one', first);
    await fixture.put('https://b.example/two', second);
    const exclude = { hosts: ['a.example'], urls: [] };
    const { nearest } = await fixture.similar(ofText(essay), { exclude });
    expect(nearest!.map(({ sources: [source] }) => source!.url)).toEqual(['https://b.example/two']);
    expect(
      (await fixture.similar(ofText(essay), { exclude: { ...exclude, hosts: ['a.example', 'b.example'] } })).nearest,
    ).toBe(undefined);
    await fixture.put('https://d.example/essay', essay);
    const found = await fixture.similar(ofText(essay));
    expect(found.matches).toHaveLength(1);
    expect(found).not.toHaveProperty('nearest');
    expect(found).not.toHaveProperty('nearestTogether');
  });

  it('looks up nothing again where a phrase is all that is shared', async () => {
    const candidates = vi.fn<Store['candidates']>();
    const watched = (store: Store) =>
      new Proxy(store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (name === 'candidates') candidates.mockImplementation((query) => target.candidates(query));
          if (name === 'candidates') return candidates;
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    fixture = createServiceFixture({ wrapStore: watched });
    const phrase = make.text(9);
    for (let i = 0; i < 20; i++) await fixture.put(`https://a.example/${i}`, `${make.text(400)} ${phrase}`);
    candidates.mockClear();
    const answer = await fixture.similar(ofText(`${phrase} ${make.text(800)}`));
    expect(answer).not.toHaveProperty('nearest');
    expect(candidates).toHaveBeenCalledTimes(1);
  });
});
