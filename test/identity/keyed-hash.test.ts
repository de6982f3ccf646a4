import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyedHash } from '../../src/identity/keyed-hash.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
type Part = string | Uint8Array;

function keyedHash(key: Uint8Array, parts: readonly Part[]): string {
  const { add, hex } = createKeyedHash(key);
  for (const part of parts) add(part);
  return hex();
}

function hmac(key: Uint8Array, parts: readonly Part[]): string {
  const whole = createHmac('sha256', key);
  for (const part of parts) whole.update(part);
  return whole.digest('hex');
}

describe('a keyed hash', () => {
  it('is HMAC-SHA-256, wherever the message is cut', () => {
    const part = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 300 }));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(part), (key, parts) => {
        expect(keyedHash(key, parts)).toBe(hmac(key, parts));
      }),
      { seed: 1997, numRuns: 1000 },
    );
  });

  it.each([0, 1, 65_535, 65_536, 65_537, 200_000, 1_000_000])(
    'is it for %i bytes, in one part and in many',
    (bytes) => {
      const message = Uint8Array.from({ length: bytes }, (_, i) => i % 251);
      const cut = Math.floor(bytes / 3);
      for (const parts of [[message], [message.subarray(0, cut), 'and', message.subarray(cut)]]) {
        expect(keyedHash(KEY, parts)).toBe(hmac(KEY, parts));
      }
    },
  );

  it('keeps messages apart that are under way at a time', () => {
    const messages = Array.from({ length: 5 }, (_, i) => `message ${i}`);
    const hashes = messages.map((message) => {
      const begun = createKeyedHash(KEY);
      begun.add(message);
      return begun;
    });
    for (const { add } of hashes) add(' goes on');
    expect(hashes.map(({ hex }) => hex())).toEqual(messages.map((message) => hmac(KEY, [message, ' goes on'])));
    expect(keyedHash(KEY, ['a'])).toBe(hmac(KEY, ['a']));
  });

  it('takes no key that is longer than a block', () => {
    expect(() => createKeyedHash(new Uint8Array(65))).toThrow('The key has 65 bytes, more than 64');
  });
});
