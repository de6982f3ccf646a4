import { describe, expect, it } from 'vitest';
import { createFeatureSet } from '../../src/core/sketch/feature-set.ts';
import { createFeatureSketcher } from '../../src/core/sketch/feature-sketch.ts';
import { ShingledError } from '../../src/errors.ts';
import { FEATURES_TYPE, featuresBody } from '../../src/features/feature-list.ts';
import { featuresDigest } from '../../src/identity/digests.ts';
import { DEFAULT_PIPELINE_LIMITS } from '../../src/workers/limits.ts';
import { IDENTITY, input, start } from '../support/workers/pipeline.ts';

const sketch = createFeatureSketcher(IDENTITY.fingerprint.polynomial, IDENTITY.featureMixing);
const inputOf = (features: readonly string[]) => {
  const { bytes, contentType } = featuresBody(features, 'features');
  return input(bytes, { contentType, wholeMax: 100_000 });
};
const FEW = ['red', 'size 42', 'red', ''];
/** More bytes than are read on the event loop. */
const MANY = Array.from({ length: DEFAULT_PIPELINE_LIMITS.inlineFeaturesBytesMax / 8 }, (_, i) => `number ${i}`);

describe('a processed set of features', () => {
  it.each([
    ['few, here', FEW],
    ['many, in a worker', MANY],
  ])('is its sketch and its name: %s', async (_how, features) => {
    const pipeline = start();
    const set = createFeatureSet(features);
    const expected = {
      ...{ mediaType: FEATURES_TYPE, charset: 'utf-8', title: null, language: null, text: null },
      lexicalDigest: featuresDigest(IDENTITY, set.bytes),
      contentDigest: featuresDigest(IDENTITY, set.bytes),
      sketch: sketch(set, 4, 100_000),
    };
    const processed = await pipeline.process(inputOf(features));
    expect(processed).toMatchObject(expected);
    expect(processed.sketch.whole).toEqual(expected.sketch.whole);
    expect(await pipeline.processInBulk(inputOf(features.toReversed()))).toEqual({
      ...processed,
      sketch: { ...processed.sketch, whole: expect.anything() },
    });
  });

  it('is an error of its own where it is none, among others', async () => {
    const outcomes = await start().processAll([
      inputOf(FEW),
      inputOf([]),
      input('{"a": 1}', { contentType: FEATURES_TYPE }),
      input('[1]'.padEnd(DEFAULT_PIPELINE_LIMITS.inlineFeaturesBytesMax + 1), { contentType: FEATURES_TYPE }),
      inputOf(MANY),
    ]);
    expect(outcomes.map((one) => (one instanceof ShingledError ? one.code : one.sketch.shingleCount))).toEqual([
      ...[3, 'empty-document', 'unreadable-document', 'unreadable-document'],
      MANY.length,
    ]);
  });

  it('has no elements to choose from', async () => {
    const chosen = { ...inputOf(FEW), select: 'p' };
    await expect(start().process(chosen)).rejects.toMatchObject({ code: 'invalid-selector', field: 'select' });
  });
});
