import { describe, expect, it } from 'vitest';
import { fromBlocks, pageContent } from '../../../src/extract/html/html-scanner.ts';
import { BLOCKS_MAX } from '../../../src/extract/html/main/block-table.ts';
import { DEPTH_MAX } from '../../../src/extract/html/main/page-blocks.ts';
import { hostileDocuments } from '../../support/pages/hostile.ts';

const bytesOf = (html: string) => new TextEncoder().encode(html);
/** What of a page is main, as text; null where nothing is told apart. */
function mainOf(html: string): string | null {
  const { text, main } = pageContent(bytesOf(html), false);
  if (main === null) return null;
  const parts: string[] = [];
  for (let i = 0; i < main.length; i += 2) parts.push(new TextDecoder().decode(text.subarray(main[i], main[i + 1])));
  return parts.join('\n');
}
/** Blocks of a page and the bytes that they take, null beyond their bounds. */
const sizeOf = (html: Uint8Array) =>
  fromBlocks(html, ({ columns, count, elements }) => ({
    count,
    elements,
    rowBytes: Object.values(columns).reduce((sum, { BYTES_PER_ELEMENT: bytes }) => sum + bytes, 0),
    bytes: Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, 0),
    rows: columns.from.length,
  }));

const PARAGRAPHS = [
  'The tide comes in twice a day on most coasts, and each time it is some fifty minutes later than on the day before.',
  'Sailors who wait for the water to rise know that it rises slowly at first, quickly in the third hour, and slowly again.',
  'In narrow bays, the height between low and high water may come to more than twelve metres, which few harbours can use.',
];
const MENU = '<nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/about>About us</a></ul></nav>';
const page = (menu: string, foot: string) =>
  `<!doctype html><title>Tides</title><body>${menu}<main><article><h1>How tides work</h1>${PARAGRAPHS.map((p) => `<p>${p}</p>`).join('')}</article></main>${foot}`;

describe('the main text of a page', () => {
  it('is its article, without ways around, whatever stands beside it', () => {
    const foot = '<footer><p>Copyright of the harbour office. All rights reserved.</p></footer>';
    const bare = mainOf(page('', ''))!;
    const framed = mainOf(page(MENU, foot))!;
    for (const paragraph of PARAGRAPHS) for (const main of [bare, framed]) expect(main).toContain(paragraph);
    for (const other of ['News', 'About us', 'Copyright']) expect(framed).not.toContain(other);
  });

  it('is not told of a page of more blocks, or deeper, than are looked at', () => {
    const blocks = (count: number) => `<p>${'word</p><p>'.repeat(count - 1)}word</p>`;
    expect(sizeOf(bytesOf(blocks(BLOCKS_MAX)))?.count).toBe(BLOCKS_MAX);
    expect(mainOf(blocks(BLOCKS_MAX))).not.toBeNull();
    expect(mainOf(blocks(BLOCKS_MAX + 1))).toBeNull();
    const deep = (depth: number) => `${'<div>'.repeat(depth)}word`;
    expect(mainOf(deep(DEPTH_MAX))).not.toBeNull();
    expect(mainOf(deep(DEPTH_MAX + 1))).toBeNull();
    // the next page is looked at as if there had been none before it
    expect(mainOf(page(MENU, ''))).toContain(PARAGRAPHS[0]);
  });

  it('takes at most 64 bytes a block, and no memory beyond the largest table', () => {
    const full = sizeOf(bytesOf(`<p>${'word</p><p>'.repeat(BLOCKS_MAX - 1)}word</p>`))!;
    expect(full.bytes / full.rows).toBeLessThanOrEqual(64);
    expect(full.rows).toBeLessThanOrEqual(BLOCKS_MAX);
    expect(sizeOf(bytesOf('<p>word'))!.rows).toBeLessThan(BLOCKS_MAX / 4);
  });

  it('takes steps in proportion to a page, however hostile: twice the page, at most twice the blocks and elements', () => {
    for (const [i, { name, bytes, contentType }] of hostileDocuments(1000).entries()) {
      if (contentType !== 'text/html') continue;
      const [one, two] = [sizeOf(bytes), sizeOf(hostileDocuments(2000)[i]!.bytes)];
      if (one === null || two === null) continue;
      expect([name, two.count <= 2 * one.count + 2, two.elements <= 2 * one.elements + 8]).toEqual([name, true, true]);
      expect(two.elements).toBeLessThanOrEqual(4 * two.count + 1);
    }
  });
});
