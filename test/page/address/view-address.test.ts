import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress, shareParam, VIEWS } from '../../../src/page/address/view-address.ts';

describe('the address of a view', () => {
  it('leads back to what it was made of', () => {
    const params = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }));
    fc.assert(
      fc.property(fc.constantFrom(...VIEWS), params, (view, said) => {
        const wellFormed = Object.fromEntries(
          Object.entries(said).map(([name, value]) => [name, value.toWellFormed()]),
        );
        const read = parseAddress(formatAddress({ view, params: said }));
        expect(read.view).toBe(view);
        expect({ ...read.params }).toEqual({ ...wellFormed });
      }),
    );
  });

  it('stands behind a # and has no character that a mail would cut it at', () => {
    const params = { url: 'https://a.example/x?y=1&z=<"> +#', text: 'ä\n' };
    const address = formatAddress({ view: 'ask', params });
    expect(address).toMatch(/^#\/ask\?[\w%.*!'()~&=-]+$/);
    expect({ ...parseAddress(address).params }).toEqual(params);
  });

  it('leaves out what is not said', () => {
    expect(formatAddress({ view: 'family', params: { url: '', threshold: '' } })).toBe('#/family');
  });

  it.each(['', '#', '#/', '#/nowhere?x=1', '#%', '#/ask?%=%&&==&%E0%A4%A', '#/ask?__proto__=x&constructor=y'])(
    'is read whatever it is: %s',
    (hash) => {
      const { view, params } = parseAddress(hash);
      expect(view).toBe('ask');
      expect(Object.getPrototypeOf(params)).toBe(null);
    },
  );

  it('is read whatever it is', () => {
    fc.assert(fc.property(fc.string(), (hash) => void parseAddress(hash)));
  });

  it('has shares from 0 to 1, and off', () => {
    const of = (value: string) => shareParam({ share: value }, 'share', 0.5);
    expect(['0', '0.25', '1', 'off'].map(of)).toEqual([0, 0.25, 1, null]);
    expect(['1.1', '-1', 'x', '1e-3', '0x1', '.', ' '].map(of)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    expect(shareParam({}, 'share', null)).toBe(null);
  });
});
