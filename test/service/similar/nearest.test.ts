import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../../src/store/port.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { createServiceFixture, ofText, ofUrl, type ServiceFixture } from '../../support/service/service-fixture.ts';

const make = createTextMaker(53);
const [first, second] = [make.text(300), make.text(300)];
/** The beginnings of two pages, and words of its own: 53 % of it stands in them. */
const essay = [first.split(' ').slice(0, 160), second.split(' ').slice(0, 108), make.text(237)].flat().join(' ');

describe('where nothing reaches a threshold', () => {
  let fixture: ServiceFixture;
  afterEach(() => fixture.close());

  it('says which documents have most of the text, and how much', async () => {
    fixture = createServiceFixture();
    await fixture.put('https://a.example/one', first);
    await fixture.put('https://b.example/two', second);
    await fixture.put('https://c.example/', make.text(300));
    const { matches, nearest, complete } = await fixture.similar(ofText(essay), { passages: true });
    expect({ matches, complete }).toEqual({ matches: [], complete: true });
    expect(nearest!.map(({ sources: [source] }) => source!.url)).toEqual([
      'https://a.example/one',
      'https://b.example/two',
    ]);
    const [one, two] = nearest!.map(({ queryInMatch }) => queryInMatch);
    expect(one).toMatchObject({ estimate: expect.closeTo(154 / 499, 1), decision: 'no' });
    expect(two).toMatchObject({ estimate: expect.closeTo(102 / 499, 1), decision: 'no' });
    expect(nearest![0]!.resemblance.decision).toBe('no');
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
