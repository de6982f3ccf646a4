import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEPT, leaderCover } from '../../../src/core/cluster/cover.ts';
import type { Edges } from '../../../src/core/cluster/edges.ts';
import { graphs, THRESHOLDS } from '../../support/cluster/small-graphs.ts';
import { draws } from '../../support/draws.ts';

/** Of each node the one at the other end of its edge. */
const standsFor = ({ a, b }: Edges, found: Uint32Array) =>
  Array.from(found, (edge, node) => (edge === KEPT ? KEPT : a[edge]! + b[edge]! - node));

describe('the leader cover', () => {
  it('keeps what no kept one before it is so alike to, and names for each other one the most alike kept one', () => {
    fc.assert(
      fc.property(graphs, fc.constantFrom(...THRESHOLDS), fc.nat(), ({ documentsOf, edges }, threshold, turn) => {
        const size = documentsOf.length;
        const order = Uint32Array.from({ length: size }, (_, i) => (i * 11 + turn) % size);
        const all = new Set(order).size === size ? order : Uint32Array.from(order.keys());
        const weights = new Map<string, number>();
        for (let i = 0; i < edges.count; i++) {
          weights.set(`${edges.a[i]} ${edges.b[i]}`, edges.weight[i]!);
          weights.set(`${edges.b[i]} ${edges.a[i]}`, edges.weight[i]!);
        }
        const alike = (one: number, other: number) => weights.get(`${one} ${other}`) ?? 0;
        const kept: number[] = [];
        for (const node of all) if (!kept.some((other) => alike(node, other) >= threshold)) kept.push(node);
        const expected = Array.from({ length: size }, (_, node) => {
          if (kept.includes(node)) return KEPT;
          const most = Math.max(...kept.map((other) => alike(node, other)));
          return kept.find((other) => alike(node, other) === most)!;
        });
        expect(standsFor(edges, leaderCover(all, edges, threshold))).toEqual(expected);
      }),
    );
  });

  it('names the most alike of those that may stand for it: those before it, and others as long', () => {
    fc.assert(
      fc.property(
        graphs,
        fc.constantFrom(...THRESHOLDS),
        fc.integer({ min: 1, max: 4 }),
        (graph, threshold, classes) => {
          const { documentsOf, edges } = graph;
          const order = Uint32Array.from(documentsOf.keys());
          // lengths fall along the order, several of one
          const lengthOf = (node: number) => -Math.floor(node / classes);
          const mayStandFor = (node: number, other: number) => lengthOf(node) >= lengthOf(other);
          const found = standsFor(edges, leaderCover(order, edges, threshold, null, mayStandFor));
          const anyone = standsFor(edges, leaderCover(order, edges, threshold));
          for (const node of order) {
            expect(found[node] === KEPT).toBe(anyone[node] === KEPT);
            if (found[node] !== KEPT) expect(mayStandFor(found[node]!, node)).toBe(true);
            if (anyone[node] !== KEPT && mayStandFor(anyone[node]!, node)) expect(found[node]).toBe(anyone[node]);
          }
        },
      ),
      draws(125),
    );
  });

  it('never removes fixed nodes, and names one for each that is so alike to any', () => {
    const fixes = fc.record({ count: fc.nat(6), isAlone: fc.boolean(), odd: fc.boolean() });
    fc.assert(
      fc.property(graphs, fc.constantFrom(...THRESHOLDS), fixes, ({ documentsOf, edges }, threshold, fix) => {
        const size = documentsOf.length;
        const order = Uint32Array.from({ length: size }, (_, i) => i);
        const isFixed = Uint8Array.from(order, (node) => Number(node < fix.count));
        const mayStandFor = (node: number, other: number) =>
          isFixed[node] === 0 || !fix.odd || (node + other) % 2 === 1;
        const weights = new Map<string, number>();
        for (let i = 0; i < edges.count; i++) {
          weights.set(`${edges.a[i]} ${edges.b[i]}`, edges.weight[i]!);
          weights.set(`${edges.b[i]} ${edges.a[i]}`, edges.weight[i]!);
        }
        const alike = (one: number, other: number) => weights.get(`${one} ${other}`) ?? 0;
        const mostOf = (node: number, kept: readonly number[]) => {
          const most = Math.max(0, ...kept.map((other) => alike(node, other)));
          return most >= threshold ? kept.find((other) => alike(node, other) === most) : undefined;
        };
        const fixed = [...order].filter((node) => isFixed[node] === 1);
        const byFixed = (node: number) =>
          mostOf(
            node,
            fixed.filter((one) => mayStandFor(one, node)),
          );
        const free = [...order].filter((node) => isFixed[node] === 0);
        const kept: number[] = [];
        for (const node of free) {
          if (byFixed(node) === undefined && (fix.isAlone || mostOf(node, kept) === undefined)) kept.push(node);
        }
        const expected = [...order].map((node) => {
          if (isFixed[node] === 1 || kept.includes(node)) return KEPT;
          return byFixed(node) ?? mostOf(node, kept);
        });
        const found = leaderCover(order, edges, threshold, { isFixed, isAlone: fix.isAlone }, mayStandFor);
        expect(standsFor(edges, found)).toEqual(expected);
      }),
      draws(75),
    );
  });
});
