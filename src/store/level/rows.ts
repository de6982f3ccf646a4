import type { KeyRange } from './keys.ts';

/*
 * Rows that are not written yet, laid over rows that are. A plan changes its own layer over the batch's layer over
 * LevelDB, so that the plans of one batch see each other's rows, and a plan that fails leaves nothing.
 *
 *   plan     s:put  r:del                    |  reads go down until a layer
 *   batch    s:put  c:put  p:put p:put       |  knows the key
 *   LevelDB  s  c  p p p r                   v
 */

/** Rows as they are read. */
export interface RowReader {
  get(key: string): Promise<Buffer | undefined>;
  /** Keys of a range in order. */
  keys(range: KeyRange): Promise<string[]>;
}

/** A row to be put, or with null to be deleted. */
export type RowChange = readonly [key: string, value: Buffer | null];

export class RowLayer implements RowReader {
  private readonly below: RowReader;
  /** By table, so that ranges, which are never over postings, do not go through them. */
  private readonly tables = new Map<string, Map<string, Buffer | null>>();
  private count = 0;

  constructor(below: RowReader) {
    this.below = below;
  }

  /** Rows changed in this layer. */
  get size(): number {
    return this.count;
  }

  put(key: string, value: Buffer): void {
    this.change(key, value);
  }

  delete(key: string): void {
    this.change(key, null);
  }

  async get(key: string): Promise<Buffer | undefined> {
    const changed = this.tables.get(key.charAt(0))?.get(key);
    return changed === undefined ? this.below.get(key) : (changed ?? undefined);
  }

  async keys(range: KeyRange): Promise<string[]> {
    const own = [...(this.tables.get(range.gte.charAt(0)) ?? [])].filter(([key]) => key >= range.gte && key < range.lt);
    if (own.length === 0) return this.below.keys(range);
    const changed = new Map(own);
    const below = await this.below.keys({ ...range, limit: range.limit + own.length });
    const keys = below.filter((key) => !changed.has(key));
    for (const [key, value] of own) if (value !== null) keys.push(key);
    keys.sort();
    if (range.reverse) keys.reverse();
    return keys.slice(0, range.limit);
  }

  *changes(): Generator<RowChange> {
    for (const rows of this.tables.values()) yield* rows;
  }

  /** Takes over what another layer, laid over this one, has changed. */
  takeOver(other: RowLayer): void {
    for (const [key, value] of other.changes()) this.change(key, value);
  }

  private change(key: string, value: Buffer | null): void {
    const letter = key.charAt(0);
    const rows = this.tables.get(letter) ?? new Map<string, Buffer | null>();
    if (rows.size === 0) this.tables.set(letter, rows);
    const before = rows.size;
    rows.set(key, value);
    this.count += rows.size - before;
  }
}
