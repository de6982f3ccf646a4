import { describe, expect, it, vi } from 'vitest';
import {
  FEATURE_BYTES_MAX,
  FEATURES_MAX,
  FEATURES_TYPE,
  featuresBody,
  isFeatures,
  readFeatures,
} from '../../src/features/feature-list.ts';

const read = (text: string | Uint8Array) => readFeatures(typeof text === 'string' ? Buffer.from(text) : text);

describe('features as a body', () => {
  it('come back as they were sent, code point for code point', () => {
    const features = ['b', 'a', 'a', '', '\0', 'é', 'e\u0301', '\u{1f600}', ' a ', '"', '\u2028', '\ufeff'];
    const { bytes, contentType } = featuresBody(features, 'features');
    expect(contentType).toBe(FEATURES_TYPE);
    expect(readFeatures(bytes)).toEqual(features);
    expect(read('[]')).toEqual([]);
    expect(read('\ufeff["a"]')).toEqual(['a']);
  });

  it('are known by their type alone', () => {
    for (const type of [FEATURES_TYPE, ` ${FEATURES_TYPE.toUpperCase()}; charset=utf-8`, `${FEATURES_TYPE},x/y`])
      expect([type, isFeatures(type)]).toEqual([type, true]);
    for (const type of [null, '', 'application/json', `${FEATURES_TYPE}x`, `x${FEATURES_TYPE}`, 'text/plain'])
      expect([type, isFeatures(type)]).toEqual([type, false]);
  });

  it('are refused where they are no list of strings in UTF-8', () => {
    for (const text of ['', '[', '{}', 'null', '"a"', '[1]', '["a",null]', '[["a"]]', '['.repeat(100_000)])
      expect(() => read(text)).toThrow(expect.objectContaining({ code: 'unreadable-document', field: undefined }));
    expect(() => read(Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d))).toThrow(
      expect.objectContaining({ code: 'unreadable-document' }),
    );
  });

  it('are refused before any of them is parsed where they are nested or too many', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const nested = expect.objectContaining({
      code: 'unreadable-document',
      message: expect.stringContaining('in them'),
    });
    for (const text of ['[[', '['.repeat(8 * 2 ** 20), '[{"a":1}]']) expect(() => read(text)).toThrow(nested);
    const many = expect.objectContaining({
      code: 'invalid-request',
      limit: { name: 'featuresMax', value: FEATURES_MAX },
    });
    expect(() => read(`["a"${',"a"'.repeat(FEATURES_MAX)}]`)).toThrow(many);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('are refused where half a surrogate pair is among them, by the field', () => {
    expect(() => featuresBody(['a', '\ud800'], 'document.features')).toThrow(
      expect.objectContaining({ code: 'invalid-utf8', field: 'document.features[1]' }),
    );
    expect(() => read('["a","\\ud800b"]')).toThrow(expect.objectContaining({ code: 'invalid-utf8' }));
  });

  it('are refused beyond their limits, and taken up to them', () => {
    const most = Array.from({ length: FEATURES_MAX }, (_, i) => String(i));
    expect(readFeatures(featuresBody(most, 'features').bytes).length).toBe(FEATURES_MAX);
    expect(() => featuresBody([...most, 'more'], 'features')).toThrow(
      expect.objectContaining({
        code: 'invalid-request',
        field: 'features',
        limit: { name: 'featuresMax', value: FEATURES_MAX },
      }),
    );
    const longest = ['x'.repeat(FEATURE_BYTES_MAX), 'é'.repeat(FEATURE_BYTES_MAX / 2)];
    expect(readFeatures(featuresBody(longest, 'features').bytes)).toEqual(longest);
    for (const longer of longest.map((one) => `${one}é`)) {
      expect(() => featuresBody(['a', longer], 'features')).toThrow(
        expect.objectContaining({
          code: 'invalid-request',
          field: 'features[1]',
          limit: { name: 'featureBytesMax', value: FEATURE_BYTES_MAX },
        }),
      );
    }
  });
});
