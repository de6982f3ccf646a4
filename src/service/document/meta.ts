import { ShingledError } from '../../errors.ts';
import type { Meta } from '../../store/port.ts';

/** @throws ShingledError `invalid-request` */
export function checkMeta(meta: Meta | null, metaBytesMax: number): void {
  if (meta === null || jsonBytes(meta) <= metaBytesMax) return;
  throw new ShingledError('invalid-request', `meta is too large: at most ${metaBytesMax} bytes of JSON are taken.`, {
    field: 'meta',
    limit: { name: 'metaBytesMax', value: metaBytesMax },
  });
}

function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    // nested so deeply that it overflows the stack of the printer
    return Number.POSITIVE_INFINITY;
  }
}

/** Whether a source's meta has every key of another with the same value. */
export function hasMeta(meta: Meta | null, wanted: Meta): boolean {
  return Object.keys(wanted).every(
    (key) => meta !== null && Object.hasOwn(meta, key) && isSame(wanted[key], meta[key]),
  );
}

/** Of values that JSON has: whatever the order of keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (!isStructured(a) || !isStructured(b)) return a === b;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}

function isStructured(value: unknown): value is Meta {
  return typeof value === 'object' && value !== null;
}
