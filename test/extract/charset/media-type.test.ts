import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from '../../../src/extract/charset/media-type.ts';

const kindOf = (contentType: string | null, body: string | Uint8Array) =>
  mediaTypeOf(contentType, typeof body === 'string' ? Buffer.from(body) : body).kind;
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const random = (length: number) => Uint8Array.from({ length }, (_, i) => (i * i * 167 + i * 29 + 13) & 0xff);

describe('a Content-Type', () => {
  it.each([
    ['text/html', 'html'],
    ['Text/HTML; charset=utf-8', 'html'],
    [' text/html ;charset=x', 'html'],
    ['text/html, text/html', 'html'],
    ['application/xhtml+xml', 'xhtml'],
    ['text/plain', 'plain'],
    ['text/markdown; variant=GFM', 'plain'],
    ['text/x-unheard-of', 'plain'],
  ])('%s is believed of text', (contentType, kind) => {
    expect(kindOf(contentType, 'some words')).toBe(kind);
  });

  it.each([
    'application/json',
    'text/json',
    'text/x-ndjson',
    'image/png',
    'text/richtext',
    'application/x-www-form-urlencoded',
    'application/xml',
  ])('%s is refused by its name', (contentType) => {
    expect(() => mediaTypeOf(contentType, Buffer.from('some words'))).toThrow(
      expect.objectContaining({ code: 'unsupported-media-type', message: expect.stringContaining(contentType) }),
    );
  });

  it('of XML is XHTML where the root is html', () => {
    const page = '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>';
    expect(kindOf('application/xml', page)).toBe('xhtml');
    expect(kindOf('text/xml', page)).toBe('xhtml');
    expect(() => kindOf('application/rss+xml', '<rss><channel/></rss>')).toThrow('application/rss+xml');
  });

  it('of plain text is believed of what looks like HTML', () => {
    expect(kindOf('text/plain', '<!doctype html><p>x')).toBe('plain');
  });

  it.each([
    ['text/html; charset=UTF-8', 'UTF-8'],
    ['text/html;charset="shift_jis"', 'shift_jis'],
    ["text/html; foo=bar; Charset = 'gbk' ; x=y", 'gbk'],
    ['text/html; charset=', null],
    ['text/html', null],
    [null, null],
  ])('%s names the charset %s', (contentType, label) => {
    expect(mediaTypeOf(contentType, Buffer.from('words')).charsetLabel).toBe(label);
  });
});

describe('without a Content-Type that says anything', () => {
  const silent = [null, '', 'html', 'application/octet-stream', 'binary/octet-stream', 'unknown/unknown', ';;;'];

  it.each(silent)('%j: a page is known by how it begins', (contentType) => {
    for (const start of ['<!DOCTYPE html>', '<!doctype  HTML PUBLIC "x">', '<html>', '<HTML lang=en>', '<!-- x -->']) {
      expect(kindOf(contentType, ` \n${start} words`)).toBe('html');
    }
    for (const start of ['<p>', '<body>', '<h1 id=x>', '<article>', '<br/>', '<meta charset=utf-8>']) {
      expect(kindOf(contentType, `${start}words`)).toBe('html');
    }
  });

  it.each(silent)('%j: all else is plain text', (contentType) => {
    for (const start of [
      'words',
      '',
      '<',
      '< p>',
      '<pwords>',
      '<unheard>',
      'a <p> b',
      '<3',
      'BM',
      'ID3',
      'MZ was here',
    ]) {
      expect(kindOf(contentType, start)).toBe('plain');
    }
  });

  it('an XML declaration is of XHTML or of an XML document, which is refused', () => {
    expect(kindOf(null, '<?xml version="1.0"?><html xmlns="x">')).toBe('xhtml');
    expect(() => kindOf(null, '<?xml version="1.0"?><rss>')).toThrow('XML document');
  });

  it('a page in UTF-16 with a byte order mark is known', () => {
    expect(kindOf(null, Buffer.from('\ufeff<!doctype html><p>words', 'utf16le'))).toBe('html');
    expect(kindOf(null, Buffer.from('\ufeffwords', 'utf16le'))).toBe('plain');
  });
});

describe('bytes that are no text', () => {
  const files: [string, Uint8Array][] = [
    ['a PDF file', latin1('%PDF-1.7\n')],
    ['a PNG image', latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    ['a JPEG image', latin1('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['a GIF image', latin1('GIF89a\x01\0\x01\0')],
    ['a WebP image', latin1('RIFF\x24\0\0\0WEBPVP8 ')],
    ['an MP4 or HEIF file', latin1('\0\0\0\x18ftypmp42')],
    ['a ZIP archive', latin1('PK\x03\x04\x14\0')],
    ['gzip data', latin1('\x1f\x8b\x08\0')],
    ['an RTF file', latin1('{\\rtf1\\ansi')],
    ['a program (ELF)', latin1('\x7fELF\x02\x01')],
    ['a tar archive', latin1(`notes.txt${'\0'.repeat(248)}ustar\0`)],
    ['binary data', random(2000)],
    ['binary data', Buffer.from('sixteen bits and no byte order mark', 'utf16le')],
  ];

  it.each(files)('are refused as %s, whatever the header says', (name, bytes) => {
    for (const contentType of ['text/html', 'text/plain', 'application/octet-stream', null]) {
      expect(() => mediaTypeOf(contentType, bytes)).toThrow(
        expect.objectContaining({ code: 'unsupported-media-type', message: expect.stringContaining(name) }),
      );
    }
  });

  it('are not seen in text with a few control bytes, as text from PDF files has', () => {
    expect(kindOf('text/plain', `the de\x02nition of e\x01cient ${'and so on '.repeat(20)}`)).toBe('plain');
    expect(kindOf(null, 'a\0b')).toBe('plain');
  });

  it('are not seen in a page that begins as one, nor where the header says UTF-16', () => {
    expect(kindOf('text/html', `<p>${'\0'.repeat(100)}`)).toBe('html');
    expect(kindOf('text/plain; charset=utf-16le', Buffer.from('sixteen bits', 'utf16le'))).toBe('plain');
  });
});
