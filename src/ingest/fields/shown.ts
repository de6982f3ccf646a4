import type { Fields } from './field-names.ts';

/** Of a value so much is repeated: it may be a document. */
const CHARACTERS_MAX = 40;
/** How many fields of a record are named. */
const NAMES_MAX = 12;

/** A bad value, in part. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Date) return 'no date';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return String(value);
  const json = JSON.stringify(
    value.length > CHARACTERS_MAX ? `${value.slice(0, CHARACTERS_MAX).toWellFormed()}…` : value,
  );
  return json.replace(UNSEEN, (char) => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`);
}

/** Characters that a terminal obeys, or that turn the text behind them round; JSON leaves some as they are. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The names of the fields of a record, as a sentence; of many the first ones. */
export function fieldsShown(record: Fields): string {
  const names = Object.keys(record);
  if (names.length === 0) return 'The record has no fields';
  const some = names
    .slice(0, NAMES_MAX)
    .map((name) => (/^[\p{L}\p{N}_.@:$ -]{1,40}$/u.test(name) ? name : shown(name)));
  return `The record has ${some.join(', ')}${names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : ''}`;
}
