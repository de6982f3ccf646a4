import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorScope, openCursor, sealCursor } from '../../../src/service/similar/cursor.ts';

const KEY = new Uint8Array(32).fill(7);
const SCOPE: CursorScope = { purpose: 'similar', binding: 'query' };
const invalid = expect.objectContaining({ code: 'invalid-cursor', status: 400, field: 'cursor' });

describe('a cursor', () => {
  it('opens to the position that was sealed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (position) => {
        expect([...openCursor(KEY, SCOPE, sealCursor(KEY, SCOPE, position))]).toEqual([...position]);
      }),
      { seed: 2 },
    );
  });

  it('is refused where any character was changed, added or taken away', () => {
    const cursor = sealCursor(KEY, SCOPE, new Uint8Array(32).fill(9));
    for (let i = 0; i < cursor.length; i++) {
      const other = cursor[i] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, i) + other + cursor.slice(i + 1);
      const shortened = cursor.slice(0, i) + cursor.slice(i + 1);
      const lengthened = `${cursor.slice(0, i)}!${cursor.slice(i)}`;
      for (const bad of [changed, shortened, lengthened]) expect(() => openCursor(KEY, SCOPE, bad)).toThrow(invalid);
    }
  });

  it('is refused for another query, another call and another index', () => {
    const cursor = sealCursor(KEY, SCOPE, new Uint8Array(8));
    expect(() => openCursor(KEY, { ...SCOPE, binding: 'other' }, cursor)).toThrow(invalid);
    expect(() => openCursor(KEY, { ...SCOPE, purpose: 'versions' }, cursor)).toThrow(invalid);
    expect(() => openCursor(new Uint8Array(32), SCOPE, cursor)).toThrow(invalid);
  });

  it.each(['', 'x', '%%%', 'A'.repeat(10_000), '\u0000', '語'])('is refused as %j', (cursor) => {
    expect(() => openCursor(KEY, SCOPE, cursor)).toThrow(invalid);
  });
});
