import { describe, expect, it } from 'vitest';
import { extract } from '../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import { hostileDocuments } from '../support/pages/hostile.ts';
import { read, readParts, words } from '../support/pages/page.ts';

describe('extract', () => {
  it('goes from bytes of any charset to the text of a page', () => {
    const page = Buffer.concat([Buffer.from('<meta charset=shift_jis><p>'), Buffer.from([0x93, 0xfa, 0x96, 0x7b])]);
    expect(read(page)).toEqual({
      text: '日本',
      title: null,
      language: null,
      main: expect.any(Uint32Array),
      charset: 'shift_jis',
      kind: 'html',
    });
  });

  it('passes plain text in UTF-8 through without copying it', () => {
    const bytes = Buffer.from('plain words');
    expect(extract({ bytes, contentType: null }, DEFAULT_EXTRACT_LIMITS).text).toBe(bytes);
  });

  it('never changes the bytes it is given', () => {
    const bytes = Buffer.from('<p>a&shy;b\u00adc &amp; d');
    const before = Buffer.from(bytes);
    read(bytes);
    readParts(bytes, 'p');
    expect(bytes.equals(before)).toBe(true);
  });

  it('refuses a document over documentBytesMax, and a text over textBytesMax', () => {
    expect(() => read('12345', 'text/plain', { documentBytesMax: 4 })).toThrow(
      expect.objectContaining({ code: 'body-too-large', limit: { name: 'documentBytesMax', value: 4 } }),
    );
    const refusal = expect.objectContaining({ code: 'body-too-large', limit: { name: 'textBytesMax', value: 4 } });
    expect(read('<p>1234', 'text/html', { textBytesMax: 4 }).text).toBe('1234');
    expect(() => read('<p>12345', 'text/html', { textBytesMax: 4 })).toThrow(refusal);
    expect(() => read('12345', 'text/plain', { textBytesMax: 4 })).toThrow(refusal);
    expect(() => readParts('<p>12345', 'p', null, { textBytesMax: 4 })).toThrow(refusal);
    expect(() => read(Buffer.from('ééé', 'latin1'), 'text/plain', { textBytesMax: 4 })).toThrow(refusal);
  });
});

/*
 * Every shape is long enough that any step of quadratic cost would take minutes (200,000 nested elements took a stack of
 * htmlparser2 8 s, 800 kB of <br> took cheerio's search 138 s), far beyond the time limit of a test.
 */
describe('hostile documents of a megabyte', () => {
  const documents = hostileDocuments(200_000);

  it.each(documents.map(({ name, ...document }) => [name, document] as const))(
    '%s: read in full',
    (_name, document) => {
      const { text } = read(document.bytes, document.contentType);
      expect(text.length).toBeLessThanOrEqual(document.bytes.length * 1.2);
      if (Buffer.from(document.bytes).includes('seen')) expect(words(text)).toContain('seen');
      expect(words(text)).not.toContain('hidden');
    },
  );

  it.each(
    documents.filter(({ contentType }) => contentType === 'text/html').map(({ name, bytes }) => [name, bytes] as const),
  )('%s: read in part, or refused as too complex', (_name, bytes) => {
    try {
      expect(readParts(bytes, 'p, :has(x)').text.length).toBeLessThanOrEqual(bytes.length * 1.2);
    } catch (error) {
      expect(error).toMatchObject({ code: 'document-too-complex' });
    }
  });
});
