import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { parseJson } from '../../src/json/json.ts';
import { findingFault, STEP_CHARACTERS } from '../../src/json/json-fault.ts';

const detailOf = (text: string): string => {
  try {
    parseJson(Buffer.from(text), HTTP_LIMITS);
  } catch (error) {
    return (error as Error).message;
  }
  return 'sound';
};

const placeIn = (text: string, index: number) => {
  const before = text.slice(0, index).split('\n');
  const column = `column ${before.at(-1)!.length + 1}`;
  return text.includes('\n') ? `line ${before.length}, ${column}` : column;
};

function counted<T>(steps: Generator<undefined, T>): { readonly yields: number; readonly value: T } {
  let yields = 0;
  for (let next = steps.next(); ; next = steps.next(), yields++)
    if (next.done === true) return { yields, value: next.value };
}

describe('a syntax error in JSON', () => {
  it.each([
    ['document', 'column 1'],
    ["{'a':1}", 'column 2'],
    ['{"a":1,}', 'column 8'],
    ['{"a":1 "b":2}', 'column 8'],
    ['[1,\n 2,\n tru]', 'line 3, column 5'],
    ['{"a":"x\ny"}', 'line 1, column 8'],
    ['{"a":"\\x"}', 'column 8'],
    ['1.x', 'column 3'],
    ['[1e+]', 'column 5'],
    ['"\\u12g4"', 'column 6'],
    ['[1}', 'column 3'],
    ['{"a"}', 'column 5'],
    ['-a', 'column 2'],
    ['[01]', 'column 3'],
    ['{} {}', 'column 4'],
    ['{"\u00e9":\u00e9}', 'column 6'],
  ])('in %j is at %s', (text, place) => {
    expect(detailOf(text)).toBe(`The JSON has a syntax error at ${place}.`);
  });

  it.each(['{', '{"a":"b', '[1,', '-', '"\\u12', '1.', 'tru'])('is none in %j, which ends too early', (text) => {
    expect(detailOf(text)).toBe(`The JSON ends too early, at ${placeIn(text, text.length)}.`);
  });

  const endless = (letters: string) => `{"a":"${letters.repeat(2 ** 20)}`;

  it.each([
    ['letters', endless('abcd'), 4 * 2 ** 20 + 6],
    ['escapes', endless('\\"\\u00e9'), 8 * 2 ** 20 + 6],
    ['letters up to a broken escape', `${endless('abcd')}\\x`, 4 * 2 ** 20 + 7],
    ['lines', `["${'x'.repeat(2 ** 21)}",${'\n'.repeat(2 ** 21)}x`, 2 ** 22 + 4],
  ])('is found in steps, also within a long string: %s', (_, text, place) => {
    const { yields, value } = counted(findingFault(text));
    expect(value).toBe(place);
    expect(yields).toBeGreaterThanOrEqual(Math.floor(text.length / STEP_CHARACTERS) - 2);
    expect(detailOf(text)).toContain(`${placeIn(text, place)}.`);
  });

  it('is found wherever something is put between the values of JSON', () => {
    const json = fc.json({ maxDepth: 3 }).map((text) => JSON.stringify(JSON.parse(text), null, 1));
    fc.assert(
      fc.property(json, fc.nat(), (text, seed) => {
        const gaps = [
          ...text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (quoted) => '.'.repeat(quoted.length)).matchAll(/[\n,:]/g),
        ];
        const at = gaps.length === 0 ? 0 : gaps[seed % gaps.length]!.index;
        const broken = `${text.slice(0, at)}@${text.slice(at)}`;
        expect(detailOf(broken)).toBe(`The JSON has a syntax error at ${placeIn(broken, at)}.`);
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});
