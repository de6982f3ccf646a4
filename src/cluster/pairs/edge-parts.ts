import type { Verified } from './pair-jobs.ts';
import { EDGE_BYTES } from './pair-memory.ts';

/*
 * Edges as threads find them, some rows at a time:
 *
 *   part 0   a: 0 0 3 | 9 9 |           edges of some rows together, by rising nodes as a rule
 *   part 1   a: 4 6 |        10 11 |
 *   column   0 0 3 4 6 9 9 10 11        pieces of the parts, so that they come by rising a
 *
 * Edges that come so are nearly in order (core/cluster/order-edges.ts). Parts follow one another where there would be too many
 * pieces.
 */

/** Pairs of nodes at the floor or above. */
export type FoundEdges = Verified;

/** Edges of a piece in the mean, at the least. */
const PIECE_LEAST = 32;
/** To find the next piece all parts are looked at. */
const PARTS_MAX = 64;
/** More than any node. */
const NONE = Number.POSITIVE_INFINITY;

interface Piece {
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

export class EdgeParts {
  count = 0;
  private readonly parts: { -readonly [K in keyof FoundEdges]: FoundEdges[K] }[] = [];
  private pieces: readonly Piece[] | null = null;

  get bytes(): number {
    return EDGE_BYTES * this.count;
  }

  /** @param part copied, since it may be a part of more memory */
  add({ a, b, shared, weight }: Verified): void {
    this.count += a.length;
    this.parts.push({ a: a.slice(), b: b.slice(), shared: shared.slice(), weight: weight.slice() });
  }

  /** All edges, some at a time, before any column was taken. */
  each(): Iterable<Verified> {
    return this.parts;
  }

  /** One column of all edges, which is left here no longer; after the first one nothing can be added. */
  take<K extends keyof FoundEdges>(name: K): FoundEdges[K] {
    const { parts } = this;
    const [only] = parts;
    if (parts.length === 1) return only![name];
    const rows = parts.map(({ a }) => a);
    this.pieces ??= piecesOf(rows, this.count / PIECE_LEAST + PARTS_MAX);
    const column = (name === 'weight' ? new Float64Array(this.count) : new Uint32Array(this.count)) as FoundEdges[K];
    let at = 0;
    for (const { part, from, to } of this.pieces) {
      column.set(parts[part]![name].subarray(from, to), at);
      at += to - from;
    }
    for (const part of parts) part[name] = column.subarray(0, 0) as FoundEdges[K];
    return column;
  }
}

/** Pieces by rising numbers, where the columns rise and pieces are not too many; else each column is one. */
function piecesOf(columns: readonly Uint32Array[], piecesMax: number): Piece[] {
  const whole = columns.map(({ length }, part) => ({ part, from: 0, to: length }));
  if (columns.length === 0 || columns.length > PARTS_MAX) return whole;
  const pieces: Piece[] = [];
  const places = columns.map(() => 0);
  const headOf = (part: number) => columns[part]![places[part]!] ?? NONE;
  while (pieces.length < piecesMax) {
    let [part, bound] = [0, NONE];
    for (let other = 1; other < columns.length; other++) {
      const isLess = headOf(other) < headOf(part);
      bound = isLess ? headOf(part) : Math.min(bound, headOf(other));
      if (isLess) part = other;
    }
    const [column, from] = [columns[part]!, places[part]!];
    if (from === column.length) return pieces;
    let to = from + 1;
    while (to < column.length && column[to]! <= bound) to++;
    places[part] = to;
    pieces.push({ part, from, to });
  }
  return whole;
}
