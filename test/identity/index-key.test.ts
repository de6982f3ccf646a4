import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFeatureSet } from '../../src/core/sketch/feature-set.ts';
import { createFeatureSketcher } from '../../src/core/sketch/feature-sketch.ts';
import { createSketcher } from '../../src/core/sketch/sketch.ts';
import { UNICODE_VERSION } from '../../src/core/text/unicode-tables.ts';
import { bytesDigest, createLexicalDigest, featuresDigest, shingleDigest } from '../../src/identity/digests.ts';
import {
  createIndexKeyFile,
  deriveIdentity,
  PIPELINE_VERSION,
  readIndexKeyFile,
} from '../../src/identity/index-key.ts';
import { canonicalTextBy } from '../support/core/canonical-text.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const secretOf = (byte: number) => new Uint8Array(32).fill(byte);
const codeOf = (code: string) => expect.objectContaining({ name: 'ShingledError', code });

describe('an index key file', () => {
  it('holds 32 random bytes, for its owner only', () => {
    const folder = temporaryFolder();
    const [one, other] = ['one', 'other'].map((name) => join(folder, name));
    const secret = createIndexKeyFile(one!);
    expect(secret.length).toBe(32);
    expect(Buffer.from(readIndexKeyFile(one!))).toEqual(Buffer.from(secret));
    expect(statSync(one!).mode & 0o777).toBe(0o600);
    expect(Buffer.from(createIndexKeyFile(other!))).not.toEqual(Buffer.from(secret));
  });

  it('is never overwritten', () => {
    const path = join(temporaryFolder(), 'key');
    createIndexKeyFile(path);
    const before = readFileSync(path);
    expect(() => createIndexKeyFile(path)).toThrow(codeOf('invalid-config'));
    expect(readFileSync(path)).toEqual(before);
  });

  it('is not made where it cannot be written', () => {
    const folder = temporaryFolder();
    expect(() => createIndexKeyFile(join(folder, 'no-such-folder', 'key'))).toThrow(codeOf('storage-full'));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused where it cannot be read', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'key'));
    expect(() => readIndexKeyFile(join(folder, 'key'))).toThrow(codeOf('invalid-config'));
    expect(() => readIndexKeyFile(join(folder, 'none'))).toThrow(codeOf('invalid-config'));
  });

  it('is damaged where it is anything else than one line as it was made, and no message quotes it', () => {
    const path = join(temporaryFolder(), 'key');
    createIndexKeyFile(path);
    chmodSync(path, 0o600);
    const good = readFileSync(path, 'latin1');
    const hex = good.slice(-65, -1);
    const bad = [
      '',
      good.slice(0, -1),
      good.slice(0, -2),
      `${good}\n`,
      hex,
      good.toUpperCase(),
      good.replace(' 1 ', ' 2 '),
      '\0'.repeat(86),
      good.replace(hex[9]!, 'g'),
    ];
    for (const content of bad) {
      writeFileSync(path, content);
      expect(() => readIndexKeyFile(path)).toThrow(codeOf('index-damaged'));
      expect(() => readIndexKeyFile(path)).not.toThrow(hex.slice(0, 16));
      expect(() => readIndexKeyFile(path, 'INDEX_KEY_FILE')).toThrow(codeOf('invalid-config'));
      expect(() => readIndexKeyFile(path, 'INDEX_KEY_FILE')).toThrow(/^INDEX_KEY_FILE: /);
    }
  });
});

describe('what a key decides', () => {
  it('is always the same, and nothing of it is that of another key', () => {
    const one = deriveIdentity(secretOf(1), 7);
    expect(deriveIdentity(secretOf(1), 7)).toEqual(one);
    const other = deriveIdentity(secretOf(2), 7);
    for (const [name, value] of Object.entries(one)) expect(other, name).not.toMatchObject({ [name]: value });
    expect(other.fingerprint.polynomial).not.toEqual(one.fingerprint.polynomial);
    expect(other.fingerprint.mixing.filter((constant) => one.fingerprint.mixing.includes(constant))).toEqual([]);
  });

  it('has the shape that is promised', () => {
    const { keyId, fingerprintId, fingerprint, rankKey, digestKey, cursorKey } = deriveIdentity(secretOf(9), 7);
    expect(keyId).toMatch(/^[0-9a-f]{8}$/);
    expect(fingerprintId).toMatch(new RegExp(`^${PIPELINE_VERSION}\\.[0-9a-f]{4}$`));
    expect([fingerprint.polynomial.length, fingerprint.mixing.length, rankKey.length]).toEqual([2, 16, 2]);
    for (const word of [...fingerprint.polynomial, ...fingerprint.mixing, ...rankKey])
      expect(Number.isInteger(word) && word >= 0 && word < 2 ** 32).toBe(true);
    expect([digestKey.length, cursorKey.length]).toEqual([32, 32]);
    expect(Buffer.from(digestKey)).not.toEqual(Buffer.from(cursorKey));
    expect(structuredClone(fingerprint)).toEqual(fingerprint);
  });

  it('is named by a fingerprint id that depends on w and on the key, and not on luck', () => {
    const ids = [
      [1, 7],
      [1, 10],
      [2, 7],
      [2, 10],
    ].map(([byte, w]) => deriveIdentity(secretOf(byte!), w!).fingerprintId);
    expect(new Set(ids).size).toBe(4);
  });

  it('is refused for a secret of another length', () => {
    expect(() => deriveIdentity(new Uint8Array(31), 7)).toThrow(RangeError);
  });
});

describe('the version of the pipeline', () => {
  /*
   * These values change when the canonical form, the Unicode tables, the derivation of an identity or the fingerprint do.
   * Then indexes made before cannot be used any more: raise PIPELINE_VERSION, say so in the changelog, and put the new
   * values here.
   */
  it('stands for exactly these sketches', () => {
    const identity = deriveIdentity(secretOf(1), 3);
    const text =
      'A rose is a rose, Straße ÉTÉ e\u0301 東京都 กิน fingerprinting-characteristically 한국어 in\u00adter ❤\ufe0f 葛\u{e0100}城';
    const lexicalDigest = createLexicalDigest(identity);
    const sketcher = createSketcher(identity.fingerprint);
    const canonicalText = canonicalTextBy(sketcher, Buffer.from(text));
    const sketch = sketcher.sketch(Buffer.from(text), 4, lexicalDigest.add);
    expect({
      ...identity,
      fingerprint: identity.fingerprint.polynomial,
      featureMixing: identity.featureMixing.length,
      digestKey: 0,
      cursorKey: 0,
    }).toMatchInlineSnapshot(`
      {
        "cursorKey": 0,
        "digestKey": 0,
        "featureMixing": 16,
        "fingerprint": [
          1745197165,
          3159771337,
        ],
        "fingerprintId": "3.2750",
        "keyId": "8b8460c2",
        "rankKey": [
          2791258631,
          3893818923,
        ],
      }
    `);
    expect({ ...sketch, canonicalText: canonicalText.toString() }).toMatchInlineSnapshot(`
      {
        "canonicalText": "a rose is a rose strasse été é 東京 京都 กิน fingerprinting characteristically 한국어 inter 葛城 ",
        "main": null,
        "sample": {
          "fingerprints": Float64Array [
            154748499702,
            320073823266,
            368731908299,
            415236716397,
            507139042927,
            565751481174,
            611344755614,
            622502903164,
            632621854578,
            675786861752,
            773013009888,
            916721319495,
            944233834330,
            1025855396810,
          ],
          "modulus": 1,
        },
        "shingleCount": 14,
        "shingleSum": Uint32Array [
          3956357540,
          1233449659,
          2992886082,
          2127680469,
        ],
        "tokenCount": 16,
        "whole": null,
      }
    `);
    const short = createSketcher(identity.fingerprint).sketch(Buffer.from('two tokens'), 4);
    expect([...short.sample.fingerprints]).toMatchInlineSnapshot(`
      [
        404414695486,
      ]
    `);
    const read = { bytes: Buffer.from(text), mediaType: 'text/html', charset: 'utf-8', select: null, remove: 'nav' };
    expect([
      bytesDigest(identity, read),
      lexicalDigest.value(),
      shingleDigest(identity, sketch.shingleSum, sketch.shingleCount),
    ]).toMatchInlineSnapshot(`
      [
        "43ef2a0a652dc1b174ae8bc9c809bf9e",
        "ce335c9fcdf7bb8c69b25b2f67c0a91a",
        "395b1551cd2fe267b08e00dedc519b44",
      ]
    `);
    expect([PIPELINE_VERSION, UNICODE_VERSION]).toEqual([3, '17.0']);
  });

  it('stands for exactly these sketches of features', () => {
    const { fingerprint, featureMixing, ...identity } = deriveIdentity(secretOf(1), 3);
    const set = createFeatureSet(['rose', 'é', '', 'rose', 'a longer feature with spaces']);
    const sketch = createFeatureSketcher(fingerprint.polynomial, featureMixing)(set, 4);
    const id = featuresDigest({ ...identity, fingerprint, featureMixing }, set.bytes);
    expect([id, ...sketch.sample.fingerprints, ...sketch.shingleSum]).toMatchInlineSnapshot(`
      [
        "409ed1c7d8a0c21e67b74e81a1290424",
        429883170997,
        448213135668,
        758922897086,
        998308856394,
        2513107697,
        3914927460,
        2395350157,
        3559588585,
      ]
    `);
  });
});
