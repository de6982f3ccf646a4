import type { TInteger } from 'typebox';
import { type SettingText, whole } from './setting.ts';

/*
 * Limits of a part as settings. A part names its limits in an interface (`candidatesMax`) and gives their defaults once;
 * here each becomes a setting (`CANDIDATES_MAX`, with a prefix for the part where names would clash), and back.
 */

/** A limit's range and what it says about itself; its default is the part's own. */
export interface LimitRow extends SettingText {
  readonly minimum: number;
  readonly maximum: number;
}

export const row = (minimum: number, maximum: number, description: string, reason: string): LimitRow => ({
  minimum,
  maximum,
  description,
  reason,
});

/** One row for each limit of a part: a limit without a row does not compile. */
export type LimitRows<L> = { readonly [K in keyof L]: LimitRow };

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
export function limitSettings<Prefix extends string, L extends object>(
  prefix: Prefix,
  defaults: L,
  rows: LimitRows<L>,
): { [K in keyof L as SettingName<Prefix, K>]: TInteger } {
  const entries = Object.entries(rows as Record<string, LimitRow>).map(([limit, texts]) => {
    const options = { ...texts, default: (defaults as Record<string, number>)[limit]! };
    return [settingName(prefix, limit), whole(options)];
  });
  return Object.fromEntries(entries) as { [K in keyof L as SettingName<Prefix, K>]: TInteger };
}

/** The limits of one part as they are configured. */
export function limitsFrom<Prefix extends string, L extends object>(
  config: { readonly [K in keyof L as SettingName<Prefix, K>]: number },
  prefix: Prefix,
  defaults: L,
): L {
  const values = config as Readonly<Record<string, number>>;
  return Object.fromEntries(Object.keys(defaults).map((limit) => [limit, values[settingName(prefix, limit)]])) as L;
}
