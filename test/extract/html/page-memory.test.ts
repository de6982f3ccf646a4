import { describe, expect, it } from 'vitest';
import { fromBlocks, pageContent } from '../../../src/extract/html/html-scanner.ts';
import { LEVELS } from '../../../src/extract/html/main/block-table.ts';
import { createPageMemory } from '../../../src/extract/html/memory/page-memory.ts';
import { TextWriter } from '../../../src/extract/html/text-writer.ts';
import { BrokenPages } from '../../support/pages/broken-pages.ts';
import { hostileDocuments } from '../../support/pages/hostile.ts';
import { markedUp } from '../../support/pages/marked-up.ts';
import { createPrng } from '../../support/prng.ts';

const encoder = new TextEncoder();

/** All that is found in a page: what is told of it, and its table of blocks. */
function found(utf8: Uint8Array, xhtml: boolean, withWasm: boolean) {
  const { text, title, language, main } = pageContent(utf8, xhtml, withWasm);
  const table = fromBlocks(
    utf8,
    ({ columns, count, elements }) => {
      const rows = Object.entries(columns).map(([name, column]) => [
        name,
        Array.from(column.subarray(0, name === 'around' ? LEVELS * count : count)),
      ]);
      return { count, elements, ...Object.fromEntries(rows) };
    },
    withWasm,
  );
  return { text: Buffer.from(text).toString('latin1'), title, language, main: main && Array.from(main), table };
}

function holdBoth(utf8: Uint8Array, xhtml: boolean): void {
  expect(found(utf8, xhtml, true)).toEqual(found(utf8, xhtml, false));
}

describe('a page in the memory of WebAssembly', () => {
  it('is there at all', () => {
    expect(createPageMemory()?.hold(encoder.encode('<p>x'), 2)).toEqual(Uint8Array.of(0x3c, 0x70, 0x3e, 0x78, 0, 0));
  });

  it('says what TypeScript reads in it: of broken pages', () => {
    const prng = createPrng(31);
    const pages = new BrokenPages(prng);
    for (let i = 0; i < 1500; i++) holdBoth(encoder.encode(pages.next()), i % 4 === 0);
  });

  it('… of pages with texts and attributes of all kinds', () => {
    const prng = createPrng(37);
    for (let i = 0; i < 400; i++) holdBoth(encoder.encode(markedUp(prng, 1 + prng.below(200))), i % 8 === 0);
  });

  it('… of hostile pages', () => {
    for (const { bytes, contentType } of hostileDocuments(150)) if (contentType === 'text/html') holdBoth(bytes, false);
  });

  it('… of pages after which it is let go, and of those too long for it', () => {
    const memory = createPageMemory()!;
    expect(memory.isLarge).toBe(false);
    const large = encoder.encode('<p>The tide comes in. </p>'.repeat(150_000));
    expect(memory.hold(large, 2)).not.toBeNull();
    expect(memory.isLarge).toBe(true);
    expect(memory.hold(new Uint8Array(0x100_0001), 2)).toBeNull();
    for (const withWasm of [true, false, true])
      expect(pageContent(large, false, withWasm).text).toHaveLength(19 * 150_000);
  });

  it('… of a page with a space before what parts blocks without a tag of its own', () => {
    for (const page of ['<svg>s <a><h>', 's <a hidden><a><h>']) {
      const utf8 = encoder.encode(page);
      holdBoth(utf8, false);
      expect(found(utf8, false, true).table).toMatchObject({ count: 1, to: [1] });
    }
  });
});

describe('a writer that is lent a buffer', () => {
  it('writes to one of its own where that is too short, and keeps what it has written', () => {
    const lent = Buffer.alloc(16);
    const writer = new TextWriter(0, lent);
    writer.writeString('tide');
    expect([writer.isLent, lent.subarray(0, 4).toString()]).toEqual([true, 'tide']);
    writer.write(encoder.encode(' and '.repeat(9)), 0, 45);
    expect(writer.isLent).toBe(false);
    lent.fill(0);
    expect(Buffer.from(writer.finish()).toString()).toBe(`tide${' and '.repeat(9)}`);
  });

  it('gives it back when it is asked to, and a copy of it at the end', () => {
    const lent = Buffer.alloc(64);
    const writer = new TextWriter(0, lent);
    writer.writeString('tide');
    const copy = writer.finish();
    writer.giveBack();
    lent.fill(0);
    expect([writer.isLent, Buffer.from(copy).toString(), writer.toString(0, 4)]).toEqual([false, 'tide', 'tide']);
  });
});
