import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../../src/http/bodies/read-body.ts';

describe('a byte buffer', () => {
  it('gives back what was added, and leaves the pieces as they were', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 3 }), (rounds) => {
        const buffer = new ByteBuffer();
        for (const round of rounds) {
          // of one piece of memory, as lines are of the chunk that they came in
          const memory = Buffer.concat(round);
          const before = Buffer.from(memory);
          let at = 0;
          for (const { length } of round) {
            buffer.add(memory.subarray(at, at + length));
            at += length;
            expect(buffer.length).toBe(at);
          }
          expect(buffer.take().equals(before)).toBe(true);
          expect(memory.equals(before)).toBe(true);
          expect(buffer.length).toBe(0);
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('does not copy what comes alone', () => {
    const buffer = new ByteBuffer();
    const piece = Buffer.from('all of it');
    buffer.add(piece);
    expect(buffer.take()).toBe(piece);
    expect(buffer.take().length).toBe(0);
  });
});
