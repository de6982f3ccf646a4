import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type JoinedMember,
  partCounts,
  partName,
  partsAt,
  treeOf,
  weakestLinks,
} from '../../../src/page/drawn/family-tree.ts';

/** A family as the API tells it: each member but the first joined by an earlier one. */
const family = fc
  .array(fc.record({ by: fc.nat(), likeness: fc.integer({ min: 1, max: 20 }) }), { maxLength: 25 })
  .map((joins): JoinedMember[] => [
    { contentId: 'c0', joinedBy: null },
    ...joins.map(({ by, likeness }, at) => ({
      contentId: `c${at + 1}`,
      joinedBy: { contentId: `c${by % (at + 1)}`, likeness: { estimate: likeness / 20 } },
    })),
  ]);

/** Of each member the members that it hangs together with by pairs at or above a threshold, by walking. */
function together(members: readonly JoinedMember[], threshold: number): string[] {
  const near = new Map(members.map(({ contentId }) => [contentId, new Set([contentId])]));
  for (const { contentId, joinedBy } of members) {
    if (joinedBy === null || joinedBy.likeness.estimate < threshold) continue;
    near.get(contentId)!.add(joinedBy.contentId);
    near.get(joinedBy.contentId)!.add(contentId);
  }
  return members.map(({ contentId }) => {
    const seen = new Set([contentId]);
    for (const each of seen) for (const next of near.get(each)!) seen.add(next);
    return [...seen].sort().join();
  });
}

describe('the tree of a family', () => {
  it('has each member once, below the one that joined it, in an order that can be drawn', () => {
    fc.assert(
      fc.property(family, (members) => {
        const nodes = treeOf(members);
        expect(nodes.map(({ member }) => member).sort((a, b) => a - b)).toEqual(members.map((_, at) => at));
        for (const [row, { member, parent, depth }] of nodes.entries()) {
          const above = parent === null ? null : nodes[parent]!;
          expect(above === null ? undefined : members[above.member]!.contentId).toBe(
            members[member]!.joinedBy?.contentId,
          );
          expect(depth).toBe(above === null ? 0 : above.depth + 1);
          // before its siblings' subtrees: the row above is the parent, or below the parent
          if (row > 0) expect(nodes[row - 1]!.depth).toBeGreaterThanOrEqual(depth - 1);
        }
      }),
    );
  });

  it('lets nothing hang from what is not there, or from itself', () => {
    const like = { estimate: 0.5 };
    const odd: JoinedMember[] = [
      { contentId: 'a', joinedBy: { contentId: 'b', likeness: like } },
      { contentId: 'b', joinedBy: { contentId: 'a', likeness: like } },
      { contentId: 'c', joinedBy: { contentId: 'gone', likeness: like } },
      { contentId: 'd', joinedBy: { contentId: 'd', likeness: like } },
    ];
    expect(treeOf(odd).map(({ member, parent }) => [member, parent])).toEqual([
      [0, null],
      [1, 0],
      [2, null],
      [3, null],
    ]);
  });
});

describe('a family that falls apart', () => {
  it('has the parts that the pairs at the threshold still join, the largest first', () => {
    fc.assert(
      fc.property(family, fc.integer({ min: 0, max: 21 }), (members, at) => {
        const threshold = at / 20;
        const nodes = treeOf(members);
        const { of, sizes } = partsAt(nodes, threshold);
        const expected = together(members, threshold);
        const names = new Map<number, string>();
        for (const [row, { member }] of nodes.entries()) {
          const name = names.get(of[row]!) ?? expected[member]!;
          names.set(of[row]!, name);
          expect(expected[member]).toBe(name);
          expect(sizes[of[row]!]).toBe(name.split(',').length);
        }
        expect(names.size).toBe(new Set(expected).size);
        expect([...sizes].sort((a, b) => b - a)).toEqual(sizes);
      }),
    );
  });

  it('has as many parts at each threshold as the staircase says', () => {
    fc.assert(
      fc.property(family, fc.integer({ min: 1, max: 40 }), (members, at) => {
        const nodes = treeOf(members);
        // between two likenesses, and on one: a pair at the threshold holds
        const threshold = at / 40;
        const step = partCounts(nodes).findLast(({ above }) => above < threshold)!;
        expect(step.parts).toBe(partsAt(nodes, threshold).sizes.length);
      }),
    );
  });

  it('is cut at its weakest link into the two sides that are told', () => {
    fc.assert(
      fc.property(family, fc.integer({ min: 0, max: 20 }), (members, at) => {
        const nodes = treeOf(members);
        const held = partsAt(nodes, at / 20);
        for (const { row, likeness, sides } of weakestLinks(nodes, at / 20, 3)) {
          expect(likeness).toBeGreaterThanOrEqual(at / 20);
          const cut = nodes.map((node, each) => (each === row ? { ...node, likeness: -1 } : node));
          const { of, sizes } = partsAt(cut, at / 20);
          expect(sides).toEqual([sizes[of[nodes[row]!.parent!]!], sizes[of[row]!]]);
          expect(sides[0] + sides[1]).toBe(held.sizes[held.of[row]!]);
        }
      }),
    );
  });

  it('names its weakest links first', () => {
    const links = weakestLinks(
      treeOf([
        { contentId: 'a', joinedBy: null },
        { contentId: 'b', joinedBy: { contentId: 'a', likeness: { estimate: 0.9 } } },
        { contentId: 'c', joinedBy: { contentId: 'b', likeness: { estimate: 0.4 } } },
        { contentId: 'd', joinedBy: { contentId: 'c', likeness: { estimate: 0.7 } } },
      ]),
      0.4,
      2,
    );
    expect(links).toEqual([
      { row: 2, likeness: 0.4, sides: [2, 2] },
      { row: 3, likeness: 0.7, sides: [3, 1] },
    ]);
  });
});

it('parts have names of their own', () => {
  expect([0, 25, 26, 27, 51, 52, 701, 702].map(partName)).toEqual(['A', 'Z', 'AA', 'AB', 'AZ', 'BA', 'ZZ', 'AAA']);
  expect(new Set(Array.from({ length: 2000 }, (_, part) => partName(part))).size).toBe(2000);
});
