import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasLongList, type WrittenJson, writtenJsonSteps } from '../../src/json/written-json.ts';

function written(value: unknown): { json: string; made: WrittenJson; steps: number } {
  const writing = writtenJsonSteps(value);
  for (let steps = 0; ; steps++) {
    const { done, value: made } = writing.next();
    if (done === true) return { json: made.toString(), made, steps };
  }
}

/** Lists longer than those that are written at once among others, in whatever order. */
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, undefined, true, -0, 1e21, 'a"b\u2028', '\ud800'),
    fc.array(tie('value'), { maxLength: 20, size: 'max' }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
}));

describe('JSON that is written in steps', () => {
  it('is bytes where it is long, and no character is cut', () => {
    const list = Array.from({ length: 20_000 }, (_, i) => `é漢字 😀 ${i}`);
    for (const [count, isText] of [
      [100, true],
      [20_000, false],
    ] as const) {
      const { json, made } = written(list.slice(0, count));
      expect(typeof made === 'string').toBe(isText);
      expect(json).toBe(JSON.stringify(list.slice(0, count)));
    }
  });

  it('is what JSON.stringify writes', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        fc.pre(value !== undefined);
        expect(written(value).json).toBe(JSON.stringify(value));
      }),
      { numRuns: 100 },
    );
  });

  it('takes a step for each few kilobytes, wherever the long list is', () => {
    const sources = Array.from({ length: 1000 }, (_, i) => ({ url: `https://example.com/${'a'.repeat(1000)}/${i}` }));
    for (const answer of [sources, { sources }, { matches: [{ sources }, { sources: [] }] }, { index: { sources } }]) {
      expect(hasLongList(answer)).toBe(true);
      const { json, steps } = written(answer);
      expect(json).toBe(JSON.stringify(answer));
      expect(steps).toBeGreaterThan(json.length / 80_000);
    }
    expect(hasLongList({ a: [1, 2, { b: 'text' }], c: null })).toBe(false);
  });
});
