import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkJsonBounds, parseJson } from '../../src/json/json.ts';

const LIMITS = { jsonDepthMax: 64, jsonValuesMax: 100 };
const parse = (text: string, jsonDepthMax = 64) => parseJson(Buffer.from(text), { ...LIMITS, jsonDepthMax });
const codeOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('JSON bodies', () => {
  it('are read as JSON.parse reads them', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('are refused where JSON.parse refuses them, without a word of their text', () => {
    for (const text of [
      '',
      ' ',
      '{',
      '{"planted":',
      'planted',
      '[1,]',
      '"planted',
      '{"a":"planted"}}',
      '\ufeff\ufeff1',
    ]) {
      const act = () => parse(text);
      expect(codeOf(act)).toBe('invalid-json');
      expect(act).not.toThrow(/planted/);
    }
  });

  it('may begin with a byte order mark', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it('are refused where they are not UTF-8, instead of becoming another document', () => {
    expect(codeOf(() => parseJson(Buffer.from([0x22, 0xff, 0x22]), LIMITS))).toBe('invalid-utf8');
    expect(codeOf(() => parseJson(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), LIMITS))).toBe('invalid-utf8');
    for (const pack of [gzipSync, zstdCompressSync])
      expect(() => parseJson(pack('{"a":1}'), LIMITS)).toThrow('it looks packed, which Content-Encoding has to say');
  });

  it('are refused beyond their depth, counted without being misled by strings', () => {
    expect(parse('[[["[[[[", "\\"[[[[", "\\\\"]]]', 3)).toEqual([[['[[[[', '"[[[[', '\\']]]);
    expect(codeOf(() => parse('[[[[]]]]', 3))).toBe('invalid-json');
    expect(codeOf(() => parse(`${'[{"a":'.repeat(100_000)}1`))).toBe('invalid-json');
    expect(parse('[[],[],{},{},[[]]]', 3)).toHaveLength(5);
  });

  it('are refused beyond their number of values before they are parsed, counted without being misled by strings', () => {
    const countOf = (value: unknown): number =>
      typeof value !== 'object' || value === null
        ? 1
        : Object.values(value).reduce((sum, one) => sum + countOf(one), 1);
    const most = (text: string, jsonValuesMax: number) => parseJson(Buffer.from(text), { ...LIMITS, jsonValuesMax });
    const space = fc.constantFrom('', ' ', '\n\t', '\r');
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), space, (value, indent) => {
        fc.pre(!JSON.stringify(value).includes('__proto__'));
        const text = `${indent}${JSON.stringify(value, null, indent)}`;
        const count = countOf(JSON.parse(text));
        expect(most(text, count)).toEqual(JSON.parse(text));
        if (count > 1) expect(codeOf(() => most(text, count - 1))).toBe('invalid-json');
      }),
    );
    const beyond = () => parse(`{${Array.from({ length: 100 }, (_, i) => `"k${i}":1`)}`);
    expect(beyond).toThrow('The JSON has more than 100 values.');
    expect(beyond).toThrow(expect.objectContaining({ limit: { name: 'jsonValuesMax', value: 100 } }));
    expect(parse(`["${',[{'.repeat(1000)}\\\\", "\\"${','.repeat(200)}"]`)).toHaveLength(2);
  });

  it('are counted behind long strings as behind short ones, whatever is escaped in them and where', () => {
    const piece = fc.oneof(
      fc.constantFrom('"', '\\', ',[{', '\n'),
      fc.integer({ min: 50, max: 80 }).map((length) => 'x'.repeat(length)),
    );
    const long = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(long, { minLength: 1, maxLength: 4 }), (strings) => {
        const bytes = Buffer.from(JSON.stringify(strings));
        const exactly = (jsonValuesMax: number) => checkJsonBounds(bytes, { ...LIMITS, jsonValuesMax });
        exactly(1 + strings.length);
        expect(() => exactly(strings.length)).toThrow('more than');
      }),
      { seed: 1997, numRuns: 500 },
    );
  });

  it('are refused with a number that is longer than any need be, before it is read', () => {
    const most = '9'.repeat(1000);
    for (const before of ['', '[', '{"a":', '[1,', '{"a":[{}, ']) {
      const beyond = () => parse(`${before}${most}9`);
      expect(beyond).toThrow('The JSON has a number of more than 1000 characters.');
      expect(beyond).toThrow(expect.objectContaining({ limit: { name: 'numberCharactersMax', value: 1000 } }));
    }
    for (const sign of [`-0.${'1'.repeat(998)}`, `-1E-${'0'.repeat(999)}`]) {
      expect(() => parse(`[${sign}]`)).toThrow('of more than');
    }
    const numbers = [most, `0.${'1'.repeat(998)}`, '1e308', '-2E+5', '0'];
    expect(parse(`[${numbers.join(',')}]`)).toEqual(numbers.map(Number));
    // digits in strings are none
    expect(parse(`["${most}${most}"]`)).toEqual([most + most]);
  });

  it('are refused with a key __proto__, however deep and however spelled', () => {
    for (const text of ['{"__proto__":1}', '{"meta":{"a":[{"__proto__":{}}]}}', '{"\\u005f_proto__":1}']) {
      expect(codeOf(() => parse(text))).toBe('invalid-json');
    }
    expect(parse('{"constructor":{"prototype":1}}')).toEqual({ constructor: { prototype: 1 } });
  });

  it('are refused with it whichever of its letters are escaped', () => {
    const letter = (sign: string) =>
      fc.constantFrom(sign, `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`, `\\u00${hexOf(sign)}`);
    const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).toUpperCase();
    fc.assert(
      fc.property(fc.tuple(...[...'__proto__'].map(letter)), (letters) => {
        expect(codeOf(() => parse(`{"a":{"${letters.join('')}":1}}`))).toBe('invalid-json');
      }),
    );
  });

  it('take the last of equal keys', () => {
    expect(parse('{"a":1,"a":2}')).toEqual({ a: 2 });
  });
});
