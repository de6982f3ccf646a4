import { describe, expect, it } from 'vitest';
import { elementAt, elementNamed } from '../../../src/extract/html/elements.ts';
import { pageContent } from '../../../src/extract/html/html-scanner.ts';
import { entityTableModule, namedReferences } from '../../../tools/generate-entity-table.ts';
import { runHtmlCampaign } from '../../campaigns/html.ts';
import { hostileDocuments } from '../../support/pages/hostile.ts';
import { htmlparser2Page } from '../../support/pages/htmlparser2-page.ts';
import { KNOWN_DIFFERENCES } from '../../support/pages/known-differences.ts';
import { standardPage } from '../../support/pages/standard-page.ts';
import { readText } from '../../support/tree/tree.ts';

const read = (page: string, xhtml = false) => pageContent(Buffer.from(page), xhtml);
const textOf = (page: string, xhtml = false) => Buffer.from(read(page, xhtml).text).toString();
const standardText = (page: string) => Buffer.from(standardPage(Buffer.from(page), false).text).toString();
const htmlparser2Text = (page: string) => Buffer.from(htmlparser2Page(Buffer.from(page), false).text).toString();

describe('10,000 generated broken pages (many in campaigns/html.ts)', () => {
  const { pages, failures, known } = runHtmlCampaign(10_000, 1997);

  it('are read as parse5 and htmlparser2 read them, whole and cut anywhere', () => {
    expect(failures).toEqual([]);
    expect(pages).toBe(10_000);
  });

  it('show every known difference of htmlparser2, and leave most pages without one', () => {
    for (const { reason } of KNOWN_DIFFERENCES) expect(known.get(reason)?.differ, reason).toBeGreaterThan(0);
    const maybe = [...known.values()].reduce((sum, count) => sum + count.pages, 0);
    expect(maybe).toBeLessThan(pages / 3);
  });
});

describe('where htmlparser2 does not follow the standard, we do', () => {
  it.each([
    ['a page cut in the name of a tag', 'a<tit', 'a'],
    ['CDATA outside drawings', 'a<![CDATA[b>c]]>d', 'ac]]>d'],
    ['CDATA that never ends', '<svg>a<![CDATA[b>c', 'ab>c'],
    ['an end tag with an attribute', 'a</p x="b>c">d', 'a\nd'],
    ['a slash before a space', '<svg><title / >a</svg>b', 'b'],
    ['a script that writes a script', 'a<script><!-- x("<script></script>") --></script>b', 'a\nb'],
    ['a reference behind a "<" of a title', '<title><&amp;</title>', '<&\n'],
  ])('%s', (_name, page, text) => {
    expect(textOf(page)).toBe(text);
    expect(standardText(page)).toBe(text);
    expect(htmlparser2Text(page)).not.toBe(text);
  });

  it('a name for a character beyond U+FFFF', () => {
    expect(textOf('&Afr;&Afr')).toBe('𝔄&Afr');
  });
});

describe('markup that is not quite markup', () => {
  it.each([
    ['<', '<'],
    ['a<', 'a<'],
    ['a</', 'a</'],
    ['a<!', 'a'],
    ['a<?', 'a'],
    ['a<b', 'a'],
    ['a</b', 'a'],
    ['a</b ', 'a'],
    ['a<b/', 'a'],
    ['a<b c="', 'a'],
    ['a<b c="d>e', 'a'],
    ['a<<b>c', 'a<c'],
    ['a<>b', 'a<>b'],
    ['a</>b', 'ab'],
    ['a</ b>c', 'ac'],
    ['a<1>b', 'a<1>b'],
    ['a<!>b<!->c<!-x>d', 'abcd'],
    ['a<?b "c>d', 'ad'],
    ['a<!doctype b "c>d', 'ad'],
    ['a<b c=">" d=\'>\' e=f>g', 'ag'],
    ['a<b c = ">" d =\n\'>\'>e', 'ae'],
    ['a<b =">">c', 'a">c'],
    ['a<b c"=">">d', 'ad'],
    ['a<b c=d"e=">f', 'af'],
    ['a<b c="d"e=">">f', 'af'],
    ['a<b c=>d', 'ad'],
    ['a<b/c=">"/>d', 'ad'],
    [`a<b ${'c="d>" '.repeat(50)}>e`, 'ae'],
    [`a<${'b'.repeat(100)} c=">">d`, 'a\nd'],
    ['a<styles>b<style >c</styles></style\n>d', 'a\nb\nd'],
    ['a<b\0>c', 'a\nc'],
  ])('%j shows %j', (page, text) => {
    expect(textOf(page)).toBe(text);
    expect(standardText(page)).toBe(text);
  });
});

describe('comments', () => {
  it.each([
    ['a<!-->b', 'ab'],
    ['a<!--->b', 'ab'],
    ['a<!---->b', 'ab'],
    ['a<!----->b', 'ab'],
    ['a<!--!>b-->c', 'ac'],
    ['a<!---!>b-->c', 'ac'],
    ['a<!----!>b', 'ab'],
    ['a<!--x--!>b', 'ab'],
    ['a<!--x--!-->b', 'ab'],
    ['a<!--x--!->b--!>c', 'ac'],
    ['a<!--x->b-- >c-->d', 'ad'],
    ['a<!--<!--x-->b', 'ab'],
    ['a<!--<!-->b', 'ab'],
    ['a<!-- x', 'a'],
    ['a<!--x--', 'a'],
    ['a<!--x--!', 'a'],
  ])('%j shows %j', (page, text) => {
    expect(textOf(page)).toBe(text);
    expect(standardText(page)).toBe(text);
  });
});

describe('raw text', () => {
  it.each([
    ['<script>a</scriptx></script/>b', 'b'],
    ['<script><!--</script>a', 'a'],
    ['<script><!-- <script> </script> a </script>b', 'b'],
    ['<script><!-- <script> --></script>a', 'a'],
    ['<script><!--><script></script>a', 'a'],
    ['<script><!-- <scripts> </script>a', 'a'],
    ['<script><!-- <script></script></script>a', 'a'],
    ['<style><!-- </style>a', 'a'],
    ['<title>a</title', 'a</title'],
    ['<title>a</titles></title\t>b', 'a</titles>\nb'],
    ['<textarea>a&lt</textarea x="b>c">d', 'a<\nd'],
    ['<xmp>a&lt;<b></xmp>c', 'a&lt;<b>\nc'],
    ['<plaintext>a</plaintext>&lt;', 'a</plaintext>&lt;'],
    ['<noscript>a<b>c</b></noscript>d', 'ac\nd'],
    ['<svg><textarea>a<b>c</b></textarea></svg>d', 'ac\nd'],
  ])('%j shows %j', (page, text) => {
    expect(textOf(page)).toBe(text);
    expect(standardText(page)).toBe(text);
  });
});

describe('references', () => {
  const names = namedReferences();

  it('are the names that the table was made of', () => {
    expect(readText('src/extract/html/entity-table.ts')).toBe(entityTableModule());
    expect(names.size).toBe(2231);
  });

  it('of every name are what they stand for, whatever follows', () => {
    const wrong = [...names].filter(([name, value]) =>
      ['', ' ', 'x', '1', ';', '&', '<b>'].some((after) => {
        const page = `<p>&${name}${after}`;
        const text = textOf(page);
        return text !== standardText(page) || (after === ' ' && text !== `${value} `);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('of every beginning of a name are what the standard says', () => {
    const beginnings = new Set([...names.keys()].flatMap((name) => Array.from(name, (_, i) => name.slice(0, i + 1))));
    const wrong = [...beginnings].filter((name) => textOf(`&${name}`) !== standardText(`&${name}`));
    expect(beginnings.size).toBeGreaterThan(5000);
    expect(wrong).toEqual([]);
  });

  it('by number are what the standard says', () => {
    const numbers = [
      ...Array(700).keys(),
      0xd7ff,
      0xd800,
      0xdfff,
      0xe000,
      0xfdd0,
      0xffff,
      0x10ffff,
      0x110000,
      2 ** 31,
      2 ** 32 + 65,
    ];
    const pages = numbers.flatMap((n) => [
      `&#${n};`,
      `&#${n}x`,
      `&#x${n.toString(16)};`,
      `&#X0${n.toString(16).toUpperCase()} `,
    ]);
    // the tokenizer of parse5 makes line feeds of carriage returns that are written as such only
    expect(pages.filter((page) => textOf(page) !== standardText(page))).toEqual([]);
    expect(textOf(`&#${'0'.repeat(1_000_000)}65;&#x${'9'.repeat(1_000_000)}`)).toBe('A\ufffd');
  });
});

describe('elements', () => {
  it('are found by their names in any case, and by nothing that resembles them', () => {
    const numberOf = (name: string) => elementAt(Buffer.from(`${name}>`), 0) & 0xff;
    for (const name of ['b', 'h1', 'svg', 'template', 'noframes', 'blockquote', 'annotation', 'annotation-xml']) {
      expect(numberOf(name)).toBe(elementNamed(name));
      expect(numberOf(name.toUpperCase())).toBe(elementNamed(name));
      expect(numberOf(name)).toBeGreaterThan(0);
      for (const other of [`${name}x`, `x${name}`, `${name}\0`, `\0${name}`]) expect(numberOf(other)).toBe(0);
    }
    for (const name of ['h\x11', '\x02', 'annotation-xmk', 'blockquotf', '']) expect(numberOf(name)).toBe(0);
  });

  it('are found in XHTML behind a prefix, though the whole name is longer than any', () => {
    expect(textOf('a<abcdefghijk:script>b</abcdefghijk:script>c', true)).toBe('a\nc');
    expect(textOf('a<abcdefghijk:script>b</abcdefghijk:script>c')).toBe('a\nb\nc');
  });
});

describe('a page that ends anywhere', () => {
  const page =
    '<!doctype html><html lang=de><title>a &eacute; b</title><p class="x > y">c&#233;&CounterClockwiseContourIntegral;' +
    '<!-- d --><svg><![CDATA[e]]></svg><script><!-- <script></script> --></script><textarea>f</textareas></textarea>g</p';
  const contentOf = (text: string) => pageContent(Buffer.from(text), false);

  it('reads as the standard does, and so where it goes on with white space', () => {
    for (let end = 0; end <= page.length; end++) {
      for (const after of ['', ' '.repeat(10), ' '.repeat(1_000)]) {
        const text = page.slice(0, end) + after;
        const { main: _, ...content } = contentOf(text);
        expect(content, text).toEqual(standardPage(Buffer.from(text), false));
      }
    }
  });

  it.each(hostileDocuments(20_000).map(({ name, bytes }) => [name, bytes] as const))(
    'begins with the text of its first half: %s',
    (_name, bytes) => {
      const half = bytes.subarray(0, bytes.length / 2);
      const whole = Buffer.from(pageContent(bytes, false).text);
      const first = Buffer.from(pageContent(half, false).text);
      // the last bytes may be of a reference or a tag that is cut
      const sure = Math.max(0, first.length - 100);
      expect(whole.subarray(0, sure).equals(first.subarray(0, sure))).toBe(true);
    },
  );
});
