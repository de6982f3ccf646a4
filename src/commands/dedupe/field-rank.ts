const TIME = /^\d{4}-\d\d(?:-\d\d(?:[T ].*)?)?$/;

/**
 * By what a record stays that has this value: the greater comes first. Of a time of ISO 8601 it is ms since 1970; true is above
 * false. NaN: it is nothing of the kind.
 */
export function rankOf(value: unknown): number {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return Number.NaN;
  const text = value.trim();
  return TIME.test(text) ? Date.parse(text) : Number(text);
}
