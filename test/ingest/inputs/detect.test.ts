import { describe, expect, it } from 'vitest';
import { detectFormat, FORMATS } from '../../../src/ingest/inputs/detect.ts';
import { makeDocx, makeOdt } from '../../support/office/make-office.ts';

const detect = (file: string, head: string | Buffer, isWhole = true) =>
  detectFormat({ file, head: Buffer.from(head), isWhole }, null);
const RECORD = '{"url":"https://a.example/","text":"a"}';

describe('what a file holds', () => {
  it.each([
    ['a.ndjson', RECORD, { format: 'ndjson' }],
    ['a.jsonl.gz', '', { format: 'ndjson' }],
    ['a', '', { format: 'ndjson' }],
    ['a', `${RECORD}\n${RECORD}\n`, { format: 'ndjson' }],
    ['a.json', `${RECORD}\n${RECORD}\n`, { format: 'ndjson' }],
    ['a.json', RECORD, { format: 'json' }],
    ['a.json', `\ufeff [\n${RECORD}]`, { format: 'json' }],
    ['a.json', '{\n  "took": 1,', { format: 'json' }],
    ['a', `{"documents":[${RECORD}`, { format: 'json' }],
    ['feed.json', '{"version":"https:\\/\\/jsonfeed.org\\/version\\/1.1","items":[]}', { format: 'json-feed' }],
    ['a.csv', 'url,text\n', { format: 'csv', signs: { delimiter: ',', hasQuotes: false } }],
    ['a.csv', 'url;"a,b,c,d";text\n', { format: 'csv', signs: { delimiter: ';', hasQuotes: false } }],
    ['a.tsv', 'url,text\n', { format: 'csv', signs: { delimiter: '\t', hasQuotes: false } }],
    ['a', 'PAR1\x15\x04', { format: 'parquet' }],
    ['a.zst', 'WARC/1.1\r\n', { format: 'warc' }],
    ['a', '<?xml version="1.0"?>\n<!-- x --><urlset xmlns="y">', { format: 'xml-list' }],
    ['a', '<!DOCTYPE rss SYSTEM "x" [ <!ENTITY a "<html>"> ]><!-- x --><rss version="0.91">', { format: 'xml-list' }],
    ['a.rss', '<?xml version="1.0"?><?x <y> ?><rdf:RDF>', { format: 'xml-list' }],
    ['a', '<?xml version="1.0"?><!-- x --><!DOCTYPE html PUBLIC "x" "y"><svg>', { format: 'document' }],
    ['a', Buffer.from('\ufeff<?xml version="1.0"?><feed>', 'utf16le'), { format: 'xml-list' }],
    ['a.xml', Buffer.from('<?xml version="1.0"?><feed>', 'utf16le'), { format: 'xml-list' }],
    ['a.html', '<rss version="2.0">', { format: 'xml-list' }],
    ['a', '<!DOCTYPE html><p>', { format: 'document' }],
    ['a.md', '<custom>', { format: 'document' }],
    ['a', '%PDF-1.7', { format: 'document' }],
    ['a', '{\\rtf1 words}', { format: 'document' }],
    ['a', 'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n', { format: 'document' }],
    ['a.eml', 'Subject: words\r\n\r\nwords', { format: 'document' }],
    ['a', makeDocx(''), { format: 'document' }],
    ['a.zip', makeOdt(''), { format: 'document' }],
    ['a.txt', 'A text.', { format: 'document' }],
    ['a.txt', '# list\nhttps://a.example/\n\nhttps://b.example/', { format: 'urls' }],
    ['a.txt', Buffer.from('\ufeffA text.', 'utf16le'), { format: 'document' }],
  ])('is told of %s by %j', (file, head, expected) => {
    expect(detect(file, head)).toEqual(expected);
  });

  it.each([
    ['a', 'A text.'],
    ['a.txt', 'https://a.example/ is a page\nhttps://b.example/'],
    ['a', '<svg>'],
  ])('is not guessed of %s by %j', (file, head) => {
    expect(() => detect(file, head)).toThrow('--format');
  });

  it('is not guessed by the beginning of one long line', () => {
    expect(() => detect('a', `{"text":"${'x'.repeat(1000)}`, false)).toThrow('--format');
  });

  it.each(FORMATS)('is what was told: %s', (told) => {
    expect(detectFormat({ file: 'a.html', head: Buffer.from('{'), isWhole: false }, told)).toHaveProperty('format');
  });
});

describe('an archive', () => {
  const formatOf = (file: string, head: string, told: 'warc' | null) =>
    detectFormat({ file, head: Buffer.from(head), isWhole: true }, told).format;

  it('is WARC or ARC by its first bytes, or the next record if these are damaged, or else by its name', () => {
    for (const told of ['warc', null] as const) {
      expect(formatOf('x', 'filedesc://x.arc 0.0.0.0 20010101000000 text/plain 75\n', told)).toBe('arc');
      expect(formatOf('x.arc.gz', 'WARC/1.0\r\n', told)).toBe('warc');
      expect(formatOf('x.arc.gz', 'rubbish', told)).toBe('arc');
      expect(formatOf('x.warc', 'rubbish', told)).toBe('warc');
      expect(formatOf('x.arc', '17 1024\n\nA page\n\nWARC/0.17 980 resource', told)).toBe('warc');
      expect(formatOf('x.warc', 'bish\nfiledesc://x.arc 0.0.0.0 20010101000000 text/plain 75\n', told)).toBe('arc');
    }
  });
});
