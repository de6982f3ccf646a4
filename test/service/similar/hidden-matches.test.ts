import { describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { createServiceFixture } from '../../support/service/service-fixture.ts';
import { pagesOf, urlsOf } from '../../support/service/thorough-pages.ts';

const base = createTextMaker(101).text(60);
const ANY = { resemblance: 0.3, queryInMatch: 0.3, matchInQuery: 0.3 };

describe('a thorough query whose filter hides matches', () => {
  it('shows the last match where the page before it was full, and all that it could read was used', async () => {
    const fixture = createServiceFixture({ limits: { sourcesReadMax: 60, copiesMax: 60 } });
    const put = async (name: string, count: number, text: string) => {
      for (let n = 0; n < count; n++) await fixture.put(`https://${name}.example/${n}`, text);
    };
    await put('hidden', 5, base);
    await put('first', 5, `${base} own`);
    await put('last', 55, base.slice(0, 300));
    const exclude = { hosts: ['hidden.example'], urls: [] };
    const pages = await pagesOf(fixture, base, { thresholds: ANY, exclude, limit: 1, sourcesPerMatch: 60 });
    expect(pages.map(({ matches }) => matches.map(({ sourceCount }) => sourceCount))).toEqual([[5], [55]]);
    expect(pages.at(-1)).toMatchObject({ matchCount: 2, complete: true, limits: [] });
    await fixture.close();
  });

  it('ends a page where as many sources were read as may be, though a filter hides them all', async () => {
    const fixture = createServiceFixture({ limits: { sourcesReadMax: 60, copiesMax: 40 } });
    const texts = Array.from({ length: 8 }, (_, i) => `${base} own${i}`);
    for (const [i, text] of texts.entries()) {
      for (let n = 0; n < 25; n++) await fixture.put(`https://h${i}.hidden.example/${n}`, text);
    }
    await fixture.put('https://shown.example/', base.slice(0, 300));
    const exclude = { hosts: texts.map((_, i) => `h${i}.hidden.example`), urls: [] };
    const pages = await pagesOf(fixture, base, { thresholds: ANY, exclude });
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.map(({ matches }) => matches.length)).toEqual([...pages.slice(1).map(() => 0), 1]);
    expect(urlsOf(pages)).toEqual(['https://shown.example/']);
    for (const page of pages) expect(page).toMatchObject({ complete: true, limits: [] });
    expect(pages.at(-1)).toMatchObject({ matchCount: 1, hosts: [{ host: 'shown.example' }] });
    // one that has more than a page may read is told not to have been read
    for (let n = 0; n < 80; n++) await fixture.put(`https://many.hidden.example/${n}`, base);
    const more = { hosts: [...exclude.hosts, 'many.hidden.example'], urls: [] };
    const cut = await pagesOf(fixture, base, { thresholds: ANY, exclude: more });
    expect(urlsOf(cut)).toEqual(['https://shown.example/']);
    expect(cut[0]).toMatchObject({ matches: [], complete: false, limits: [{ code: 'sources', affected: 1, of: 1 }] });
    await fixture.close();
  });
});
