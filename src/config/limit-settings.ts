import type { TInteger } from 'typebox';
import type { LimitRow } from '../limit-row.ts';
import { whole } from './setting.ts';

/*
 * Limits of a part as settings. A part has a row for each limit that may be set (`candidatesMax`, src/limit-row.ts).
 * Here each becomes a setting and back: `CANDIDATES_MAX`, with a prefix for the part where names would clash.
 */

type Upper<S extends string> = S extends `${infer C}${infer Rest}`
  ? `${C extends Lowercase<C> ? Uppercase<C> : `_${C}`}${Upper<Rest>}`
  : '';

/** `candidatesMax` -> `CANDIDATES_MAX`, after the prefix where it does not begin with it anyway. */
export type SettingName<Prefix extends string, K> = K extends string
  ? Upper<K> extends `${Prefix}${string}`
    ? Upper<K>
    : `${Prefix}${Upper<K>}`
  : never;

export function settingName(prefix: string, limit: string): string {
  const name = limit.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
  return name.startsWith(prefix) ? name : prefix + name;
}

/** The settings of one part, ready to be spread into the schema. */
export function limitSettings<Prefix extends string, R extends Readonly<Record<keyof R, LimitRow>>>(
  prefix: Prefix,
  rows: R,
): { [K in keyof R as SettingName<Prefix, K>]: TInteger } {
  const entries = Object.entries<LimitRow>(rows).map(([limit, row]) => [settingName(prefix, limit), whole(row)]);
  return Object.fromEntries(entries) as { [K in keyof R as SettingName<Prefix, K>]: TInteger };
}

/** What is set of the limits of one part, under its own names. */
export function limitsFrom<Prefix extends string, R extends object>(
  config: { readonly [K in keyof R as SettingName<Prefix, K>]: number },
  prefix: Prefix,
  rows: R,
): { [K in keyof R]: number } {
  const values = config as Readonly<Record<string, number>>;
  const entries = Object.keys(rows).map((limit) => [limit, values[settingName(prefix, limit)]]);
  return Object.fromEntries(entries) as { [K in keyof R]: number };
}
