import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PIVOTS, postingHash } from '../../../src/core/cluster/common/pivots.ts';
import { PairCounter } from '../../../src/core/cluster/pair-counts.ts';
import {
  addUpEntries,
  type CommonChoice,
  countEntries,
  enterLists,
  RangeLists,
  type RangeMemory,
} from '../../../src/core/cluster/ranges/range-lists.ts';
import {
  leastBytes,
  mergedSurvey,
  type RowRange,
  type RowSurvey,
  rangeBytes,
  rangesWithin,
} from '../../../src/core/cluster/ranges/row-ranges.ts';
import { LAST, ListFinder } from '../../../src/core/cluster/shingle-lists.ts';

/** Lists of more nodes are common. */
const LIST_LEAST = 100;

/** Sets of shingles, one a node, to postings sorted by shingle, in parts, to lists. */
function listsOf(sets: readonly ReadonlySet<number>[], parts: number) {
  const commonOf = new Uint32Array(sets.length);
  return Array.from({ length: parts }, (_, part) => {
    const postings = sets.flatMap((set, node) => [...set].map((shingle) => ({ shingle, node })));
    const own = postings.filter(({ shingle }) => shingle % parts === part);
    own.sort((a, b) => a.shingle - b.shingle || a.node - b.node);
    const finder = new ListFinder(commonOf, LIST_LEAST);
    const [keys, nodes] = [own.map(({ shingle }) => shingle), Uint32Array.from(own, ({ node }) => node)];
    const words = finder.find(Uint32Array.from(keys), nodes, own.length);
    const ranks = finder.common.map(({ key }) => key);
    return { lists: nodes.slice(0, words), ranks, survey: finder.survey, commonSurvey: finder.commonSurvey };
  });
}

/** Lists of more are counted whole. */
const WHOLE: CommonChoice = {
  listMax: LIST_LEAST,
  isCounted: () => true,
  hasPivots: () => false,
  pivotRank: postingHash,
};

interface Parts {
  readonly lists: readonly Uint32Array[];
  /** Of the common ones of each. */
  readonly ranks: readonly (readonly number[])[];
  readonly choice: CommonChoice;
}

/** The memory of a range, which is as large as was told. */
function memoryOf({ from, to, members, entries }: RowRange, { lists, ranks, choice }: Parts): RangeMemory {
  const memory = {
    ...{ from, to, members: new Uint32Array(members), entries: new Uint32Array(entries) },
    ...{ cursor: new Uint32Array(1), ends: new Uint32Array(to - from + 1) },
  };
  const added = lists.map((part, i) => {
    const one = new RangeLists(memory, choice);
    one.add(part.slice(), ranks[i]!);
    return one;
  });
  // by two threads
  const slices = [0, 1].map((slice) => ({ slice, slices: 2 }));
  for (const slice of slices) countEntries(memory, added, slice);
  addUpEntries(memory);
  expect(memory.cursor[0]).toBeLessThanOrEqual(members);
  expect(memory.ends.at(-1)).toBeLessThanOrEqual(entries);
  for (const slice of slices) enterLists(memory, added, slice);
  return memory;
}

/** What each pair a < b shares, as counted, range by range. */
function countsOf(
  sets: readonly ReadonlySet<number>[],
  parts: number,
  bytesOf: (survey: RowSurvey) => number = () => Number.POSITIVE_INFINITY,
  choice: CommonChoice = WHOLE,
) {
  const made = listsOf(sets, parts);
  const survey = mergedSurvey(made.flatMap((one) => [one.survey, one.commonSurvey]));
  const ranges = rangesWithin(survey, sets.length, bytesOf(survey))!;
  const found = new Map<string, number>();
  for (const range of ranges) {
    const memory = memoryOf(range, {
      ...{ lists: made.map(({ lists }) => lists), ranks: made.map(({ ranks }) => ranks), choice },
    });
    const counter = new PairCounter(memory);
    for (let a = range.from; a < range.to; a++) {
      counter.row(a, 1);
      for (let i = 0; i < counter.size; i++) {
        const b = counter.partners[i]!;
        expect(b).toBeGreaterThan(a);
        found.set(`${a} ${b}`, counter.shared[i]!);
      }
    }
  }
  return { found, ranges, survey };
}

/** Rows 0, 1, … whose lists these are. */
function memoryOfRows(rows: readonly (readonly (readonly number[])[])[]): RangeMemory {
  const [members, entries, ends]: [number[], number[], number[]] = [[], [], [0]];
  for (const lists of rows) {
    for (const list of lists) {
      const last = (list.at(-1)! | LAST) >>> 0;
      entries.push(list.length === 1 ? last : members.length);
      if (list.length > 1) for (const member of [...list.slice(0, -1), last]) members.push(member);
    }
    ends.push(entries.length);
  }
  const words = (all: number[]) => Uint32Array.from(all);
  const memory = { members: words(members), entries: words(entries), ends: words(ends) };
  return { from: 0, to: rows.length, cursor: words([0]), ...memory };
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
        expect(countsOf(sets, parts).found).toEqual(expected);
        // in as many ranges as there can be
        const least = (survey: RowSurvey) => leastBytes(survey, sets.length);
        expect(countsOf(sets, parts, least).found).toEqual(expected);
      }),
    );
  });

  it('counts rows of any nodes, one after the other, and leaves out pairs that share less than is asked for', () => {
    // many that follow one another, and some of all that there can be
    const node = fc.oneof(fc.integer({ min: 2, max: 90 }), fc.integer({ min: 2, max: LAST - 2 }));
    const list = fc.uniqueArray(node, { minLength: 1, maxLength: 60 });
    const rows = fc.tuple(fc.array(list, { maxLength: 60 }), fc.array(list, { maxLength: 3 }));
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 4 }), (lists, least) => {
        const counter = new PairCounter(memoryOfRows(lists));
        for (const [row, own] of lists.entries()) {
          const expected = new Map<number, number>();
          for (const one of own.flat()) expected.set(one, (expected.get(one) ?? 0) + 1);
          const before = counter.pairs;
          counter.row(row, least);
          const { size, partners, shared } = counter;
          const found = Array.from({ length: size }, (_, i) => [partners[i]!, shared[i]!] as const);
          expect(found).toEqual([...expected].filter(([, count]) => count >= least).sort(([a], [b]) => a - b));
          expect(counter.pairs - before).toBe(expected.size);
        }
        expect(counter.increments).toBe(lists.flat(2).length);
      }),
    );
  });

  it('counts rows of more partners than a table has room for, and small ones after them', () => {
    // some of each list lie far behind
    const lists = [1, 2, 3].map((step) => [
      ...Array.from({ length: 60_000 }, (_, i) => 9 + step * i),
      ...[1, 2, 3].map((far) => 700_000_000 * far - step),
    ]);
    // of one member each
    const large = [...lists, [10], [9]];
    const small = [[12]];
    const expected = new Map<number, number>();
    for (const node of large.flat()) expected.set(node, (expected.get(node) ?? 0) + 1);
    const counter = new PairCounter(memoryOfRows([small, large, small]));
    for (const row of [0, 1, 2, 1, 0]) {
      counter.row(row, row === 1 ? 2 : 1);
      const found = Array.from({ length: counter.size }, (_, i) => [counter.partners[i]!, counter.shared[i]!]);
      const several = [...expected].filter(([, count]) => count >= 2).sort(([a], [b]) => a - b);
      expect(found).toEqual(row === 1 ? several : [[12, 1]]);
    }
    expect(counter.pairs).toBe(3 + 2 * expected.size);
    expect(counter.increments).toBe(3 + 2 * large.flat().length);
  });

  it('takes little memory for a row of many increments', () => {
    const members = Uint32Array.from({ length: 400_000 }, (_, i) => i + 1);
    members[members.length - 1]! |= LAST;
    const entries = new Uint32Array(10);
    const ends = Uint32Array.of(0, entries.length);
    const counter = new PairCounter({ from: 0, to: 1, members, entries, ends, cursor: new Uint32Array(1) });
    const before = process.memoryUsage().arrayBuffers;
    counter.row(0, entries.length + 1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16e6);
    expect([counter.size, counter.pairs, counter.increments]).toEqual([0, 400_000, 4_000_000]);
  });

  it('counts a common shingle once for each pair with a pivot, and for each of those that count there', () => {
    const size = 3 * LIST_LEAST;
    const sets = Array.from({ length: size }, (_, node) => new Set([1, 2, node % 7 === 0 ? 3 : 1000 + node]));
    // shingle 1 is counted by pivots, and among some; shingle 2 among others
    const isCounted = (node: number, rank: number) => (rank === 1 ? node % 5 === 0 : node % 3 === 0);
    const choice = { ...WHOLE, isCounted, hasPivots: (rank: number) => rank === 1 };
    const { found, survey } = countsOf(sets, 2, undefined, choice);
    const least = leastBytes(survey, size);
    const several = countsOf(sets, 2, () => 1.2 * least, choice);
    expect(several.ranges.length).toBeGreaterThan(2);
    expect(several.found).toEqual(found);
    for (const range of several.ranges) expect(rangeBytes(range)).toBeLessThanOrEqual(1.2 * least);
    expect(rangesWithin(survey, size, least - 1)).toBe(null);
    const pivots = new Set(
      Array.from({ length: size }, (_, node) => node)
        .sort((a, b) => postingHash(a) - postingHash(b))
        .slice(0, PIVOTS),
    );
    const expected = new Map<string, number>();
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        const both = (step: number) => Number(a % step === 0 && b % step === 0);
        const isMet = pivots.has(a) || pivots.has(b) || both(5) === 1;
        const shared = Number(isMet) + both(3) + both(7);
        if (shared > 0) expected.set(`${a} ${b}`, shared);
      }
    }
    expect(found).toEqual(expected);
  });
});
