import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairCounter } from '../../../src/core/cluster/pair-counts.ts';
import { PIVOTS, pivotRank } from '../../../src/core/cluster/pivots.ts';
import { entryStarts, LIST_MAX, ListFinder, listsOf, writeEntries } from '../../../src/core/cluster/shingle-lists.ts';

/** Sets of shingles, one a node, to postings sorted by shingle, in parts. */
function partsOf(sets: readonly ReadonlySet<number>[], parts: number) {
  return Array.from({ length: parts }, (_, part) => {
    const postings = sets.flatMap((set, node) => [...set].map((shingle) => ({ shingle, node })));
    const own = postings.filter(({ shingle }) => shingle % parts === part);
    own.sort((a, b) => a.shingle - b.shingle || a.node - b.node);
    const entries = new Uint32Array(sets.length);
    const finder = new ListFinder(entries);
    const [keys, nodes] = [own.map(({ shingle }) => shingle), own.map(({ node }) => node)];
    finder.add(Uint32Array.from(keys), Uint32Array.from(nodes), own.length);
    const lists = listsOf(finder.end(), (node) => pivotRank(node, 1), entries);
    return { lists, entries };
  });
}

/** What each pair a < b shares, as counted. */
function countsOf(sets: readonly ReadonlySet<number>[], parts: number): Map<string, number> {
  const made = partsOf(sets, parts);
  const entriesOf = made.map(({ entries }) => entries);
  const starts = entryStarts(entriesOf, sets.length);
  const entries = new Uint32Array(starts[sets.length]!);
  for (const [part, { lists }] of made.entries()) {
    const next = starts.slice(0, -1);
    for (const before of entriesOf.slice(0, part)) for (let i = 0; i < next.length; i++) next[i]! += before[i]!;
    writeEntries(lists, next, entries);
  }
  const counter = new PairCounter({ parts: made, starts, entries, nodes: sets.length });
  const found = new Map<string, number>();
  for (let a = 0; a < sets.length; a++) {
    counter.row(a);
    for (let i = 0; i < counter.size; i++) {
      const b = counter.partners[i]!;
      expect(b).toBeGreaterThan(a);
      found.set(`${a} ${b}`, counter.take(b));
    }
  }
  return found;
}

const sharedBy = (a: ReadonlySet<number>, b: ReadonlySet<number>) => [...a].filter((shingle) => b.has(shingle)).length;

describe('counting pairs row by row', () => {
  it('finds what each pair shares, however postings are parted', () => {
    const set = fc.uniqueArray(fc.nat(40), { maxLength: 12 }).map((shingles) => new Set(shingles));
    fc.assert(
      fc.property(fc.array(set, { maxLength: 25 }), fc.integer({ min: 1, max: 3 }), (sets, parts) => {
        const expected = new Map<string, number>();
        for (const [a, one] of sets.entries()) {
          for (let b = a + 1; b < sets.length; b++) {
            const shared = sharedBy(one, sets[b]!);
            if (shared > 0) expected.set(`${a} ${b}`, shared);
          }
        }
        expect(countsOf(sets, parts)).toEqual(expected);
      }),
    );
  });

  it('counts a common shingle once for each pair with a pivot, and for no other', () => {
    const size = LIST_MAX + 50;
    const sets = Array.from({ length: size }, (_, node) => new Set([1, 2, node % 7 === 0 ? 3 : 1000 + node]));
    const found = countsOf(sets, 2);
    const partners = new Map<number, number>();
    for (const [pair, shared] of found) {
      const [a, b] = pair.split(' ').map(Number) as [number, number];
      const isThird = a % 7 === 0 && b % 7 === 0;
      const isWithPivot = shared >= 2;
      expect(shared - Number(isThird)).toBe(isWithPivot ? 2 : 0);
      if (!isWithPivot) continue;
      for (const node of [a, b]) partners.set(node, (partners.get(node) ?? 0) + 1);
    }
    const pivots = [...partners].filter(([, count]) => count === size - 1);
    expect(pivots).toHaveLength(PIVOTS);
    expect([...partners.values()].filter((count) => count === PIVOTS)).toHaveLength(size - PIVOTS);
  });
});
