import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnionFind } from '../../../src/core/cluster/union-find.ts';
import { draws } from '../../support/draws.ts';

describe('trees of nodes', () => {
  it('are those of labels that are painted over, with the documents of all their nodes', () => {
    const documents = fc.array(fc.oneof(fc.nat(3), fc.constant(2 ** 24)), { minLength: 1, maxLength: 30 });
    const joins = fc.array(fc.tuple(fc.nat(29), fc.nat(29)), { maxLength: 60 });
    fc.assert(
      fc.property(documents, joins, (documentsOf, pairs) => {
        const nodes = documentsOf.length;
        const trees = new UnionFind(Uint32Array.from(documentsOf));
        let labels = documentsOf.map((_, node) => node);
        for (const [one, other] of pairs.map(([a, b]) => [a % nodes, b % nodes] as const)) {
          const [rootOne, rootOther] = [trees.find(one), trees.find(other)];
          expect(rootOne === rootOther).toBe(labels[one] === labels[other]);
          if (rootOne === rootOther) continue;
          expect([rootOne, rootOther]).toContain(trees.join(rootOne, rootOther));
          const [from, to] = [labels[one]!, labels[other]!];
          labels = labels.map((label) => (label === from ? to : label));
        }
        for (let node = 0; node < nodes; node++) {
          const together = [...labels.keys()].filter((other) => labels[other] === labels[node]);
          expect(together.filter((other) => trees.find(other) === trees.find(node))).toEqual(together);
          const sum = together.reduce((all, other) => all + documentsOf[other]!, 0);
          expect(trees.sizeOf(trees.find(node))).toBe(sum);
        }
      }),
      draws(125, 1997),
    );
  });
});
