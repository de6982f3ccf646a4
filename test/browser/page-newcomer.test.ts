import { describe, expect, it } from 'vitest';
import { noBrowser } from '../support/http/browser.ts';
import { LICENCE, licences, putLicences } from '../support/page/licences.ts';
import { changedPassage, runErrands } from '../support/page/newcomer.ts';
import { usePage } from '../support/page/use-page.ts';

describe.skipIf(noBrowser)('a newcomer in a browser', () => {
  const use = usePage();

  it('finds a copied passage, why two pages differ and how a family falls apart, by the keyboard alone', async () => {
    const all = licences();
    await putLicences(use.service, all);
    const page = await use.at('');
    const errands = await runErrands(page, changedPassage(all.find(({ url }) => url === LICENCE)!));
    const [passage, why, family] = errands.map(({ found }) => found);
    expect(passage).toMatch(/to deal in the Software without restriction/);
    expect(why).toMatch(
      /Why they are not the same\s+They do not have the same runs of words: about \d+ only in a, \d+ only in b/,
    );
    const parts = family!.split('; ').map((told) => Number(/in ([\d,]+) parts at/.exec(told)?.[1] ?? 1));
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    expect(parts.at(-1)).toBeGreaterThan(parts[0]!);
    // a key a second is slow: two minutes are enough for all three
    expect(errands.reduce((sum, { keys }) => sum + keys, 0)).toBeLessThan(120);
    expect(errands.map(({ steps }) => steps)).toEqual([3, 1, 7]);
    await use.done(page);
  });
});
