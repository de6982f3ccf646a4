import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/extract/charset/decode.ts';
import type { DocumentKind } from '../../../src/extract/charset/media-type.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const decode = (body: Uint8Array, label: string | null = null, kind: DocumentKind = 'html') => {
  const { utf8, charset } = decodeText(body, kind, label);
  return [charset, Buffer.from(utf8).toString()];
};

const SHIFT_JIS = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]; // 日本語
const EUC_JP = [0xc6, 0xfc, 0xcb, 0xdc, 0xb8, 0xec];
const GBK = [0xd6, 0xd0, 0xce, 0xc4]; // 中文
const BIG5 = [0xa4, 0xa4, 0xa4, 0xe5];
const EUC_KR = [0xc7, 0xd1, 0xb1, 0xdb]; // 한글
const KOI8_R = [0xd2, 0xd5, 0xd3, 0xd3, 0xcb, 0xc9, 0xca]; // русский

describe('the order in which a charset is decided', () => {
  const utf8 = [...Buffer.from('é')];

  it('puts a byte order mark before the header', () => {
    expect(decode(bytes([0xef, 0xbb, 0xbf], utf8), 'shift_jis')).toEqual(['utf-8', 'é']);
    expect(decode(Buffer.from('\ufeffé', 'utf16le'), 'utf-8')).toEqual(['utf-16le', 'é']);
    expect(decode(Buffer.from('\ufeffé', 'utf16le').swap16(), 'utf-8')).toEqual(['utf-16be', 'é']);
  });

  it('puts the header before the page', () => {
    expect(decode(bytes('<meta charset=gbk>', SHIFT_JIS), 'shift_jis')[0]).toBe('shift_jis');
  });

  it('puts the page before a guess', () => {
    expect(decode(bytes('<meta charset=iso-8859-2>', utf8))[0]).toBe('iso-8859-2');
  });

  it('guesses UTF-8 where the bytes are valid, else windows-1252', () => {
    expect(decode(bytes(utf8))).toEqual(['utf-8', 'é']);
    expect(decode(bytes([0xe9, 0x93, 0x20]), null, 'plain')).toEqual(['windows-1252', 'é“ ']);
  });

  it('does not ask a plain text what it says of itself', () => {
    expect(decode(bytes('<meta charset=gbk>é'), null, 'plain')[0]).toBe('windows-1252');
  });
});

describe('what a page says of itself', () => {
  it.each([
    '<meta charset=shift_jis>',
    '<META CHARSET="Shift_JIS" />',
    "<meta name=x charset='sjis'>",
    '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">',
    '<meta content=\'text/html;charset = "x-sjis"\' http-equiv=content-type>',
    '<!-- <meta charset=gbk> --><meta charset=shift_jis>',
    '<meta charset=unheard-of><meta charset=shift_jis>',
    '<meta content="text/html; charset=gbk"><meta charset=shift_jis>',
    '<p title="<meta charset=gbk>"><meta charset=shift_jis>',
    '<?xml version="1.0" encoding="Shift_JIS"?>',
  ])('is heard: %s', (head) => {
    expect(decode(bytes(head, SHIFT_JIS))).toEqual(['shift_jis', `${head}日本語`]);
  });

  it('comes from the XML declaration first where it is XHTML', () => {
    const head = '<?xml version="1.0" encoding="Shift_JIS"?><meta charset="gbk"/>';
    expect(decode(bytes(head, SHIFT_JIS), null, 'xhtml')[0]).toBe('shift_jis');
    expect(decode(bytes(head, SHIFT_JIS), null, 'html')[0]).toBe('gbk');
  });

  it('counts behind the first 1,024 bytes where nothing else is known, and is not looked for behind 16 KiB', () => {
    const declaredAfter = (spaces: number) => bytes(' '.repeat(spaces), '<meta charset=shift_jis>', SHIFT_JIS);
    expect(decode(declaredAfter(2_000))[0]).toBe('shift_jis');
    expect(decode(bytes(' '.repeat(20_000), '<meta charset=gbk>', SHIFT_JIS))[0]).toBe('shift_jis');
    expect(decode(bytes(' '.repeat(2_000), '<meta charset=gbk>', [...Buffer.from('é')]))[0]).toBe('utf-8');
  });

  it('cannot be UTF-16, since it was read as bytes', () => {
    expect(decode(bytes('<meta charset=utf-16>x'))[0]).toBe('utf-8');
    expect(decode(bytes('<meta charset=UTF-16LE>x'))[0]).toBe('utf-8');
  });
});

describe('legacy charsets', () => {
  it.each([
    ['shift_jis', SHIFT_JIS, '日本語'],
    ['euc-jp', EUC_JP, '日本語'],
    ['gbk', GBK, '中文'],
    ['gb2312', GBK, '中文'],
    ['big5', BIG5, '中文'],
    ['euc-kr', EUC_KR, '한글'],
    ['koi8-r', KOI8_R, 'русский'],
    ['windows-1251', [0xf0, 0xf3, 0xf1], 'рус'],
    ['iso-8859-1', [0x80, 0xe9], '€é'],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42], '日'],
    ['utf-16be', [0x65, 0xe5], '日'],
  ])('%s is decoded', (label, body, text) => {
    expect(decode(bytes(body), label)[1]).toBe(text);
  });

  it.each([
    'utf-7',
    'UTF-7',
    'unicode-1-1-utf-7',
    'iso-2022-kr',
    'csiso2022kr',
    'iso-2022-cn',
    'hz-gb-2312',
    'replacement',
  ])('%s is refused by its name, since its bytes would pass for ASCII', (label) => {
    const refusal = expect.objectContaining({ code: 'unsupported-charset', message: expect.stringContaining(label) });
    expect(() => decode(bytes('x'), label)).toThrow(refusal);
    expect(() => decode(bytes(`<meta charset="${label}">x`))).toThrow(
      expect.objectContaining({ code: 'unsupported-charset' }),
    );
  });

  it('an unknown label of the header is passed over where something else settles it, else refused', () => {
    expect(decode(bytes('<meta charset=gbk>', GBK), 'utf8mb4')[0]).toBe('gbk');
    expect(decode(Buffer.from('日本語'), 'none')).toEqual(['utf-8', '日本語']);
    expect(() => decode(bytes([0xe9]), 'no\nsuch')).toThrow(
      expect.objectContaining({ code: 'unsupported-charset', message: 'The charset "no?such" is not known' }),
    );
  });

  it('an unknown label of the page is passed over, as in browsers', () => {
    expect(decode(bytes('<meta charset=unheard-of>', [0xe9]))[0]).toBe('windows-1252');
  });
});

describe('what comes out', () => {
  it('is the very same bytes where they are valid UTF-8, or ASCII under a charset that extends it', () => {
    const body = Buffer.from('日本語 and more');
    expect(decodeText(body, 'plain', null).utf8).toBe(body);
    const ascii = Buffer.from('plain');
    expect(decodeText(ascii, 'plain', 'shift_jis').utf8).toBe(ascii);
    expect(decode(ascii, 'utf-16le')[1]).not.toBe('plain');
  });

  it('has U+FFFD for what means nothing', () => {
    expect(decode(bytes('a', [0xff], 'b', [0xc0, 0xaf]), 'utf-8')[1]).toBe('a\ufffdb\ufffd\ufffd');
    expect(decode(bytes('a', [0x81]), 'shift_jis')[1]).toBe('a\ufffd');
  });

  it('is UTF-8 where only its last character was cut', () => {
    const body = Buffer.from('日本語');
    expect(decode(body.subarray(0, 7))).toEqual(['utf-8', '日本\ufffd']);
    expect(decode(body.subarray(0, 8))).toEqual(['utf-8', '日本\ufffd']);
    expect(decode(bytes('caf', [0xe9]))).toEqual(['windows-1252', 'café']);
  });

  it('is valid UTF-8 whatever the bytes, the label and the kind', () => {
    const labels = fc.constantFrom(
      null,
      'utf-8',
      'utf-16le',
      'utf-16be',
      'gb18030',
      'big5',
      'euc-jp',
      'iso-2022-jp',
      'x',
    );
    const kinds = fc.constantFrom<DocumentKind>('html', 'xhtml', 'plain');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), labels, kinds, (body, label, kind) => {
        try {
          const { utf8 } = decodeText(body, kind, label);
          expect(() => new TextDecoder('utf-8', { fatal: true }).decode(utf8)).not.toThrow();
        } catch (error) {
          expect(error).toMatchObject({ code: 'unsupported-charset' });
        }
      }),
      { numRuns: 2000, seed: 1997 },
    );
  });
});
