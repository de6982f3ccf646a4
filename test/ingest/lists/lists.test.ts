import { describe, expect, it } from 'vitest';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import { jsonFeedReader } from '../../../src/ingest/lists/json-feed.ts';
import { urlListReader } from '../../../src/ingest/lists/url-list.ts';
import { brief, plainFile, readAndResume } from '../../support/ingest/opened.ts';

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

describe('a JSON feed', () => {
  const read = jsonFeedReader(LIMITS);

  it('names its items, relative to itself where it was fetched', async () => {
    const items = [
      { url: '/1', date_modified: '2026-01-02' },
      { external_url: 'https://b.example/', id: 'x' },
      { url: '', id: 'https://c.example/' },
      { id: '17' },
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
