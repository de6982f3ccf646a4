import { describe, expect, it } from 'vitest';
import { positions, startCollapse } from '../../../support/service/collapse-fixture.ts';
import { labelledPages, type PageScore, scorePage } from '../../../support/service/result-pages.ts';

const pages = labelledPages();

describe('pages of results by titles, snippets and URLs', () => {
  it('are folded nearly as a person would, and nothing is that a person would not', async () => {
    const { ask } = startCollapse();
    const scores: PageScore[] = [];
    for (const page of pages) {
      const results = page.results.map(({ url, title, snippet }) => ({ url, title, snippet }));
      const score = scorePage(page, positions(await ask(results)));
      expect(score.wrong.map(([a, b]) => [page.page, results[a], results[b]])).toEqual([]);
      scores.push(score);
    }
    const sum = (of: (score: PageScore) => number) => scores.reduce((total, score) => total + of(score), 0);
    expect(sum(({ folded }) => folded) / sum(({ wanted }) => wanted)).toBeGreaterThan(0.88);
  });

  it('are folded alike whatever the order of the results', async () => {
    const { ask } = startCollapse();
    for (const page of pages) {
      const results = page.results.map(({ url, title, snippet }) => ({ url, title, snippet }));
      const last = results.length - 1;
      const backwards = positions(await ask(results.toReversed())).map((group) => group.map((at) => last - at));
      expect(scorePage(page, backwards).wrong).toEqual([]);
    }
  });

  it('fold nothing of one page with something of another', async () => {
    const { ask } = startCollapse();
    const all = pages.flatMap(({ page, results }) => results.map((result) => ({ ...result, page })));
    const groups = positions(await ask(all.map(({ url, title, snippet }) => ({ url, title, snippet }))));
    for (const group of groups) expect(new Set(group.map((at) => all[at]!.page)).size).toBe(1);
  });

  it('are in ten languages, some of them held out', () => {
    expect(pages).toHaveLength(48);
    expect(pages.filter(({ heldOut }) => heldOut)).toHaveLength(23);
    expect(new Set(pages.map(({ page }) => page.split('-')[0])).size).toBe(10);
  });
});
