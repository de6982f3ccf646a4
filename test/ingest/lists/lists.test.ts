import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import { jsonFeedReader } from '../../../src/ingest/lists/json-feed.ts';
import { urlListReader } from '../../../src/ingest/lists/url-list.ts';
import { xmlListReader } from '../../../src/ingest/lists/xml-lists.ts';
import { brief, itemsOf, packedFile, plainFile, readAndResume } from '../../support/ingest/opened.ts';

const LIMITS = { ...DEFAULT_INGEST_LIMITS, addressBytesMax: 100 };
const DAY = Date.UTC(2026, 0, 2);

describe('a list of URLs', () => {
  const read = urlListReader(LIMITS);

  it('has one a line', async () => {
    const text =
      '\ufeffhttps://a.example/x\r\n\n# https://a.example/no\n  http://b.example  \nftp://c.example/\n/relative\n';
    const items = await readAndResume(read, plainFile(text, [7]));
    expect(items.map(brief)).toEqual(['https://a.example/x', 'http://b.example/', 'no-url', 'no-url']);
    expect(items.map(({ at }) => at)).toEqual(['line 1', 'line 4', 'line 5', 'line 6']);
  });

  it('refuses lines that are no URL for certain', async () => {
    const lines = [Buffer.from(`https://a.example/${'x'.repeat(100)}\n`), Buffer.from([0xff, 0xfe, 0x0a])];
    expect((await readAndResume(read, plainFile(Buffer.concat(lines)))).map(brief)).toEqual(['too-large', 'malformed']);
  });
});

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

  it.each([
    ['that is cut', SITEMAP.slice(0, 400), 'malformed'],
    ['that is none', '<html><body/></html>', 'malformed'],
    ['without an element', 'https://a.example/', 'malformed'],
    ['of nothing', '', 'malformed'],
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

describe('a JSON feed', () => {
  const read = jsonFeedReader(LIMITS);

  it('names its items, relative to itself where it was fetched', async () => {
    const items = [
      { url: '/1', date_modified: '2026-01-02' },
      { external_url: 'https://b.example/', id: 'x' },
      { id: 'https://c.example/' },
      { title: 'none' },
      7,
    ];
    const feed = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items });
    const file = plainFile(feed, [10]);
    const fetched = {
      open: (from: Parameters<typeof file.open>[0]) => ({ ...file.open(from), file: 'https://a.example/feed.json' }),
    };
    const told = await readAndResume(read, fetched);
    expect(told.map(brief)).toEqual([
      'https://a.example/1',
      'https://b.example/',
      'https://c.example/',
      'no-url',
      'malformed',
    ]);
    expect(told[0]).toMatchObject({ lastModified: DAY });
  });

  it('is refused where it is none, or too long', async () => {
    expect((await readAndResume(read, plainFile('{"items":1}'))).map(brief)).toEqual(['malformed']);
    expect((await readAndResume(read, plainFile('{"items":['))).map(brief)).toEqual(['malformed']);
    const small = jsonFeedReader({ ...LIMITS, feedBytesMax: 5 });
    expect((await readAndResume(small, plainFile('{"items":[]}'))).map(brief)).toEqual(['too-large']);
  });
});
