import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../support/http/browser.ts';
import { cellsApart, PICTURED, pictureOf } from '../support/page/pictures.ts';
import { type Grey, readPng, writePng } from '../support/page/png.ts';
import { usePage } from '../support/page/use-page.ts';
import { addressOf, answerOf, LOOKED, type LookedView } from '../support/page/views.ts';

/*
 * Each view as it was when somebody looked at it and was pleased. `npx vitest run test/browser/page-pictures.test.ts -u` keeps what it
 * looks like now: then look at test/browser/pictures before they are committed.
 */

const KEPT = fileURLToPath(new URL('pictures/', import.meta.url));
const WIDTHS = [1280, 320];
/** Cells that may differ: fewer than the smallest button has. */
const APART_MAX = 3;

describe.skipIf(noBrowser)('a picture of the page', () => {
  const { at, done } = usePage(PICTURED);
  const shown = async (of: LookedView, width = 1280) => {
    const page = await at(addressOf(of));
    if (width !== 1280) {
      await page.setViewportSize({ width, height: 900 });
      await page.reload();
    }
    await answerOf(page, of);
    return page;
  };

  it.each(LOOKED.flatMap((of) => WIDTHS.map((width) => ({ ...of, width }))))(
    'shows $view as it was at $width pixels',
    async (of) => {
      const page = await shown(of, of.width);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const name = `${colorScheme}/${of.view}-${of.width}.png`;
        expect(faultsOf(name, await pictureOf(page))).toBe(null);
      }
      await done(page);
    },
  );

  it('differs where something is missing, lies over another thing, or has no style, and not by the fonts that are there', async () => {
    const page = await shown(LOOKED[0]!);
    const apart = async (style: string) => {
      await page.evaluate(`fault.replaceSync(${JSON.stringify(style)})`);
      return cellsApart(readPng(readFileSync(`${KEPT}light/ask-1280.png`)), await pictureOf(page)).length;
    };
    await page.evaluate('window.fault = new CSSStyleSheet(); document.adoptedStyleSheets.push(fault)');
    expect(await apart('')).toBe(0);
    expect(await apart(':root { --sans: serif; --serif: monospace } button, input, svg { font-family: cursive }')).toBe(
      0,
    );
    for (const style of [
      'button.main { visibility: hidden }',
      '.brand { visibility: hidden }',
      '.match:first-child .share:first-child .bar { visibility: hidden }',
      'mark { background: none }',
      '.threshold-says { margin-top: -1rem }',
      '.match .actions { margin-top: -1.5rem; margin-bottom: 1.5rem }',
    ])
      expect([style, await apart(style)]).toEqual([style, expect.toSatisfy((cells: number) => cells > APART_MAX)]);
    await page.evaluate('document.styleSheets[0].disabled = true');
    expect(await apart('')).toBeGreaterThan(1000);
    await done(page);
  });
});

/** Null where a picture is as it was, else where it differs. */
function faultsOf(name: string, taken: Grey): string | null {
  const path = KEPT + name;
  if (expect.getState().snapshotState.snapshotUpdateState === 'all') {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path) || cellsApart(readPng(readFileSync(path)), taken).length > 0)
      writeFileSync(path, writePng(taken));
  }
  const apart = cellsApart(readPng(readFileSync(path)), taken);
  if (apart.length <= APART_MAX) return null;
  const seen = join(tmpdir(), name.replace('/', '-'));
  writeFileSync(seen, writePng(taken));
  const places = apart.slice(0, 5).map(({ x, y }) => `${x} ${y}`);
  return `${name}: ${apart.length} cells differ, from ${places.join(', ')}; what is there now is in ${seen}`;
}
