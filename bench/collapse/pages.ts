/*
 * How right POST /collapse is by titles and snippets alone: 48 pages of results in ten languages, labelled with what a person
 * folds (test/support/service/result-pages.ts). The rules were made on 25 of them; the others were held out.
 *
 *     npm run bench:collapse-pages [-- --wrong] [--json]
 *
 * --wrong names each pair that was missed, and each that was folded and should not have been.
 */
import { collapse, positions } from '../../test/support/service/collapse-fixture.ts';
import {
  type LabelledPage,
  labelledPages,
  type PageScore,
  scorePage,
} from '../../test/support/service/result-pages.ts';
import { createServiceFixture } from '../../test/support/service/service-fixture.ts';
import { printRows } from '../support/table.ts';

const fixture = createServiceFixture();
const pages = labelledPages();
const scored: { readonly page: LabelledPage; readonly score: PageScore }[] = [];
for (const page of pages) {
  const results = page.results.map(({ url, title, snippet }) => ({ url, title, snippet }));
  scored.push({ page, score: scorePage(page, positions(await collapse(fixture, results))) });
}
await fixture.close();

if (process.argv.includes('--wrong')) {
  for (const { page, score } of scored) {
    for (const [what, pairs] of [
      ['missed', score.missed],
      ['wrong', score.wrong],
    ] as const) {
      for (const [a, b] of pairs) {
        const [x, y] = [page.results[a]!, page.results[b]!];
        console.log(
          `${what} ${page.page}${page.heldOut ? ' (held out)' : ''}\n  ${x.title} | ${x.snippet}\n  ${y.title} | ${y.snippet}`,
        );
      }
    }
  }
}

const rowsOf = (what: string, isHeldOut: boolean) => {
  const scores = scored.filter(({ page }) => page.heldOut === isHeldOut).map(({ score }) => score);
  const sum = (of: (score: (typeof scores)[number]) => number) => scores.reduce((total, score) => total + of(score), 0);
  const [wanted, folded, wrong] = [sum((s) => s.wanted), sum((s) => s.folded), sum((s) => s.wrong.length)];
  return [
    {
      row: `${scores.length} pages ${what}: of what a person folds, folded`,
      value: folded / wanted,
      unit: '',
      target: '>= 0.85',
      note: `${folded} of ${wanted} pairs`,
    },
    { row: `${scores.length} pages ${what}: folded, and not by a person`, value: wrong, unit: 'pairs', target: '<= 0' },
  ];
};
printRows('Pages of results by their titles, snippets and URLs', [
  ...rowsOf('of the design', false),
  ...rowsOf('held out', true),
]);
