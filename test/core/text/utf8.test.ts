import { describe, expect, it } from 'vitest';
import { decodeAt, encodeAt } from '../../../src/core/text/utf8.ts';

const REPLACEMENT = 0xfffd;
const decoded = (bytes: Uint8Array, at = 0) => [decodeAt(bytes, at) >> 3, decodeAt(bytes, at) & 7];

describe('one character of UTF-8', () => {
  it('is read and written for every code point there is', () => {
    const bytes = new Uint8Array(8);
    for (let code = 0; code < 0x11_0000; code++) {
      const end = encodeAt(bytes, 2, code);
      const surrogate = code >= 0xd800 && code <= 0xdfff;
      if (
        surrogate ? decodeAt(bytes, 2) !== ((REPLACEMENT << 3) | 1) : decodeAt(bytes, 2) !== ((code << 3) | (end - 2))
      )
        expect(code).toBe('read back');
    }
    for (const text of ['a', 'é', '東', '😀']) {
      expect(encodeAt(bytes, 0, text.codePointAt(0)!)).toBe(Buffer.byteLength(text));
      expect(Buffer.from(bytes.subarray(0, Buffer.byteLength(text))).toString()).toBe(text);
    }
  });

  it.each([
    ['a continuation without a beginning', [0x80]],
    ['an overlong form of two bytes', [0xc0, 0x80]],
    ['an overlong form of two bytes', [0xc1, 0xbf]],
    ['an overlong form of three bytes', [0xe0, 0x9f, 0xbf]],
    ['an overlong form of four bytes', [0xf0, 0x8f, 0xbf, 0xbf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['something beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a byte that never occurs', [0xf5, 0x80, 0x80, 0x80]],
    ['a byte that never occurs', [0xff]],
    ['a beginning without its second byte', [0xc3, 0x41]],
    ['a beginning without its third byte', [0xe2, 0x82, 0x41]],
    ['a beginning without its fourth byte', [0xf0, 0x9f, 0x98, 0x41]],
    ['a beginning at the end', [0xf0, 0x9f, 0x98]],
  ])('is U+FFFD of one byte for %s', (_, bytes) => {
    expect(decoded(Uint8Array.from(bytes))).toEqual([REPLACEMENT, 1]);
  });
});
