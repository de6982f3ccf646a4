import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { characterOffsets } from '../../../src/core/composition/characters.ts';
import { runToEnd } from '../../../src/core/memory/steps.ts';

describe('offsets in characters', () => {
  it('count code points, as a text is spread', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const bytes = pieces.map((_, i) => new TextEncoder().encode(pieces.slice(0, i + 1).join('')).length);
        const expected = pieces.map((_, i) => [...pieces.slice(0, i + 1).join('')].length);
        expect(runToEnd(characterOffsets(new TextEncoder().encode(text), bytes))).toEqual(expected);
      }),
    );
  });

  it('count them over blocks of any text, in steps', () => {
    const text = new TextEncoder().encode('薔薇🌹e'.repeat(30_000));
    const steps = characterOffsets(text, [11, text.length]);
    expect(steps.next().done).toBe(false);
    expect(runToEnd(steps)).toEqual([4, 120_000]);
  });
});
