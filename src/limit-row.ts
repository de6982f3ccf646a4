/*
 * A limit is described once, in the `limits.ts` of its part. One that a deployment may set is a row there, of which
 * src/config.ts makes a setting; one that none would set is a constant beside what it bounds.
 */

/** A limit that a deployment may set: its range, what it bounds, and why the default is what it is. */
export interface LimitRow {
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly description: string;
  readonly reason: string;
}

/** The limits of a part where nothing is set. */
export function defaultsOf<R extends Readonly<Record<string, LimitRow>>>(rows: R): { readonly [K in keyof R]: number } {
  const entries = Object.entries(rows).map(([limit, row]) => [limit, row.default]);
  return Object.fromEntries(entries) as { [K in keyof R]: number };
}
