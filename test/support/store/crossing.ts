import { types } from 'node:util';
import { ShingledError } from '../../../src/errors.ts';
import type { Store } from '../../../src/store/port.ts';

/*
 * A store as if it were in another process: whatever is asked and answered arrives as a structured clone, and nothing may be
 * lost on the way. An object of a class would arrive, but as another: without its methods and what is private.
 */

/** @param asked gets the names of the methods that were called */
export function crossing(store: Store, asked = new Set<string>()): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return sent(value, String(name));
      return async (...given: unknown[]) => {
        asked.add(String(name));
        const args = sent(given, `the arguments of ${String(name)}`);
        try {
          return sent(await value.apply(target, args), `the answer of ${String(name)}`);
        } catch (error) {
          throw error instanceof ShingledError ? sentError(error) : error;
        }
      };
    },
  });
}

/** What arrives of a value. @throws TypeError naming what is no plain data */
function sent<T>(value: T, path: string): T {
  checkPlain(value, path);
  return structuredClone(value);
}

/** Errors are told as the shapes of their details, and are made again. */
function sentError({ code, message, field, limit, retryAfterS }: ShingledError): ShingledError {
  const { code: name, message: detail, ...told } = sent({ code, message, field, limit, retryAfterS }, 'an error');
  const details = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  return new ShingledError(name, detail, details);
}

const PLAIN_PROTOTYPES: readonly unknown[] = [Object.prototype, Array.prototype, null];

function checkPlain(value: unknown, path: string): void {
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError(`${path} is a ${typeof value}`);
  if (typeof value !== 'object' || value === null || types.isTypedArray(value)) return;
  if (!PLAIN_PROTOTYPES.includes(Object.getPrototypeOf(value))) {
    throw new TypeError(`${path} is an object of a class: ${value.constructor.name}`);
  }
  for (const key of Reflect.ownKeys(value)) {
    if (Array.isArray(value) && key === 'length') continue;
    const property = Object.getOwnPropertyDescriptor(value, key)!;
    if (typeof key === 'symbol' || !('value' in property) || !property.enumerable) {
      throw new TypeError(`${path}.${String(key)} is not a plain property`);
    }
    checkPlain(property.value, `${path}.${key}`);
  }
}
