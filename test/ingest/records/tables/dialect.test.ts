import { describe, expect, it } from 'vitest';
import { dialectOf, signsOf } from '../../../../src/ingest/records/tables/dialect.ts';

const quoteOf = (text: string) => dialectOf(signsOf(Buffer.from(text), true), {}).quote;

describe('the dialect of a table', () => {
  it.each([
    ['url,text\n', ','],
    ['a;b\n1,2,3;4\n', ';'],
    ['\ufeffsep=;\r\nurl,text;b\n', ';'],
    ['"sep=|"\rurl;b|c', '|'],
    ['# a,b,c,d\n\nurl\ttext\n', '\t'],
    ['url|text\ra,b,c,d', '|'],
    ['url;"a,b,c"\n', ';'],
    ['url\n', ','],
  ])('of %j has fields with %j between them', (text, delimiter) => {
    expect(signsOf(Buffer.from(text), false).delimiter).toBe(delimiter);
  });

  it.each([
    ['id\ttext\n1\t"Low water\n2\t"Ebb\n', null],
    ['id\ttext\n1\t"Low" water\n', null],
    ['id\ttext\n1\t"Low water"\n', null],
    ['id\ttext\n1\t"Low\n2\tb"\tc\n', null],
    ['id\ttext\n1\tsay ""no""\n', null],
    ['id\ttext\n1\t"say ""no"""\n', '"'],
    ['id\ttext\r\n1\t"two\r\nlines"\r\n', '"'],
    ['id\ttext\n1\t"a\tb"\n', '"'],
    ['"id"\t"text"\n1\tb\n', '"'],
    ['"id"\t"text"\n1\t"it is cut', '"'],
    ['"id"\t"text"\n1\t"b\n2\t"c\n', null],
  ])('with tabs, of %j, has the quote %j', (text, quote) => {
    expect(quoteOf(text)).toBe(quote);
  });

  it('is what was told, and otherwise what the file shows', () => {
    const signs = { delimiter: ';', hasQuotes: false };
    expect(dialectOf(signs, {})).toEqual({ delimiter: ';', quote: '"', escapedBy: null, hasHead: true });
    expect(dialectOf(signs, { delimiter: '\t' })).toMatchObject({ delimiter: '\t', quote: null });
    expect(dialectOf(signs, { delimiter: '\t', quote: "'", escapedBy: '\\', noHeader: true })).toEqual({
      ...{ delimiter: '\t', quote: "'", escapedBy: '\\', hasHead: false },
    });
    expect(dialectOf(signs, { quote: null })).toMatchObject({ delimiter: ';', quote: null });
  });
});
