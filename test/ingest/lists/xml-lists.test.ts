import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import { xmlListReader } from '../../../src/ingest/lists/xml-lists.ts';
import { brief, itemsOf, packedFile, plainFile, readAndResume } from '../../support/ingest/opened.ts';

const LIMITS = { ...DEFAULT_INGEST_LIMITS, addressBytesMax: 100 };
const DAY = Date.UTC(2026, 0, 2);

const SITEMAP = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>https://a.example/?a=1&amp;b=ä</loc><lastmod>2026-01-02</lastmod>
    <image:image><image:loc>https://a.example/i.png</image:loc></image:image></url>
  <url><loc><![CDATA[ https://a.example/2 ]]></loc><lastmod>no date</lastmod></url>
  <url><lastmod>2026-01-02</lastmod></url>
</urlset>`;
const INDEX = `<sm:sitemapindex xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:sitemap>
  <sm:loc>https://a.example/1.xml.gz</sm:loc><sm:lastmod>2026-01-02T00:00:00+00:00</sm:lastmod></sm:sitemap></sm:sitemapindex>`;
const RSS = `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title><link>https://a.example/</link>
  <atom:link href="https://a.example/feed" rel="self"/>
  <item><title>One</title><link>https://a.example/1</link><pubDate>Fri, 02 Jan 2026 00:00:00 GMT</pubDate></item>
  <item><guid isPermaLink="true">https://a.example/2</guid></item>
  <item><guid isPermaLink="false">17</guid></item></channel></rss>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="https://a.example/feed"/>
  <entry><link rel="enclosure" href="https://a.example/1.mp3"/><link href="https://a.example/1"/>
    <updated>2026-01-02T00:00:00Z</updated><content type="xhtml"><div><link href="https://b.example/"/></div></content></entry>
  <entry><id>https://a.example/2</id><published>2026-01-02T00:00:00Z</published></entry></feed>`;

describe('a list in XML', () => {
  const read = xmlListReader(LIMITS);
  const wanted = (url: string, lastModified: number | null = null) => ({ wanted: url, lastModified });

  it.each([
    [
      'a sitemap',
      SITEMAP,
      [wanted('https://a.example/?a=1&b=%C3%A4', DAY), wanted('https://a.example/2'), { refused: 'no-url' }],
    ],
    ['an index of sitemaps', INDEX, [{ list: 'https://a.example/1.xml.gz', lastModified: DAY }]],
    ['RSS', RSS, [wanted('https://a.example/1', DAY), wanted('https://a.example/2'), { refused: 'no-url' }]],
    ['Atom', ATOM, [wanted('https://a.example/1', DAY), wanted('https://a.example/2', DAY)]],
  ])('may be %s', async (_what, xml, expected) => {
    const items = await readAndResume(read, plainFile(xml));
    expect(items).toMatchObject(expected);
    expect(items).toHaveLength(expected.length);
    for (let cut = 1; cut < xml.length; cut += 7) {
      expect(await itemsOf(read(plainFile(xml, [cut, 1, 300]).open(null), null))).toEqual(items);
    }
  });

  it('is told in its own character set', async () => {
    const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><urlset><url><loc>https://a.example/ä</loc></url></urlset>';
    const forms = [Buffer.from(xml, 'latin1'), Buffer.from(`\ufeff${xml}`, 'utf16le')];
    for (const form of forms) {
      expect((await readAndResume(read, plainFile(form, [5]))).map(brief)).toEqual(['https://a.example/%C3%A4']);
    }
  });

  const RSS1 = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns';
  const ATOM1 = '<feed xmlns="http://www.w3.org/2005/Atom"';

  it.each<[string, string, string[]]>([
    [
      'nested xml:base',
      `${ATOM1} xml:base="https://a.example/2024/"><entry xml:base="may/"><link href="1"/></entry>
        <entry><link xml:base="/x/" href="2"/></entry><entry><link href="3"/></entry></feed>`,
      ['https://a.example/2024/may/1', 'https://a.example/x/2', 'https://a.example/2024/3'],
    ],
    [
      'RSS 1.0 with a prefix',
      `<rdf:RDF ${RSS1}:r="http://purl.org/rss/1.0/"><r:channel/><r:item><r:link>https://a.example/1</r:link></r:item>
        <r:item rdf:about="https://a.example/2"/></rdf:RDF>`,
      ['https://a.example/1', 'https://a.example/2'],
    ],
    [
      'RSS 1.0 without one, with an image that is no page',
      `<rdf:RDF ${RSS1}="http://purl.org/rss/1.0/"><image><link>https://b.example/</link></image>
        <item><link>/1</link></item></rdf:RDF>`,
      ['no-url'],
    ],
    [
      'Atom with a prefix, and 0.3',
      `<a:feed xmlns:a="http://purl.org/atom/ns#"><a:entry><a:link rel="alternate" href="https://a.example/1"/></a:entry>
        <entry><link href="https://b.example/"/></entry></a:feed>`,
      ['https://a.example/1'],
    ],
    [
      'a sitemap whose other namespaces have their names, too',
      `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns="https://b.example/video">
        <s:url><loc>https://b.example/</loc><s:loc>https://a.example/1</s:loc></s:url></s:urlset>`,
      ['https://a.example/1'],
    ],
    [
      'a sitemap with translations, which have entries of their own',
      `<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><xhtml:link rel="alternate" href="https://a.example/de"/>
        <loc>https://a.example/en</loc></url></urlset>`,
      ['https://a.example/en'],
    ],
    [
      'items relative to their channel, and not to its image',
      `<rss><channel><image><link>https://c.example/</link></image><link>https://a.example/blog/</link>
        <item><link>1</link></item><item><link></link><guid>https://a.example/2</guid></item></channel></rss>`,
      ['https://a.example/blog/1', 'https://a.example/2'],
    ],
    [
      'pages that a proxy stands before, and media that are none',
      `<rss xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
        <item><media:link>https://c.example/</media:link><link>https://b.example/~r/1</link>
        <feedburner:origLink>https://a.example/1</feedburner:origLink></item></channel></rss>`,
      ['https://a.example/1'],
    ],
    [
      'the alternate that is a page',
      `${ATOM1}><entry><link type="application/json" href="https://a.example/1.json"/><link rel="hub" href="https://h.example/"/>
        <link type="text/html; charset=utf-8" href="https://a.example/1"/></entry>
        <entry><content src="https://a.example/2"/><id>tag:2</id></entry><entry><id>urn/3</id></entry></feed>`,
      ['https://a.example/1', 'https://a.example/2', 'no-url'],
    ],
    [
      'a DOCTYPE',
      `<!-- > --><?x <rss> ?><!DOCTYPE rss PUBLIC "-//X//DTD RSS 0.91//EN" "http://dtd.example/>" [ <!-- ]> ' -->
        <!ENTITY a "<feed>]>"><!ENTITY b '&a;&a;'> ]>
        <rss><channel><item><link>https://a.example/1</link></item>
        <item><link>https://a.example/&b;</link></item></channel></rss>`,
      ['https://a.example/1', 'malformed'],
    ],
  ])('may have %s', async (_what, xml, expected) => {
    expect((await readAndResume(read, plainFile(xml))).map(brief)).toEqual(expected);
    expect((await readAndResume(read, plainFile(xml, [1]))).map(brief)).toEqual(expected);
  });

  it('takes an undeclared prefix for what most feeds mean by it', async () => {
    const xml = `<rss><channel><item><constructor:link>https://b.example/</constructor:link>
      <guid isPermaLink="false">17</guid><dc:date>2026-01-02</dc:date>
      <atom:link href="https://a.example/1"/></item></channel></rss>`;
    expect(await readAndResume(read, plainFile(xml))).toMatchObject([wanted('https://a.example/1', DAY)]);
  });

  it('is relative to its own address where it was fetched, and refuses what is relative to nothing', async () => {
    const file = plainFile(`${ATOM1}><entry><link href="1"/></entry></feed>`);
    const fetched = { ...file.open(null), file: 'https://a.example/feeds/all' };
    expect((await itemsOf(read(fetched, null))).map(brief)).toEqual(['https://a.example/feeds/1']);
    const [refused] = await readAndResume(read, file);
    expect(refused).toMatchObject({ refused: 'no-url', detail: expect.stringContaining('relative') });
  });

  it.each([
    ['windows-1251', Buffer.from([0xe0]), 'https://a.example/%D0%B0'],
    ['UTF-16', Buffer.from('ä'), 'https://a.example/%C3%A4'],
    ['utf-8', Buffer.from([0xe0]), 'malformed'],
  ])('is read in the encoding %s that it declares', async (encoding, letter, expected) => {
    const [before, after] = [
      `<?xml version="1.0" encoding="${encoding}"?><urlset><url><loc>https://a.example/`,
      '</loc></url></urlset>',
    ];
    const bytes = Buffer.concat([Buffer.from(before), letter, Buffer.from(after)]);
    expect((await readAndResume(read, plainFile(bytes, [3]))).map(brief)).toEqual([expected]);
  });

  it('may be UTF-16 without a mark', async () => {
    const xml = Buffer.from('<urlset><url><loc>https://a.example/ä</loc></url></urlset>', 'utf16le');
    expect((await readAndResume(read, plainFile(xml))).map(brief)).toEqual(['https://a.example/%C3%A4']);
    expect((await readAndResume(read, plainFile(xml.swap16()))).map(brief)).toEqual(['https://a.example/%C3%A4']);
  });

  it.each([
    ['that is cut', SITEMAP.slice(0, 400), 'malformed'],
    ['that is none', '<html><body/></html>', 'malformed'],
    ['without an element', 'https://a.example/', 'malformed'],
    ['of nothing', '', 'malformed'],
    ['whose DOCTYPE is too long', `<!DOCTYPE rss [${' '.repeat(70_000)}`, 'too-large'],
    ['that is too deep', `<urlset>${'<url>'.repeat(100_000)}`, 'too-large'],
    [
      'with a long address',
      `<urlset><url><loc>https://a.example/${'x'.repeat(200_000)}</loc></url></urlset>`,
      'too-large',
    ],
  ])('is refused %s', async (_what, xml, reason) => {
    expect((await readAndResume(read, plainFile(xml))).map(brief).at(-1)).toBe(reason);
  });

  it('never throws, whatever it says', async () => {
    const parts = [
      '<',
      '>',
      '/',
      'urlset',
      'url',
      'loc',
      '<url>',
      '</url>',
      '<loc>',
      '</loc>',
      '&amp;',
      '&#x',
      'https://a',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      ' ',
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 30 }), async (pieces) => {
        await readAndResume(read, plainFile(`<urlset>${pieces.join('')}`, [9]));
      }),
    );
  });

  it('says where it was damaged', async () => {
    const file = packedFile([[Buffer.from(SITEMAP.slice(0, 330))], [Buffer.from(SITEMAP.slice(340))]], { 1: 'lost' });
    expect((await readAndResume(read, file)).map(brief)).toContain('damaged');
  });
});
