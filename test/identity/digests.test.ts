import { describe, expect, it } from 'vitest';
import {
  bytesDigest,
  createLexicalDigest,
  featuresDigest,
  type ReadBytes,
  shingleDigest,
} from '../../src/identity/digests.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';

const identity = deriveIdentity(new Uint8Array(32).fill(1), 7);
const other = deriveIdentity(new Uint8Array(32).fill(2), 7);
const bytes = Buffer.from('a rose is a rose');
const read = (rest: Partial<ReadBytes> = {}): ReadBytes => ({
  bytes,
  mediaType: 'text/html',
  charset: 'utf-8',
  select: null,
  remove: null,
  ...rest,
});

const lexicalDigest = (of: typeof identity, ...parts: Uint8Array[]) => {
  const digest = createLexicalDigest(of);
  for (const part of parts) digest.add(part);
  return digest.value();
};

describe('the digests of a document', () => {
  it('are 32 lowercase hexadecimal digits, the same for the same input, others for another key', () => {
    const of = [
      (one: typeof identity) => bytesDigest(one, read()),
      (one: typeof identity) => lexicalDigest(one, bytes),
      (one: typeof identity) => shingleDigest(one, Uint32Array.of(1, 2, 3, 4), 5),
    ];
    for (const digest of of) {
      expect(digest(identity)).toMatch(/^[0-9a-f]{32}$/);
      expect(digest(identity)).toBe(digest(deriveIdentity(new Uint8Array(32).fill(1), 10)));
      expect(digest(other)).not.toBe(digest(identity));
    }
  });

  it('differ by every part of how bytes were read, and no part can pass for another', () => {
    const all = [
      read(),
      read({ bytes: Buffer.from('a rose is a ros') }),
      read({ bytes: Buffer.from('') }),
      read({ mediaType: 'text/plain' }),
      read({ charset: 'windows-1252' }),
      read({ select: 'p' }),
      read({ remove: 'p' }),
      read({ select: '' }),
      read({ remove: '' }),
      read({ select: 'null' }),
      read({ select: 'p","q', remove: null }),
      read({ select: 'p', remove: 'q' }),
      read({ mediaType: 'text/htmlu', charset: 'tf-8' }),
      read({ select: 'pa rose is', bytes: Buffer.from(' a rose') }),
    ];
    expect(new Set(all.map((one) => bytesDigest(identity, one))).size).toBe(all.length);
  });

  it('of features are none of words, nor of anything else with the same bytes', () => {
    const of = [featuresDigest(identity, bytes), lexicalDigest(identity, bytes), featuresDigest(other, bytes)];
    expect(new Set(of).size).toBe(3);
    expect(featuresDigest(identity, bytes.subarray(1))).not.toBe(of[0]);
  });

  it('of words do not depend on where the canonical text is cut', () => {
    const whole = lexicalDigest(identity, bytes);
    expect(lexicalDigest(identity, bytes.subarray(0, 5), bytes.subarray(5, 5), bytes.subarray(5))).toBe(whole);
    expect(lexicalDigest(identity, bytes.subarray(1))).not.toBe(whole);
  });

  it('differ by kind where the input is the same', () => {
    const sum = Uint32Array.of(1, 2, 3, 4);
    const digests = [
      lexicalDigest(identity, Buffer.from('1 2 3 4 5')),
      shingleDigest(identity, sum, 5),
      lexicalDigest(identity, bytes),
      bytesDigest(identity, read()),
    ];
    expect(new Set(digests).size).toBe(4);
  });

  it('differ by every word of a sum and by the count', () => {
    const digests = [
      [1, 2, 3, 4],
      [2, 1, 3, 4],
      [12, 3, 4, 0],
      [1, 23, 4, 0],
      [0, 0, 0, 0],
    ].map((sum) => shingleDigest(identity, Uint32Array.from(sum), 5));
    expect(
      new Set([
        ...digests,
        shingleDigest(identity, Uint32Array.of(1, 2, 3, 4), 6),
        shingleDigest(identity, Uint32Array.of(1, 2, 3, 45), 5),
      ]).size,
    ).toBe(7);
  });
});
