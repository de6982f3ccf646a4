import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../../src/core/memory/steps.ts';
import { codeUnitSteps } from '../../../src/core/text/code-units.ts';

const encoder = new TextEncoder();

describe('code units of UTF-16', () => {
  it('stand before each place of a text as they do in its string', () => {
    const pieces = fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (of) => {
        const text = of.join('');
        const units = runToEnd(codeUnitSteps(encoder.encode(text)));
        expect(units.length).toBe(text.length);
        for (let at = 0; at <= of.length; at++) {
          const before = of.slice(0, at).join('');
          expect(units.before(encoder.encode(before).length)).toBe(before.length);
        }
      }),
    );
  });

  it('are counted in steps, also to the end of a text that ends with a block', () => {
    const text = encoder.encode('薔薇🌹e, '.repeat(2 ** 18));
    const steps = codeUnitSteps(text);
    expect(steps.next().done).toBe(false);
    const units = runToEnd(steps);
    expect([units.before(11), units.before(text.length), units.length]).toEqual([5, 7 * 2 ** 18, 7 * 2 ** 18]);
  });
});
