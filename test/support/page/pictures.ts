import type { Page } from 'playwright-core';
import { boxFont } from './box-font.ts';
import { type Grey, readPng } from './png.ts';

/*
 * Pictures of a page that are alike on every machine: letters are bars, the clock stands, and durations and sizes that differ from
 * run to run are 7. They are compared by the mean luminance of cells of 16 by 16 CSS pixels.
 */

/** A picture has a pixel for 2 by 2 CSS pixels. */
const SCALE = 0.5;
const CELL = 8;
/** Of 255: how far the means of two cells may be apart. The mark behind words comes to 9. */
const APART = 6;

/** What a page runs before its own script. */
export const PICTURED = `
  const bytes = Uint8Array.from(atob('${boxFont().toString('base64')}'), (letter) => letter.charCodeAt(0));
  const face = new FontFace('Box', bytes, { weight: '100 900' });
  document.fonts.add(face);
  face.load();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::placeholder, ::file-selector-button { font-family: Box !important; caret-color: transparent !important } .match { content-visibility: visible !important }');
  document.adoptedStyleSheets = [sheet];
  // each page is one that nobody has been at
  if (location.protocol === 'http:') sessionStorage.clear();
  Date.now = () => Date.parse('2026-03-01T12:00:00Z');
  const { text } = Response.prototype;
  Response.prototype.text = async function () {
    return (await text.call(this)).replace(/"(elapsedMs|uptimeS|diskBytes|freeBytes)":[0-9.]+/g, '"$1":7');
  };
`;

/** All of a page, also what one would scroll to. */
export async function pictureOf(page: Page): Promise<Grey> {
  const client = await page.context().newCDPSession(page);
  await page.evaluate(
    'document.activeElement.blur(); document.fonts.ready.then(() => new Promise(requestAnimationFrame))',
  );
  const { cssContentSize } = await client.send('Page.getLayoutMetrics');
  const { data } = await client.send('Page.captureScreenshot', {
    clip: { ...cssContentSize, scale: SCALE },
    captureBeyondViewport: true,
  });
  await client.detach();
  return readPng(Buffer.from(data, 'base64'));
}

/** Where two pictures differ: the upper left corners of their cells, in CSS pixels. What only one of them has differs. */
export function cellsApart(a: Grey, b: Grey): { readonly x: number; readonly y: number }[] {
  const [columns, rows] = [
    Math.ceil(Math.max(a.width, b.width) / CELL),
    Math.ceil(Math.max(a.height, b.height) / CELL),
  ];
  const [meansA, meansB] = [meansOf(a, columns, rows), meansOf(b, columns, rows)];
  return [...meansA.keys()]
    .filter((at) => Math.abs(meansA[at]! - meansB[at]!) > APART)
    .map((at) => ({ x: ((at % columns) * CELL) / SCALE, y: (Math.floor(at / columns) * CELL) / SCALE }));
}

/** Of each cell; what lies outside of a picture is black in it. */
function meansOf({ width, height, values }: Grey, columns: number, rows: number): Float64Array {
  const means = new Float64Array(columns * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / CELL) * columns;
    for (let x = 0; x < width; x++) means[row + Math.floor(x / CELL)]! += values[y * width + x]! / (CELL * CELL);
  }
  return means;
}
