import fc from 'fast-check';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { SOURCE_URL, Time } from '../../../src/http/schemas/common.schema.ts';
import { readQuery } from '../../../src/http/validation/query-string.ts';

const schema = Type.Object({
  n: Type.Optional(Type.Number()),
  i: Type.Optional(Type.Integer()),
  b: Type.Optional(Type.Boolean()),
  t: Type.Optional(Type.String()),
  l: Type.Optional(Type.Array(Type.String())),
  u: Type.Optional(Type.String(SOURCE_URL)),
  us: Type.Optional(Type.Array(Type.String(SOURCE_URL))),
  at: Type.Optional(Time('')),
  share: Type.Optional(Type.Union([Type.Number(), Type.Literal('off')])),
});
const read = (raw: string) => ({ ...readQuery(raw, schema) });

describe('query strings', () => {
  it('are typed by their schema', () => {
    expect(read('n=0.5&i=10&b=true&t=10&l=a,b&share=off')).toEqual({
      ...{ n: 0.5, i: 10, b: true, t: '10', l: ['a', 'b'], share: 'off' },
    });
    expect(read('share=0.25&b=false&n=-3&l=')).toEqual({ share: 0.25, b: false, n: -3, l: [] });
    expect(read('n=.5&share=.25')).toEqual({ n: 0.5, share: 0.25 });
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
    '.',
    '0,5',
    '50%',
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

  it('say of a bare % that it makes no number', () => {
    expect(read('share=50%&i=7%')).toEqual({ share: '50%', i: '7%' });
  });

  it.each(['u=https://a.example/c++', 'us=https://a.example/,https://b.example/x+y', 'at=2026-01-02T03:04:05+02:00'])(
    'refuse %s: a URL or a time means a +, and forms a space',
    (raw) => {
      const refusal = { code: 'invalid-request', field: raw.slice(0, raw.indexOf('=')) };
      expect(() => read(raw)).toThrow(expect.objectContaining(refusal));
      expect(() => read(raw)).toThrow(/%2B/);
      const [name, text] = Object.entries(read(raw.replaceAll('+', '%2B')))[0]!;
      expect(`${name}=${String(text)}`).toBe(raw);
    },
  );

  it('keep a space that was written as one, and a + that makes one in other texts', () => {
    expect(read('u=https://a.example/a%20b&t=a+b')).toEqual({ u: 'https://a.example/a b', t: 'a b' });
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
