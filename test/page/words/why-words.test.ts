import { describe, expect, it } from 'vitest';
import { stepWords, whyWords } from '../../../src/page/words/why-words.ts';
import { openApi } from '../../support/http/openapi.ts';

describe('why two documents are not the same', () => {
  it.each([
    [
      'resemblance 0.219653 is below 0.5; aInB 0.358491 is below 0.8. Of shingles 34 only in a, 33 only in b, 19 in both. They part at word 7.',
      'They are 22 % alike, less than 50 %; 36 % of a is in b, less than 80 %. Of runs of words 34 only in a, 33 only in b, 19 in both. They part at word 7.',
    ],
    ['bInA 0.9 is not below 0.8.', '90 % of b is in a, no less than 80 %.'],
    ['queryInMatch 0.79996 is below 0.8', '79.996 % of a is in b, less than 80.000 %'],
    ['matchInQuery 1e-7 is below 0.8', '0 % of b is in a, less than 80 %'],
    ['Both are text/plain in utf-8.', 'Both are text/plain in utf-8.'],
    ['', ''],
  ])('is said to a reader: %s', (detail, words) => {
    expect(whyWords(detail)).toBe(words);
  });

  it('has words for every step that the API has', () => {
    const text = JSON.stringify(openApi);
    const steps = [...text.matchAll(/"step":\{[^{}]*"enum":(\[[^\]]+\])/g)].flatMap(
      ([, names]) => JSON.parse(names!) as string[],
    );
    expect(new Set(steps).size).toBe(9);
    expect(steps.filter((step) => stepWords(step) === step)).toEqual(
      steps.filter((step) => ['bytes', 'text'].includes(step)),
    );
  });
});
