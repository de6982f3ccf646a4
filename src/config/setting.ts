import Type, { type TInteger, type TSchema } from 'typebox';
// the same as that of typebox/value, which takes every command a twentieth of a second longer to load
import { Check } from 'typebox/schema';
import type { LimitRow } from '../limit-row.ts';

/*
 * One setting: how its text in the environment is read, and how its range is said to a person.
 *
 * Own code and not env-schema. That library coerces ("1e3", " 8", "0x10" are numbers to it) and replaces ${NAME} inside
 * values. It names neither the value nor the range of what it refuses.
 */

/** What every setting says about itself; printed in docs/configuration.md. */
type SettingText = Pick<LimitRow, 'description' | 'reason'>;

/** A setting as it stands in the schema: JSON Schema with three words of ours. */
export type SettingSchema = TSchema &
  SettingText & {
    readonly type?: 'integer' | 'number' | 'boolean' | 'string' | 'array';
    readonly enum?: readonly (string | number)[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly items?: TSchema & { readonly type?: string };
    readonly default: unknown;
    /** The same setting with its default for a new index, where an old one knows its own. */
    readonly ofNew?: SettingSchema;
    /** What is allowed, where ranges do not say it. */
    readonly allowed?: string;
    /** How an item of a list is read where it is more than a word or a number. */
    readonly readItem?: (text: string) => unknown;
    /** The value is never printed. */
    readonly secret?: boolean;
  };

type Words = SettingText & { readonly allowed: string };

/** A whole number in a range; the unit stands at the end of the setting's name. */
export const whole = (options: LimitRow) => Type.Integer({ ...options });

/** A setting that an index fixes when it is created: null where the index is to say. */
export const ofIndex = <T extends TSchema>(ofNew: T) => {
  const { description: what, reason } = ofNew as T & SettingText;
  const description = `${what} Fixed when the index is created; a later start need not set it, and may not set another.`;
  return Type.Union([ofNew, Type.Null()], { description, reason, ofNew, default: null });
};

/** A whole number that may be left out: null then. */
export const optionalWhole = (options: Omit<LimitRow, 'default'> & { readonly allowed: string }) => {
  const ofNew = Type.Integer({ ...options });
  return Type.Union([ofNew, Type.Null()], { ...options, ofNew, default: null });
};

/** A decimal number in a range. */
export const decimal = (options: LimitRow) => Type.Number({ ...options });

export const flag = (options: SettingText & { readonly default: boolean }) => Type.Boolean({ ...options });

export const oneOf = <const V extends (string | number)[]>(
  values: readonly [...V],
  options: SettingText & { readonly default: V[number] },
) => Type.Enum<V>(values, { ...options });

export const words = (pattern: string, options: Words & { readonly default: string }) =>
  Type.String({ ...options, pattern });

/** A text that may be left out: null then. */
export const optionalWords = (options: Words) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Null()], { ...options, default: null });

/** The same, of a form. */
export const optionalPattern = (pattern: string, options: Words) =>
  Type.Union([Type.String({ pattern }), Type.Null()], { ...options, default: null });

/** A comma-separated list. */
export const list = <T extends TSchema>(
  items: T,
  options: Words & { readonly default: readonly unknown[]; readonly readItem?: (text: string) => unknown } & {
    readonly secret?: boolean;
  },
) => Type.Array(items, { ...options });

/**
 * Reads the text of one setting.
 *
 * @returns the value, or what is wrong with it in a few words that never hold the text of a secret.
 */
export function readSetting(
  schema: SettingSchema,
  text: string,
): { readonly value: unknown } | { readonly fault: string } {
  if (schema.ofNew !== undefined) return readSetting(schema.ofNew, text);
  const shown =
    schema.secret === true ? 'the value' : JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
  try {
    const value = readText(schema, text);
    if (Check(schema, value)) return { value };
    return { fault: `${shown} is ${outOf(schema)}` };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: error.message.replace('$', () => shown) };
  }
}

/** What a setting may be, in words: "a whole number from 1 to 32". */
export function allowedValues(schema: SettingSchema): string {
  if (schema.ofNew !== undefined) return allowedValues(schema.ofNew);
  if (schema.allowed !== undefined) return schema.allowed;
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'boolean') return 'true or false';
  const kind = schema.type === 'integer' ? 'a whole number' : 'a number';
  return `${kind} from ${schema.minimum} to ${schema.maximum}`;
}

const outOf = (schema: SettingSchema) => (schema.minimum === undefined ? 'not allowed' : 'out of range');

/** Why a text cannot be read; `$` stands for the text. */
export class Fault extends Error {}

function readText(schema: SettingSchema, text: string): unknown {
  if (schema.type === 'array') return readList(schema, text);
  if (schema.type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new Fault('$ is neither true nor false');
    return text === 'true';
  }
  if (schema.type === 'integer') return readWhole(text);
  if (schema.type === 'number') {
    if (!/^\d{1,12}(\.\d{1,12})?$/.test(text)) throw new Fault('$ is not a decimal number');
    return Number(text);
  }
  if (schema.enum !== undefined && typeof schema.enum[0] === 'number') return readWhole(text);
  return text;
}

function readWhole(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new Fault('$ is not a whole number');
  return Number(text);
}

function readList(schema: SettingSchema, text: string): unknown[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const read = schema.readItem ?? (schema.items?.type === 'integer' ? readWhole : (part: string) => part);
  return parts.map((part, at) => {
    let value: unknown;
    try {
      value = read(part);
    } catch (error) {
      if (error instanceof Fault)
        throw new Fault(`entry ${at + 1}: ${error.message.replace('$', () => quoted(schema, part))}`);
      throw error;
    }
    if (schema.items !== undefined && !Check(schema.items, value)) {
      throw new Fault(`entry ${at + 1}: ${quoted(schema, part)} is not allowed`);
    }
    return value;
  });
}

const quoted = (schema: SettingSchema, part: string) => (schema.secret === true ? 'it' : JSON.stringify(part));

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
