import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSpellings, partingSteps } from '../../../src/core/passages/partings.ts';
import { createSketcher } from '../../../src/core/sketch/sketch.ts';
import { draws } from '../../support/draws.ts';
import { IDENTITY } from '../../support/service/service-fixture.ts';

const sketcher = createSketcher(IDENTITY.fingerprint);
const sequenceOf = (text: string) => sketcher.sequence(Buffer.from(text));

/** What each side has at each place, as words. */
function partingsOf(a: string, b: string, most = 1000): [string, string][] {
  const [wordsA, wordsB] = [a.split(' '), b.split(' ')];
  const isSame = (i: number, j: number) => wordsA[i] === wordsB[j];
  return findPartings(sequenceOf(a), sequenceOf(b), isSame, most).map((parting) => [
    wordsA.slice(parting.a.from, parting.a.to).join(' '),
    wordsB.slice(parting.b.from, parting.b.to).join(' '),
  ]);
}

function findPartings(...args: Parameters<typeof partingSteps>) {
  const steps = partingSteps(...args);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

const words = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `w${from + i}`).join(' ');

describe('where two texts part', () => {
  it.each<[string, string, string, [string, string][]]>([
    ['a word changed', `${words(0, 20)} x ${words(20, 40)}`, `${words(0, 20)} y ${words(20, 40)}`, [['x', 'y']]],
    ['words put in', `${words(0, 40)}`, `${words(0, 20)} y z ${words(20, 40)}`, [['', 'y z']]],
    ['words left out', `${words(0, 40)}`, `${words(0, 10)} ${words(20, 40)}`, [[words(10, 20), '']]],
    ['another beginning', `a b ${words(0, 20)}`, `c ${words(0, 20)}`, [['a b', 'c']]],
    ['another end', `${words(0, 20)} a`, `${words(0, 20)} b c`, [['a', 'b c']]],
    ['a text that goes on', words(0, 20), words(0, 22), [['', 'w20 w21']]],
    ['nothing in common', words(0, 9), words(20, 29), [[words(0, 9), words(20, 29)]]],
    ['a text shorter than a shingle', 'w0 w1 x', words(0, 20), [['x', words(2, 20)]]],
    ['the same', words(0, 30), words(0, 30), []],
    ['something said twice', `${words(0, 9)} ${words(0, 9)}`, words(0, 9), [[words(0, 9), '']]],
    [
      'three places',
      `a ${words(0, 9)} b ${words(9, 20)} c`,
      `${words(0, 9)} d ${words(9, 20)} e`,
      [
        ['a', ''],
        ['b', 'd'],
        ['c', 'e'],
      ],
    ],
  ])('is told of %s', (_what, a, b, expected) => {
    expect(partingsOf(a, b)).toEqual(expected);
    expect(partingsOf(b, a)).toEqual(expected.map(([inA, inB]) => [inB, inA]));
    expect(partingsOf(a, b, 1)).toEqual(expected.slice(0, 1));
  });

  it('makes one text of the other, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(text, text, (wordsA, wordsB) => {
        const isSame = (i: number, j: number) => wordsA[i] === wordsB[j];
        const [a, b] = [sequenceOf(wordsA.join(' ')), sequenceOf(wordsB.join(' '))];
        const made: string[] = [];
        let at = 0;
        for (const parting of findPartings(a, b, isSame, 1000)) {
          expect(parting.a.from).toBeGreaterThanOrEqual(at);
          made.push(...wordsA.slice(at, parting.a.from));
          expect(made.length).toBe(parting.b.from);
          made.push(...wordsB.slice(parting.b.from, parting.b.to));
          at = parting.a.to;
        }
        expect([...made, ...wordsA.slice(at)]).toEqual(wordsB);
      }),
      draws(500, 11),
    );
  });

  it('takes time that grows with the texts, however often they say the same', () => {
    // a quadratic walk would take minutes
    const [a, b] = [Array(60_000).fill('a').join(' '), `${Array(30_000).fill('a b').join(' ')}`];
    expect(partingsOf(a, b, 3).length).toBeGreaterThan(0);
  });
});

describe('words that are written otherwise', () => {
  const spellings = (a: string, b: string, most = 3) => {
    const [inA, inB] = [a, b].map((text) => ({ text: Buffer.from(text), sequence: sequenceOf(text) }));
    return findSpellings(inA!, inB!, most);
  };

  it('are counted, and told in stretches', () => {
    const found = spellings('The quick, brown fox ran away', 'the quick brown fox ran AWAY');
    const at = (from: number, to: number) => ({ a: { from, to }, b: { from, to } });
    expect(found).toEqual({ words: 3, partings: [at(0, 2), at(5, 6)] });
    expect(spellings('A b C d E f G', 'a b c d e f g').partings).toEqual([at(0, 1), at(2, 3), at(4, 5)]);
    expect(spellings('A b C d E f G', 'a b c d e f g').words).toBe(4);
    // what stands before the first word and after the last one counts as well
    expect(spellings('(one two', 'one two')).toEqual({ words: 1, partings: [at(0, 1)] });
    expect(spellings('one two!', 'one two')).toEqual({ words: 1, partings: [at(1, 2)] });
    expect(spellings('one two', 'one two')).toEqual({ words: 0, partings: [] });
  });
});
