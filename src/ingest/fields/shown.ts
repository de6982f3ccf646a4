/** Of a value so much is repeated: it may be a document. */
const CHARACTERS_MAX = 40;

/** A bad value, in part. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Date) return 'no date';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > CHARACTERS_MAX ? `${value.slice(0, CHARACTERS_MAX).toWellFormed()}…` : value);
}
