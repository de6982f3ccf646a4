import { describe, expect, it } from 'vitest';
import { createTextMaker } from '../../../support/core/make-documents.ts';
import { positions, startCollapse } from '../../../support/service/collapse-fixture.ts';
import { refused } from '../../../support/service/service-fixture.ts';

/* What a snippet is good for beside what is known of its page. */

const make = createTextMaker(94);

describe('a snippet', () => {
  const page = make.text(300);
  const near = make.changed(page, 0.01);
  const snippet = (text: string) => text.split(' ').slice(20, 44).join(' ');

  it('does not stand for a page that is known', async () => {
    const { fixture, ask } = startCollapse();
    await fixture.put('https://a.example/', page);
    await fixture.put('https://b.example/', near);
    const results = [
      { url: 'https://a.example/', snippet: make.text(24) },
      { url: 'https://b.example/', snippet: make.text(24) },
      { text: page, snippet: make.text(24) },
    ];
    const answer = await ask(results);
    expect(positions(answer)).toEqual([[0, 1, 2]]);
    expect(answer.groups[0]!.members.map(({ from }) => from)).toEqual(['index', 'body']);
  });

  it('is compared with another one where no document of one of the two is known, whatever the index knows', async () => {
    const { fixture, ask } = startCollapse();
    const shown = snippet(page);
    const results = [
      { url: 'https://a.example/', snippet: shown },
      { url: 'https://b.example/', snippet: `${shown} …` },
      { url: 'https://c.example/', snippet: snippet(make.text(300)) },
      { snippet: shown.split(' ').slice(0, 12).join(' ') },
    ];
    const figures = { equivalence: null, resemblance: null, resultInRepresentative: null, shingles: null, short: null };
    const unindexed = await ask(results);
    expect(positions(unindexed)).toEqual([[0, 1, 3], [2]]);
    expect(unindexed.groups[0]!.members).toMatchObject([
      { from: 'snippet', by: 'snippet', urlDiffersBy: null, ...figures },
      { from: 'snippet', by: 'snippet', ...figures },
    ]);
    expect(unindexed.unknown).toEqual([]);
    // to index one of them, or another, must not take the group apart
    for (const indexed of ['https://b.example/', 'https://a.example/']) {
      await fixture.put(indexed, indexed.includes('a.') ? make.text(300) : page);
      const answer = await ask(results);
      const isBoth = indexed.includes('a.');
      expect(positions(answer)).toEqual(isBoth ? [[0, 3], [1], [2]] : [[0, 1, 3], [2]]);
      if (!isBoth)
        expect(answer.groups[0]!.members[0]).toMatchObject({ from: 'index', by: 'snippet', resemblance: null });
    }
  });

  it('of few words says nothing', async () => {
    const { ask } = startCollapse();
    const results = [
      { url: 'https://a.example/', snippet: 'Read more here' },
      { url: 'https://b.example/', snippet: 'Read more here' },
      { snippet: 'Read more here' },
      { snippet: ' … ' },
    ];
    const answer = await ask(results);
    expect(positions(answer)).toEqual([[0], [1], [2], [3]]);
    expect(answer.unknown.map(({ reason }) => reason)).toEqual([
      'unknown-url',
      'unknown-url',
      'short-snippet',
      'short-snippet',
    ]);
  });

  it('of more bytes than a page shows is refused', async () => {
    const { ask } = startCollapse();
    const asked = ask([{ snippet: 'a' }, { snippet: 'a'.repeat(10_001) }]);
    await expect(asked).rejects.toMatchObject(
      refused('invalid-request', { field: 'results[1].snippet', limit: { name: 'snippetBytesMax', value: 10_000 } }),
    );
  });
});
