const TIME = /^\d{4}-\d\d(?:-\d\d(?:[T ].*)?)?$/;

/**
 * What a value of a record ranks at: a number itself, a text that is one, a time of ISO 8601 in ms since 1970, true above false.
 * NaN: nothing of the kind.
 */
export function rankOf(value: unknown): number {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return Number.NaN;
  const text = value.trim();
  return TIME.test(text) ? Date.parse(text) : Number(text);
}
