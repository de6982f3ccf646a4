import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Memory that threads share V8 gives back with the last object that has it, but does not count it. So a thread that makes
 * little garbage of its own is made to collect: 5 to 20 ms.
 */

/** Less than that is not worth the time. */
const LEFT_BYTES_MAX = 2 ** 20;

let collect: (() => void) | undefined;
let bytesLeft = 0;

/** Collects all garbage of this thread once so much memory that threads share was left since the last time. */
export function collectLeft(bytes: number): void {
  bytesLeft += bytes;
  if (bytesLeft <= LEFT_BYTES_MAX) return;
  bytesLeft = 0;
  collectGarbage();
}

/** Bytes of all memory that threads share in plain data. */
export function sharedBytesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (ArrayBuffer.isView(value)) return value.buffer instanceof SharedArrayBuffer ? value.byteLength : 0;
  return Object.values(value).reduce((sum: number, each) => sum + sharedBytesIn(each), 0);
}

/** Collects all garbage of this thread, at once. */
export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/**
 * V8's own, which it shows to contexts that are made while this flag is set. All threads have one flag: another may have unset
 * it.
 */
function collector(): () => void {
  for (;;) {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('globalThis.gc') as (() => void) | undefined;
    setFlagsFromString('--no-expose-gc');
    if (gc !== undefined) return gc;
  }
}
