/* The key that somebody typed: kept in this tab alone, and sent to this service alone. */

const NAME = 'shingled.key';

/** Null where none was typed. */
export function typedKey(): string | null {
  return sessionStorage.getItem(NAME);
}

/** @param key an empty one is forgotten */
export function keepKey(key: string): void {
  if (key === '') sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, key);
}
