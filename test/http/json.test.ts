import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/http/json.ts';

const parse = (text: string, depthMax = 64) => parseJson(Buffer.from(text), depthMax);
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
    expect(codeOf(() => parseJson(Buffer.from([0x22, 0xff, 0x22]), 64))).toBe('invalid-utf8');
    expect(codeOf(() => parseJson(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 64))).toBe('invalid-utf8');
  });

  it('are refused beyond their depth, counted without being misled by strings', () => {
    expect(parse('[[["[[[[", "\\"[[[[", "\\\\"]]]', 3)).toEqual([[['[[[[', '"[[[[', '\\']]]);
    expect(codeOf(() => parse('[[[[]]]]', 3))).toBe('invalid-json');
    expect(codeOf(() => parse(`${'[{"a":'.repeat(100_000)}1`))).toBe('invalid-json');
    expect(parse('[[],[],{},{},[[]]]', 3)).toHaveLength(5);
  });

  it('are refused with a key __proto__, however deep and however spelled', () => {
    for (const text of ['{"__proto__":1}', '{"meta":{"a":[{"__proto__":{}}]}}', '{"\\u005f_proto__":1}']) {
      expect(codeOf(() => parse(text))).toBe('invalid-json');
    }
    expect(parse('{"constructor":{"prototype":1}}')).toEqual({ constructor: { prototype: 1 } });
  });

  it('take the last of equal keys', () => {
    expect(parse('{"a":1,"a":2}')).toEqual({ a: 2 });
  });
});
