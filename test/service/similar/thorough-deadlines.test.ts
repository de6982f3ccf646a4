import { describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { createServiceFixture, ofText } from '../../support/service/service-fixture.ts';

const make = createTextMaker(73);
const base = make.text(60);
const ANY = { resemblance: 0.3, queryInMatch: 0.3, matchInQuery: 0.3 };

/** Of which the second lot of 64 sources comes too late, while it is slow. */
function slowFixture() {
  const slowness = { reads: 0, isSlow: true };
  const fixture = createServiceFixture({
    wrapStore: (store) => {
      const holders = store.holders.bind(store);
      store.holders = async (...asked) => {
        if (slowness.isSlow && ++slowness.reads > 64) await new Promise((resolve) => setTimeout(resolve, 2000));
        return holders(...asked);
      };
      return store;
    },
  });
  return { fixture, slowness };
}

describe('a thorough query that ends early', () => {
  it('tells what the deadline kept out of a page, and shows it on the next', async () => {
    const { fixture, slowness } = slowFixture();
    const urls = Array.from({ length: 100 }, (_, i) => `https://h${i}.example/`);
    for (const [i, url] of urls.entries()) await fixture.put(url, `${base} own${i}`);
    slowness.reads = 0;
    const asked = { thresholds: ANY, limit: 1000, thorough: true };
    const first = await fixture.similar(ofText(base), { ...asked, deadlineMs: 1000 });
    expect(first).toMatchObject({ complete: false, limits: [{ code: 'deadline', affected: 36, of: 100 }] });
    expect([first.matches.length, first.hosts, first.matchCount]).toEqual([64, undefined, undefined]);
    slowness.isSlow = false;
    const last = await fixture.similar(ofText(base), { ...asked, cursor: first.cursor });
    expect(last).toMatchObject({ cursor: null, complete: true, matchCount: 100 });
    const shown = [...first.matches, ...last.matches].flatMap(({ sources }) => sources.map(({ url }) => url));
    expect(shown.sort()).toEqual(urls.sort());
    expect(last.hosts).toHaveLength(100);
    await fixture.close();
  });

  it('goes on after what was hidden where nothing else was reached: no page is asked for again', async () => {
    const { fixture, slowness } = slowFixture();
    for (let i = 0; i < 99; i++) await fixture.put(`https://hidden.example/${i}`, `${base} own${i}`);
    await fixture.put('https://shown.example/', base.slice(0, 300));
    slowness.reads = 0;
    const exclude = { hosts: ['hidden.example'], urls: [] };
    const asked = { thresholds: ANY, limit: 1000, thorough: true, exclude };
    const first = await fixture.similar(ofText(base), { ...asked, deadlineMs: 1000 });
    expect(first).toMatchObject({
      matches: [],
      complete: false,
      limits: [{ code: 'deadline', affected: 36, of: 100 }],
    });
    slowness.isSlow = false;
    const last = await fixture.similar(ofText(base), { ...asked, cursor: first.cursor });
    expect(last).toMatchObject({ cursor: null, complete: true, limits: [], matchCount: 1 });
    expect(last.matches.map(({ sources }) => sources.map(({ url }) => url))).toEqual([['https://shown.example/']]);
    await fixture.close();
  });
});
