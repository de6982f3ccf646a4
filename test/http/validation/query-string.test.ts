import fc from 'fast-check';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { readQuery } from '../../../src/http/validation/query-string.ts';

const schema = Type.Object({
  n: Type.Optional(Type.Number()),
  i: Type.Optional(Type.Integer()),
  b: Type.Optional(Type.Boolean()),
  t: Type.Optional(Type.String()),
  l: Type.Optional(Type.Array(Type.String())),
  share: Type.Optional(Type.Union([Type.Number(), Type.Literal('off')])),
});
const read = (raw: string) => ({ ...readQuery(raw, schema) });

describe('query strings', () => {
  it('are typed by their schema', () => {
    expect(read('n=0.5&i=10&b=true&t=10&l=a,b&share=off')).toEqual({
      ...{ n: 0.5, i: 10, b: true, t: '10', l: ['a', 'b'], share: 'off' },
    });
    expect(read('share=0.25&b=false&n=-3&l=')).toEqual({ share: 0.25, b: false, n: -3, l: [] });
    expect(read('')).toEqual({});
  });

  it.each([
    '1e1',
    '0x10',
    ' 1',
    '1 ',
    '',
    '+1',
    '01',
    '1.',
    '.5',
    'Infinity',
    'NaN',
    '1_000',
    '١',
    '99999999999999999999',
  ])('leave %j a text where a number is asked for', (text) => {
    expect(read(`n=${encodeURIComponent(text)}`)['n']).toBe(text);
  });

  it.each(['1', '0', 'TRUE', 'yes', '', 'null'])('leave %j a text where true or false is asked for', (text) => {
    expect(read(`b=${text}`)['b']).toBe(text);
  });

  it('keep names that nobody knows, for the validator to refuse', () => {
    expect(read('x=1&constructor=2&__proto__=3')).toEqual(
      Object.fromEntries([
        ['x', '1'],
        ['constructor', '2'],
        ['__proto__', '3'],
      ]),
    );
  });

  it('refuse a name that is given twice', () => {
    expect(() => read('i=1&i=1')).toThrow(expect.objectContaining({ code: 'invalid-request', field: 'i' }));
    expect(() => read('t=a&%74=b')).toThrow(expect.objectContaining({ code: 'invalid-request', field: 't' }));
  });

  it.each(['t=%', 't=%zz', 't=%ff', 't=%ed%a0%80', '%ff=1'])('refuse %s, which is not percent-encoded UTF-8', (raw) => {
    expect(() => read(raw)).toThrow(expect.objectContaining({ code: 'invalid-utf8' }));
  });

  it('give back what URLSearchParams and encodeURIComponent wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(text.isWellFormed());
        expect(read(new URLSearchParams({ t: text }).toString())).toEqual({ t: text });
        expect(read(`t=${encodeURIComponent(text)}`)).toEqual({ t: text });
      }),
    );
  });
});
