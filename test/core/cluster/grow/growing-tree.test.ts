import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingTree, type TreeDocument } from '../../../../src/core/cluster/grow/growing-tree.ts';
import type { Likeness } from '../../../../src/core/cluster/pair-floor.ts';
import { draws } from '../../../support/draws.ts';

const documentOf = (values: readonly number[], number: number): TreeDocument => {
  const own = [...new Set(values)].sort((a, b) => a - b);
  const id = String((number * 7919) % 10_007).padStart(5, '0');
  const sample = { modulus: 1, bits: 28, values: Float64Array.from(own) };
  return { id, shingleDigest: own.join(), shingleCount: own.length, sample };
};

function likeness({ sample: { values: a } }: TreeDocument, { sample: { values: b } }: TreeDocument, by: Likeness) {
  const shared = a.filter((value) => b.includes(value)).length;
  const most = by === 'resemblance' ? a.length + b.length - shared : Math.min(a.length, b.length);
  return most === 0 ? 1 : shared / most;
}

/** Prim's algorithm on all pairs, from the first: who hangs on whom, and how strongly; of equals the first taken, the least id. */
function slowTree(documents: readonly TreeDocument[], by: Likeness, threshold: number) {
  const taken = [{ number: 0, from: -1, weight: 1 }];
  for (;;) {
    let best: (typeof taken)[number] | null = null;
    for (const [number, document] of documents.entries()) {
      if (taken.some((one) => one.number === number)) continue;
      let own: (typeof taken)[number] | null = null;
      for (const { number: from } of taken) {
        const weight = likeness(documents[from]!, document, by);
        // nothing is known of a pair that shares nothing, but that both are empty
        if (weight === 0 || (by === 'containment' && isEmpty(documents[from]!) !== isEmpty(document))) continue;
        if (weight >= threshold && (own === null || weight > own.weight)) own = { number, from, weight };
      }
      if (own === null) continue;
      const isFirst =
        best === null ||
        own.weight > best.weight ||
        (own.weight === best.weight && document.id < documents[best.number]!.id);
      if (isFirst) best = own;
    }
    if (best === null) return taken;
    taken.push(best);
  }
}

const isEmpty = ({ shingleCount }: TreeDocument) => shingleCount === 0;

it('is the tree of Prim over all pairs, whenever documents become known', () => {
  const values = fc.array(fc.nat(12), { maxLength: 10 });
  fc.assert(
    fc.property(
      fc.array(values, { minLength: 1, maxLength: 14 }),
      fc.constantFrom('resemblance', 'containment'),
      fc.constantFrom(0.1, 0.25, 0.5, 0.8, 1),
      fc.nat(14),
      (all, by, threshold, knownFirst) => {
        const documents = all.map(documentOf);
        const tree = new GrowingTree(by, threshold);
        for (const document of documents.slice(0, 1 + knownFirst)) tree.add(document);
        tree.take(0);
        for (const document of documents.slice(1 + knownFirst)) tree.add(document);
        for (let next = tree.strongest(); next !== undefined; next = tree.strongest()) {
          expect(tree.fringe()[0]).toBe(next);
          tree.take(next);
        }
        const expected = slowTree(documents, by, threshold);
        expect(tree.taken).toEqual(expected.map(({ number }) => number));
        for (const { number, from, weight } of expected.slice(1)) {
          const edge = tree.edgeOf(number)!;
          expect(edge.from).toBe(from);
          expect(edge.weight).toBeCloseTo(weight, 12);
        }
      },
    ),
    draws(100),
  );
});

it('takes a document in steps where thousands may hang on it, whether it has shingles or not', () => {
  for (const [seed, values] of [
    ['of the family', [1, 2, 3]],
    ['empty', []],
  ] as const) {
    const tree = new GrowingTree('resemblance', 0.5);
    for (let number = 0; number < 3000; number++) tree.add(documentOf(number === 0 ? values : [1, 2, 3], number));
    let yields = 0;
    for (const _ of tree.takeSteps(0)) yields++;
    expect([seed, yields >= 10]).toEqual([seed, true]);
    expect(tree.fringe()).toHaveLength(values.length === 0 ? 0 : 2999);
  }
});
